// SPDX-License-Identifier: Apache-2.0
// What a resolution is written as: JSON for programs, constraints for pip.
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/text.hpp"
#include "engine/resolution.hpp"

namespace wheelforge::engine {
namespace {

Json package_json(const ResolvedPackage& package) {
    const auto digest = package.digests.find("sha256");
    return {
        {"name", package.name},
        {"version", package.version},
        {"source", package.source},
        {"url", package.url},
        {"sha256", digest == package.digests.end() ? Json(nullptr) : Json(digest->second)},
        {"requires", package.requires_},
    };
}

Json conflict_json(const Resolved& resolved) {
    Json chain = Json::array();
    for (const auto& conflict : resolved.conflicts) {
        for (const auto& link : conflict.chain) {
            chain.push_back(
                {{"package", link.package}, {"requires", link.requires_}, {"origin", link.origin}}
            );
        }
    }
    return {
        {"message", resolved.failure->message},
        {"chain", std::move(chain)},
        {"suggest", resolved.suggestions},
    };
}

}  // namespace

std::string resolved_json(const Resolved& resolved) {
    if (resolved.failure && resolved.failure->code == ExitCode::unsatisfiable) {
        return dump_json(Json{{"conflict", conflict_json(resolved)}});
    }
    if (resolved.failure) {
        return dump_json(Json{
            {"error",
             {{"id", resolved.failure->id},
              {"message", resolved.failure->message},
              {"advice", resolved.failure->advice}}}
        });
    }
    Json packages = Json::array();
    for (const auto& package : resolved.packages) {
        packages.push_back(package_json(package));
    }
    Json builds = Json::object();
    for (const auto& [pin, tools] : resolved.builds) {
        builds[pin] = tools;
    }
    return dump_json(Json{{"packages", std::move(packages)}, {"builds", std::move(builds)}});
}

std::string pins_text(const std::map<std::string, std::vector<std::string>>& versions) {
    std::string text;
    for (const auto& [name, all] : versions) {
        text += all.size() == 1 ? name + "==" + all.front() + "\n"
                                : "# " + name + ": " + join(all, ", ") + "\n";
    }
    return text;
}

std::string constraints_text(const Resolved& resolved) {
    std::map<std::string, std::vector<std::string>> versions;
    for (const auto& package : resolved.packages) {
        versions[package.name].push_back(package.version);
    }
    return pins_text(versions);
}

}  // namespace wheelforge::engine
