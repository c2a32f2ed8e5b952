// SPDX-License-Identifier: Apache-2.0
#include "build/file_conflicts.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <unordered_map>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelforge::build {
namespace {

namespace fs = std::filesystem;

bool same_content(const fs::path& a, const fs::path& b) {
    if (fs::is_symlink(a) || fs::is_symlink(b)) {
        return fs::is_symlink(a) && fs::is_symlink(b) && fs::read_symlink(a) == fs::read_symlink(b);
    }
    if (fs::file_size(a) != fs::file_size(b)) {
        return false;
    }
    std::ifstream first(a, std::ios::binary);
    std::ifstream second(b, std::ios::binary);
    std::array<char, 1U << 16U> first_part{};
    std::array<char, 1U << 16U> second_part{};
    while (first && second) {
        first.read(first_part.data(), first_part.size());
        second.read(second_part.data(), second_part.size());
        if (first.gcount() != second.gcount()
            || !std::equal(
                first_part.begin(), first_part.begin() + first.gcount(), second_part.begin()
            )) {
            return false;
        }
    }
    return true;
}

[[noreturn]] void refuse(const Layer& a, const Layer& b, std::string_view path) {
    throw Error(
        ExitCode::refused,
        "file-conflict",
        printable(a.name) + " and " + printable(b.name) + " both own " + printable(path)
    )
        .advise("one of the two must leave the build requirements");
}

using Owners = std::unordered_map<std::string_view, const Layer*>;

Owners owners_of_files(const std::vector<Layer>& layers) {
    Owners owners;
    for (const Layer& layer : layers) {
        for (const std::string& path : layer.files) {
            const auto [owner, is_new] = owners.try_emplace(path, &layer);
            if (!is_new && !same_content(owner->second->root / path, layer.root / path)) {
                refuse(*owner->second, layer, path);
            }
        }
    }
    return owners;
}

}  // namespace

void require_no_conflict(const std::vector<Layer>& layers) {
    const Owners files = owners_of_files(layers);
    Owners folders;
    for (const Layer& layer : layers) {
        for (std::string_view path : layer.files) {
            auto slash = path.rfind('/');
            while (slash != std::string_view::npos) {
                path = path.substr(0, slash);
                if (!folders.try_emplace(path, &layer).second) {
                    break;  // its parents are known too
                }
                if (const auto owner = files.find(path); owner != files.end()) {
                    refuse(*owner->second, layer, path);
                }
                slash = path.rfind('/');
            }
        }
    }
}

}  // namespace wheelforge::build
