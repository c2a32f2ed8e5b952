// SPDX-License-Identifier: Apache-2.0
#include "plugin/rust_source.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/archive.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "build/crates.hpp"

namespace wheelforge::plugin {
namespace {

using Crates = std::vector<source::Crate>;

constexpr std::string_view lock_kind = "cargo-lock-1";

std::string build_dir(const config::PackageSettings& settings) {
    return settings.build_dir ? settings.build_dir->value : std::string();
}

build::RustToolchain toolchain_for(const PackageId& id, const Toolbox& tools) {
    auto found = build::find_rust_toolchain(tools.callers_environment);
    if (!found) {
        throw Error(
            ExitCode::usage,
            "rust-not-found",
            id.text() + " is built with Rust, and no rustc and cargo that work are on PATH"
        )
            .advise("apt-get install cargo rustc, dnf install cargo rust, or rustup default stable")
            .advise("or take it as a wheel: --pre-built " + id.name);
    }
    return *std::move(found);
}

void require_version(
    const PackageId& id, const std::string& wanted, const build::RustToolchain& toolchain
) {
    const auto version = pep::Version::parse(wanted);
    if (version && toolchain.version < *version) {
        throw Error(
            ExitCode::usage,
            "rust-too-old",
            id.text() + " needs Rust " + wanted + " or newer (rust-version of its Cargo.toml); "
                + toolchain.rustc.string() + " is " + toolchain.version.text()
        )
            .advise("install a newer one (rustup update; Debian: the packages cargo-web, rustc-web)"
            )
            .advise(
                "or constrain " + id.name
                + " to an older version, or take it as a wheel: " + "--pre-built " + id.name
            );
    }
}

/// Lock files made now: path in the source -> text.
std::map<std::string, std::string> make_locks(
    const Recipe& recipe,
    const SourceView& source,
    const Toolbox& tools,
    const build::RustToolchain& toolchain,
    const std::vector<std::string>& manifests
) {
    const auto scratch = tools.store.scratch();
    const auto archive = recipe.source(source.id, source.file, tools);
    const auto tree = unpack_archive(archive.path, scratch.path() / "unpack");
    std::map<std::string, std::string> locks;
    for (const auto& manifest : manifests) {
        const build::CrateRequest request{
            toolchain, tools.callers_environment, tools.offline, {tree.root / manifest}
        };
        const auto lock = build::lock_crates(request, {});
        const auto place = lock.lexically_relative(tree.root).generic_string();
        if (!place.starts_with("..")) {
            locks[place] = read_file(lock);
        }
    }
    return locks;
}

std::map<std::string, std::string> remembered_locks(const std::string& json) {
    const auto value = parse_json(json);
    std::map<std::string, std::string> locks;
    if (value && value->is_object()) {
        for (const auto& [place, text] : value->items()) {
            if (text.is_string()) {
                locks[place] = text.get<std::string>();
            }
        }
    }
    return locks;
}

std::map<std::string, std::string> settle_locks(
    const Recipe& recipe,
    const SourceView& source,
    const Toolbox& tools,
    const build::RustToolchain& toolchain,
    const std::vector<std::string>& manifests
) {
    const auto key = sha256(source.sha256 + "\n" + join(manifests, "\n"));
    if (const auto json = tools.store.recall(lock_kind, key)) {
        if (auto locks = remembered_locks(*json); !locks.empty()) {
            return locks;
        }
    }
    auto locks = while_doing(
        [&] { return "choosing crates for " + source.id.text() + ", which has no Cargo.lock"; },
        [&] { return make_locks(recipe, source, tools, toolchain, manifests); }
    );
    tools.store.remember(lock_kind, key, dump_json(Json(locks)));
    return locks;
}

Crates locked_crates(const std::filesystem::path& tree, const std::vector<std::string>& manifests) {
    Crates crates;
    for (const auto& manifest : manifests) {
        for (const auto& place : source::lock_places(manifest)) {
            if (const auto text = read_file_if_there(tree / place)) {
                const auto found = source::crates_in_lock(*text).value_or(Crates());
                crates.insert(crates.end(), found.begin(), found.end());
                break;
            }
        }
    }
    std::sort(crates.begin(), crates.end());
    crates.erase(std::unique(crates.begin(), crates.end()), crates.end());
    return crates;
}

}  // namespace

Supplement supplement_rust(const Recipe& recipe, const SourceView& source, const Toolbox& tools) {
    Supplement supplement;
    if (!source::builds_rust(source.facts)) {
        return supplement;
    }
    const auto plan = source::plan_crates(source.facts, build_dir(source.settings));
    const auto toolchain = toolchain_for(source.id, tools);
    require_version(source.id, plan.rust_version, toolchain);
    supplement.inputs.push_back({"toolchain", "rustc", toolchain.identity});
    if (!plan.unlocked.empty()) {
        supplement.files = settle_locks(recipe, source, tools, toolchain, plan.unlocked);
    }
    for (const auto& [place, text] : supplement.files) {
        supplement.inputs.push_back({"added-file", place, sha256(text)});
    }
    return supplement;
}

std::optional<RustProvision> provide_crates(
    const BuildOrder& order,
    const Toolbox& tools,
    const std::filesystem::path& tree,
    const std::pair<std::filesystem::path, std::filesystem::path>& home_and_inside,
    const std::stop_token& stop
) {
    if (!source::builds_rust(*order.facts)) {
        return std::nullopt;
    }
    const auto plan = source::plan_crates(*order.facts, build_dir(order.settings));
    RustProvision provision{toolchain_for(order.id, tools), {}};
    if (plan.manifests.empty()) {
        return provision;
    }
    const auto& [home, inside] = home_and_inside;
    const auto cargo_home = home / ".cargo";
    make_directories(cargo_home);
    build::CrateRequest request{provision.toolchain, tools.callers_environment, tools.offline, {}};
    for (const auto& manifest : plan.manifests) {
        request.manifests.push_back(tree / manifest);
    }
    const auto config = while_doing(
        [&] { return "fetching the crates of " + order.id.text(); },
        [&] {
            return build::vendor_crates(
                request, cargo_home / "vendor", inside / ".cargo" / "vendor", stop
            );
        }
    );
    write_file(cargo_home / "config.toml", config);
    provision.crates = locked_crates(tree, plan.manifests);
    return provision;
}

}  // namespace wheelforge::plugin
