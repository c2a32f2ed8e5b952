// SPDX-License-Identifier: Apache-2.0
#include "engine/provided.hpp"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/http.hpp"
#include "base/markup.hpp"
#include "base/text.hpp"
#include "build/host_environment.hpp"
#include "pep/filename.hpp"

namespace wheelforge::engine {
namespace {

/// An index of one project, beside its wheel: the only place its files are taken from.
std::string index_of(const fs::path& wheel, const std::string& name) {
    const auto filename = wheel.filename().string();
    const auto folder = wheel.parent_path() / "simple";
    write_file(
        folder / name / "index.html",
        fmt::format(
            "<!DOCTYPE html>\n<html><head><title>{0}</title></head><body>\n"
            "<a href=\"../../{1}#sha256={3}\">{2}</a>\n</body></html>\n",
            name,
            percent_encode_path(filename),
            escape_markup(filename),
            sha256_file(wheel)
        )
    );
    return "file://" + percent_encode_path(folder.string()) + "/";
}

void provide(
    BootstrapRequest& request,
    const std::string& name,
    const fs::path& wheel,
    const std::string& folder,
    const std::string& origin
) {
    const auto index = index_of(wheel, name);
    request.settings.take_as_wheel(name, origin);
    request.settings.take_from_index(name, index, origin);
    const auto settings = request.settings.package(name);
    if (settings.wheel_server_url || settings.source.index_url->value != index) {
        const auto& other =
            settings.wheel_server_url ? *settings.wheel_server_url : *settings.source.index_url;
        throw Error(
            ExitCode::usage,
            "host-distribution",
            fmt::format(
                "{} is provided by {} and has an index of its own ({})",
                name,
                printable(folder),
                other.origin
            )
        )
            .advise("take one of them out");
    }
    request.here.variant.provided[name] = folder;
    auto& known = request.judgement.variant.provided;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
        known.push_back(name);
    }
}

/// A wheel of the name that lies in the folder as a file.
std::optional<fs::path> wheel_file_in(const fs::path& folder, const std::string& name) {
    std::error_code error;
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const auto filename = pep::WheelFilename::parse(entry.path().filename().string());
        if (filename && filename->name == name) {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found.empty() ? std::nullopt : std::optional(found.back());
}

/// `provided: {torch_sendnn: {from: DIR}}`
void provide_by_definition(
    BootstrapRequest& request, const std::string& name, const std::string& written
) {
    const auto origin = "`provided` of variant " + request.here.variant.name;
    const fs::path folder = fs::absolute(config::expand(written, request.here.names, origin));
    const auto store = request.cache / "provided";
    if (const auto wheel = wheel_file_in(folder, name)) {
        const auto home = store / sha256_file(*wheel);
        publish_copy(*wheel, home / wheel->filename());
        provide(request, name, home / wheel->filename(), folder.string(), origin);
        return;
    }
    for (const auto& each : build::host_distributions(folder, request.interpreter)) {
        if (each.name == name) {
            const auto wheel = build::pack_distribution(each, store);
            provide(request, name, wheel, folder.string(), origin);
            return;
        }
    }
    throw Error(
        ExitCode::usage,
        "host-distribution",
        fmt::format("{}: {} has no {}", origin, printable(folder.string()), name)
    )
        .advise("name the folder that has it, installed or as a wheel");
}

}  // namespace

void add_provided(BootstrapRequest& request, const std::vector<std::string>& folders) {
    const auto by_definition = request.here.variant.provided;
    for (const auto& [name, folder] : by_definition) {
        if (!folder.empty()) {
            provide_by_definition(request, name, folder);
        }
    }
    for (const auto& folder : folders) {
        for (const auto& each : build::host_distributions(folder, request.interpreter)) {
            const auto known = request.here.variant.provided.find(each.name);
            if (known != request.here.variant.provided.end() && !known->second.empty()) {
                continue;
            }
            try {
                const auto wheel = build::pack_distribution(each, request.cache / "provided");
                provide(request, each.name, wheel, folder, "--host-environment " + folder);
            } catch (const Error& error) {
                if (error.id() != "host-distribution") {
                    throw;
                }
                request.notices.push_back("not provided: " + error.message());
            }
        }
    }
}

bool is_provided(const BootstrapRequest& request, const std::string& name) {
    const auto found = request.here.variant.provided.find(name);
    return found != request.here.variant.provided.end() && !found->second.empty();
}

}  // namespace wheelforge::engine
