// SPDX-License-Identifier: Apache-2.0
// What a resolution is written as: JSON for programs, constraints for pip, a lock file (PEP 751).
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/text.hpp"
#include "engine/resolution.hpp"

namespace wheelforge::engine {
namespace {

Json package_json(const ResolvedPackage& package) {
    return {
        {"name", package.name},
        {"version", package.version},
        {"source", package.source},
        {"url", package.url},
        {"sha256", package.sha256.empty() ? Json(nullptr) : Json(package.sha256)},
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

/// A TOML basic string.
std::string toml_string(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += std::string("\\") + c;
        } else if (byte < 0x20 || byte == 0x7f) {
            result += fmt::format("\\u{:04X}", byte);
        } else {
            result += c;
        }
    }
    return result + "\"";
}

std::string file_table(const ResolvedPackage& package) {
    std::string table =
        "{ name = " + toml_string(package.filename) + ", url = " + toml_string(package.url);
    if (package.size) {
        table += fmt::format(", size = {}", *package.size);
    }
    return table + ", hashes = { sha256 = " + toml_string(package.sha256) + " } }";
}

/// "git+https://host/repo@<commit>#subdirectory=x" in the words of PEP 751.
std::string vcs_table(const std::string& url) {
    const auto fragment = url.find('#');
    auto location = url.substr(0, fragment);
    const auto at = location.rfind('@');
    const auto commit = at == std::string::npos ? "" : location.substr(at + 1);
    location = location.substr(0, at);
    constexpr std::string_view prefix = "git+";
    if (location.starts_with(prefix)) {
        location = location.substr(prefix.size());
    }
    std::string table =
        "{ type = \"git\", url = " + toml_string(location) + ", commit-id = " + toml_string(commit);
    constexpr std::string_view key = "subdirectory=";
    if (const auto folder = url.find(key); folder != std::string::npos) {
        table += ", subdirectory = " + toml_string(url.substr(folder + key.size()));
    }
    return table + " }";
}

std::string source_lines(const ResolvedPackage& package) {
    if (package.source == "git") {
        return "vcs = " + vcs_table(package.url) + "\n";
    }
    if (package.source == "local") {
        return "directory = { path = " + toml_string(package.url) + " }\n";
    }
    if (package.source == "url") {
        return "archive = { url = " + toml_string(package.url)
               + ", hashes = { sha256 = " + toml_string(package.sha256) + " } }\n";
    }
    return package.source == "wheel" ? "wheels = [\n    " + file_table(package) + ",\n]\n"
                                     : "sdist = " + file_table(package) + "\n";
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

std::string pylock_text(const Resolved& resolved) {
    std::string text = "lock-version = \"1.0\"\n";
    text += "environments = [\n    " + toml_string(resolved.environment) + ",\n]\n";
    text += "created-by = \"wheelforge\"\n";
    for (const auto& package : resolved.packages) {
        text += "\n[[packages]]\nname = " + toml_string(package.name) + "\n";
        text += "version = " + toml_string(package.version) + "\n";
        if (!package.requires_python.empty()) {
            text += "requires-python = " + toml_string(package.requires_python) + "\n";
        }
        if (!package.depends_on.empty()) {
            text += "dependencies = [\n";
            for (const auto& name : package.depends_on) {
                text += "    { name = " + toml_string(name) + " },\n";
            }
            text += "]\n";
        }
        text += source_lines(package);
    }
    return text;
}

}  // namespace wheelforge::engine
