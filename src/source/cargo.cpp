// SPDX-License-Identifier: Apache-2.0
#include "source/cargo.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <toml++/toml.h>

#include "base/archive_rules.hpp"
#include "pep/toml_depth.hpp"

namespace wheelforge::source {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

constexpr std::string_view manifest_name = "Cargo.toml";
constexpr std::string_view lock_name = "Cargo.lock";

std::optional<toml::table> parse_toml(std::string_view text) {
    if (pep::find_overlong_toml_key(text)) {
        return std::nullopt;
    }
    try {
        return toml::parse(text);
    } catch (const toml::parse_error&) {
        return std::nullopt;
    }
}

std::string text_at(const toml::table& table, std::string_view key) {
    return table[key].value_or(std::string());
}

bool is_rust_backend(const pep::BuildSystem& system) {
    const auto compiles = [](const pep::Requirement& requirement) {
        return requirement.name == "maturin" || requirement.name == "setuptools-rust";
    };
    return system.backend == "maturin" || system.backend.starts_with("maturin.")
           || std::any_of(system.requires_.begin(), system.requires_.end(), compiles);
}

/// "a/b" below "c" as "c/a/b"; "" if that leaves the source.
std::string below(const std::string& folder, const std::string& path) {
    const auto joined = (fs::path(folder) / path).lexically_normal().generic_string();
    return member_parts(joined) ? joined : std::string();
}

/// The manifest that [tool.maturin] of pyproject.toml names, or Cargo.toml beside it.
std::string maturin_manifest(const SdistFacts& facts, const std::string& build_dir) {
    const auto table = parse_toml(facts.pyproject_text.value_or(""));
    const auto named =
        table ? table->at_path("tool.maturin.manifest-path").value<std::string>() : std::nullopt;
    return below(build_dir, named.value_or(std::string(manifest_name)));
}

bool is_locked(const SdistFacts& facts, const std::string& manifest) {
    const auto places = lock_places(manifest);
    return std::any_of(places.begin(), places.end(), [&](const std::string& place) {
        return facts.cargo_locks.contains(place);
    });
}

Texts with_own_lock(const SdistFacts& facts) {
    Texts found;
    for (const auto& [manifest, version] : facts.cargo_manifests) {
        if (facts.cargo_locks.contains(lock_places(manifest).front())) {
            found.push_back(manifest);
        }
    }
    return found;
}

/// Manifests without another one in a folder above.
Texts outermost(const SdistFacts& facts) {
    Texts found;
    for (const auto& [manifest, version] : facts.cargo_manifests) {
        auto folder = fs::path(manifest).parent_path();
        bool inner = false;
        while (!folder.empty() && !inner) {
            folder = folder.parent_path();
            inner = facts.cargo_manifests.contains((folder / manifest_name).generic_string());
        }
        if (!inner) {
            found.push_back(manifest);
        }
    }
    return found;
}

Texts roots(const SdistFacts& facts, const std::string& build_dir) {
    const auto& backend = facts.pyproject.build_system.backend;
    if (backend == "maturin" || backend.starts_with("maturin.")) {
        const auto manifest = maturin_manifest(facts, build_dir);
        if (facts.cargo_manifests.contains(manifest)) {
            return {manifest};
        }
    }
    auto locked = with_own_lock(facts);
    return locked.empty() ? outermost(facts) : locked;
}

/// Of the manifest, or of a workspace above it.
Texts versions_for(const SdistFacts& facts, const std::string& manifest) {
    Texts versions;
    for (const auto& place : lock_places(manifest)) {
        const auto beside = (fs::path(place).parent_path() / manifest_name).generic_string();
        const auto found = facts.cargo_manifests.find(beside);
        if (found != facts.cargo_manifests.end() && !found->second.empty()) {
            versions.push_back(found->second);
        }
    }
    return versions;
}

}  // namespace

std::string rust_version_of(std::string_view cargo_toml) {
    const auto table = parse_toml(cargo_toml);
    if (!table) {
        return "";
    }
    for (const auto* path : {"package.rust-version", "workspace.package.rust-version"}) {
        if (const auto version = table->at_path(path).value<std::string>()) {
            return *version;
        }
    }
    return "";
}

bool builds_rust(const SdistFacts& facts) {
    return !facts.cargo_manifests.empty() && is_rust_backend(facts.pyproject.build_system);
}

CargoPlan plan_crates(const SdistFacts& facts, const std::string& build_dir) {
    CargoPlan plan;
    if (!builds_rust(facts)) {
        return plan;
    }
    auto manifests = roots(facts, build_dir);
    std::optional<pep::Version> highest;
    for (const auto& manifest : manifests) {
        for (const auto& text : versions_for(facts, manifest)) {
            const auto version = pep::Version::parse(text);
            if (version && (!highest || *highest < *version)) {
                highest = *version;
                plan.rust_version = text;
            }
        }
    }
    if (facts.brings_crates) {
        return plan;
    }
    for (const auto& manifest : manifests) {
        if (!is_locked(facts, manifest)) {
            plan.unlocked.push_back(manifest);
        }
    }
    plan.manifests = std::move(manifests);
    return plan;
}

std::optional<std::vector<Crate>> crates_in_lock(std::string_view cargo_lock) {
    const auto table = parse_toml(cargo_lock);
    const auto* packages = table ? table->get_as<toml::array>("package") : nullptr;
    if (packages == nullptr) {
        return table && !table->contains("package") ? std::optional(std::vector<Crate>())
                                                    : std::nullopt;
    }
    std::vector<Crate> crates;
    for (const auto& node : *packages) {
        const auto* package = node.as_table();
        if (package == nullptr) {
            return std::nullopt;
        }
        if (package->contains("source")) {  // members of the workspace itself have none
            crates.push_back(
                {text_at(*package, "name"),
                 text_at(*package, "version"),
                 text_at(*package, "source"),
                 text_at(*package, "checksum")}
            );
        }
    }
    std::sort(crates.begin(), crates.end());
    return crates;
}

std::vector<std::string> lock_places(const std::string& manifest) {
    std::vector<std::string> places;
    auto folder = fs::path(manifest).parent_path();
    places.push_back((folder / lock_name).generic_string());
    while (!folder.empty()) {
        folder = folder.parent_path();
        places.push_back((folder / lock_name).generic_string());
    }
    return places;
}

}  // namespace wheelforge::source
