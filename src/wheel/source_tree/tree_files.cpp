// SPDX-License-Identifier: Apache-2.0
#include "wheel/source_tree/tree_files.hpp"

#include <string_view>
#include <utility>

#include "base/archive.hpp"
#include "base/error.hpp"
#include "base/files.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::uint64_t largest_text = 4U << 20U;

bool is_binary(std::string_view bytes) {
    constexpr std::size_t enough = 4096;
    return bytes.substr(0, enough).find('\0') != std::string_view::npos;
}

void read_folder(const fs::path& tree, const WantsFile& wanted, const TakeText& take) {
    std::error_code failure;
    fs::recursive_directory_iterator walk(tree, failure);
    for (; !failure && walk != fs::recursive_directory_iterator(); walk.increment(failure)) {
        if (walk->is_symlink() || !walk->is_regular_file() || walk->file_size() > largest_text) {
            continue;
        }
        const fs::path below = walk->path().lexically_relative(tree);
        if (!wanted(below)) {
            continue;
        }
        if (std::string text = read_file(walk->path(), largest_text); !is_binary(text)) {
            take(below, std::move(text));
        }
    }
    if (failure) {
        throw Error(
            ExitCode::surroundings,
            "cannot-read",
            "cannot read the folder " + tree.string() + ": " + failure.message()
        );
    }
}

}  // namespace

TreeFiles files_of_folder(fs::path tree) {
    return [tree = std::move(tree)](const WantsFile& wanted, const TakeText& take) {
        read_folder(tree, wanted, take);
    };
}

TreeFiles files_of_archive(fs::path archive) {
    return [archive = std::move(archive)](const WantsFile& wanted, const TakeText& take) {
        read_files(
            archive,
            largest_text,
            [&](std::string_view name) { return wanted(fs::path(name)); },
            [&](std::string_view name, std::string text) {
                if (!is_binary(text)) {
                    take(fs::path(name), std::move(text));
                }
            }
        );
    };
}

}  // namespace wheelforge::wheel
