// SPDX-License-Identifier: Apache-2.0
#include "config/patches.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "pep/name.hpp"

namespace wheelforge::config {

namespace {

namespace fs = std::filesystem;

Error bad_folder(const fs::path& path, std::string_view why) {
    return Error{
        ExitCode::usage, "bad-patch-folder", fmt::format("{}: {}", printable(path.string()), why)
    }
        .advise("name it after the package, or package and version: flash_attn-2.8.3");
}

/// "flash_attn-2.8.3": the first '-' behind which a version stands ends the name.
PatchFolder parse_folder(const fs::path& path) {
    const std::string text = path.filename().string();
    PatchFolder folder;
    folder.path = path.string();
    std::string written = text;
    for (auto dash = text.find('-'); dash != std::string::npos; dash = text.find('-', dash + 1)) {
        if (auto version = pep::Version::parse(text.substr(dash + 1))) {
            folder.version = std::move(*version);
            written = text.substr(0, dash);
            break;
        }
    }
    auto name = pep::parse_name(written);
    if (!name) {
        throw bad_folder(path, "is named after no package");
    }
    folder.is_canonical = pep::filename_form(*name) == written;
    folder.name = std::move(*name);
    return folder;
}

std::vector<fs::path> sorted_entries(const fs::path& folder, bool directories) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const bool hidden = entry.path().filename().string().starts_with('.');
        if (!hidden && entry.is_directory() == directories) {
            entries.push_back(entry.path());
        }
    }
    if (error && error != std::errc::no_such_file_or_directory) {
        throw Error{
            ExitCode::surroundings,
            "cannot-read",
            fmt::format("cannot read the folder {}: {}", folder.string(), error.message())
        };
    }
    std::sort(entries.begin(), entries.end());
    return entries;
}

void add_files(const fs::path& folder, const PatchFolder& of, std::vector<PatchFile>& patches) {
    for (const auto& path : sorted_entries(folder, false)) {
        if (path.extension() == ".patch") {
            patches.push_back(
                {path.string(), path.filename().string(), of.version, sha256_file(path)}
            );
        }
    }
}

}  // namespace

std::vector<PatchFolder> patch_folders(const std::string& folder) {
    std::vector<PatchFolder> folders;
    for (const auto& path : sorted_entries(folder, true)) {
        folders.push_back(parse_folder(path));
    }
    return folders;
}

std::map<std::string, std::vector<PatchFile>>
load_patches(const std::string& folder, const std::vector<std::string>& variants) {
    std::map<std::string, std::vector<PatchFile>> patches;
    for (const auto& each : patch_folders(folder)) {
        auto& list = patches[each.name];
        add_files(each.path, each, list);
        for (const auto& variant : variants) {
            add_files(fs::path(each.path) / variant, each, list);
        }
    }
    for (auto& [name, list] : patches) {
        std::sort(list.begin(), list.end(), [](const PatchFile& a, const PatchFile& b) {
            return a.filename != b.filename ? a.filename < b.filename : a.path < b.path;
        });
    }
    return patches;
}

std::vector<PatchFile>
patches_for(const std::vector<PatchFile>& patches, const pep::Version& version) {
    std::vector<PatchFile> chosen;
    const auto wanted = version.without_local();
    std::copy_if(
        patches.begin(),
        patches.end(),
        std::back_inserter(chosen),
        [&](const PatchFile& patch) { return !patch.version || *patch.version == wanted; }
    );
    return chosen;
}

}  // namespace wheelforge::config
