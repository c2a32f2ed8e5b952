// SPDX-License-Identifier: Apache-2.0
#include "engine/lock_file.hpp"

#include <fmt/core.h>

#include "base/http.hpp"
#include "base/text.hpp"
#include "index/hashes.hpp"

namespace wheelforge::engine {
namespace {

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

std::string inline_table(const std::vector<std::pair<std::string, std::string>>& members) {
    std::vector<std::string> parts;
    for (const auto& [key, value] : members) {
        parts.push_back(key + " = " + value);
    }
    return "{ " + join(parts, ", ") + " }";
}

using Members = std::vector<std::pair<std::string, std::string>>;

/// "path" or "url" of a file or folder.
std::pair<std::string, std::string> location(const std::string& url, const fs::path& folder) {
    const auto path = path_of_file_url(url);
    if (!path) {
        return {"url", toml_string(url)};
    }
    const auto relative = path->lexically_relative(fs::absolute(folder).lexically_normal());
    const bool inside = !relative.empty() && *relative.begin() != "..";
    return {"path", toml_string((inside ? relative : *path).generic_string())};
}

std::string hashes(const ResolvedPackage& package) {
    Members members;
    for (const auto& [algorithm, digest] : package.digests) {
        if (index::is_strong(algorithm)) {
            members.emplace_back(algorithm, toml_string(digest));
        }
    }
    return inline_table(members);
}

void add_file(Members& members, const ResolvedPackage& package, const fs::path& folder) {
    members.push_back(location(package.url, folder));
    if (package.size) {
        members.emplace_back("size", std::to_string(*package.size));
    }
    members.emplace_back("hashes", hashes(package));
}

std::string archive_line(const ResolvedPackage& package, const fs::path& folder) {
    Members members;
    add_file(members, package, folder);
    if (!package.subdirectory.empty()) {
        members.emplace_back("subdirectory", toml_string(package.subdirectory));
    }
    return "archive = " + inline_table(members) + "\n";
}

/// "git+https://host/repo@<commit>#subdirectory=x" in the words of the PEP.
std::string vcs_line(const ResolvedPackage& package, const fs::path& folder) {
    constexpr std::string_view prefix = "git+";
    auto url = package.url.substr(0, package.url.find('#'));
    const auto at = url.rfind('@');
    const auto commit = url.substr(at + 1);
    url = url.substr(prefix.size(), at - prefix.size());
    Members members = {{"type", toml_string("git")}, location(url, folder)};
    members.emplace_back("commit-id", toml_string(commit));
    if (!package.subdirectory.empty()) {
        members.emplace_back("subdirectory", toml_string(package.subdirectory));
    }
    return "vcs = " + inline_table(members) + "\n";
}

std::string directory_line(const ResolvedPackage& package, const fs::path& folder) {
    Members members = {location(package.url, folder)};
    if (!package.subdirectory.empty()) {
        members.emplace_back("subdirectory", toml_string(package.subdirectory));
    }
    return "directory = " + inline_table(members) + "\n";
}

/// PEP 625 knows .tar.gz, and what came before it .zip; installers read no other name as an sdist.
bool is_sdist_name(std::string_view filename) {
    return filename.ends_with(".tar.gz") || filename.ends_with(".zip");
}

bool is_source_tree(const ResolvedPackage& package) {
    return package.source == "git" || package.is_folder;
}

std::string file_lines(const ResolvedPackage& package, const fs::path& folder) {
    Members members = {{"name", toml_string(package.filename)}};
    add_file(members, package, folder);
    const auto file = inline_table(members);
    std::string text;
    if (!package.index_url.empty()) {
        text = "index = " + toml_string(package.index_url) + "\n";
    }
    return text
           + (package.source == "wheel" ? "wheels = [\n    " + file + ",\n]\n"
                                        : "sdist = " + file + "\n");
}

std::string source_lines(const ResolvedPackage& package, const fs::path& folder) {
    if (package.source == "git") {
        return vcs_line(package, folder);
    }
    if (package.is_folder) {
        return directory_line(package, folder);
    }
    const bool direct = package.source == "url" || package.source == "local";
    const bool odd = package.source == "sdist" && !is_sdist_name(package.filename);
    return direct || odd ? archive_line(package, folder) : file_lines(package, folder);
}

std::string package_table(const ResolvedPackage& package, const fs::path& folder) {
    std::string text = "\n[[packages]]\nname = " + toml_string(package.name) + "\n";
    if (!is_source_tree(package)) {
        text += "version = " + toml_string(package.version) + "\n";
    }
    if (!package.requires_python.empty()) {
        text += "requires-python = " + toml_string(package.requires_python) + "\n";
    }
    if (!package.depends_on.empty()) {
        text += "dependencies = [\n";
        for (const auto& name : package.depends_on) {
            text += "    " + inline_table({{"name", toml_string(name)}}) + ",\n";
        }
        text += "]\n";
    }
    return text + source_lines(package, folder);
}

}  // namespace

std::string pylock_text(const Resolved& resolved, const fs::path& folder) {
    std::string text = "lock-version = \"1.0\"\n";
    text += "environments = [\n    " + toml_string(resolved.environment) + ",\n]\n";
    text += "requires-python = " + toml_string(">=" + resolved.target_python) + "\n";
    text += "created-by = \"wheelforge\"\n";
    text += resolved.packages.empty() ? "packages = []\n" : "";
    for (const auto& package : resolved.packages) {
        text += package_table(package, folder);
    }
    return text;
}

}  // namespace wheelforge::engine
