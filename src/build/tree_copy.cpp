// SPDX-License-Identifier: Apache-2.0
#include "build/tree_copy.hpp"

#include <fstream>
#include <string>

#include "base/descriptor.hpp"
#include "base/files.hpp"
#include "build/scripts.hpp"

namespace wheelforge::build {
namespace {

void copy_entry(const fs::directory_entry& entry, const fs::path& target) {
    if (entry.is_symlink()) {
        if (!fs::is_symlink(target)) {
            fs::copy_symlink(entry.path(), target);
        }
    } else if (entry.is_directory()) {
        fs::create_directories(target);
    } else {
        // The library copies inside the kernel; it never links.
        fs::copy_file(entry.path(), target, fs::copy_options::skip_existing);
    }
}

bool starts_with(const fs::path& file, const std::string& text) {
    std::string start(text.size(), '\0');
    std::ifstream(file, std::ios::binary)
        .read(start.data(), static_cast<std::streamsize>(start.size()));
    return start == text;
}

}  // namespace

void copy_tree(const fs::path& from, const fs::path& to) {
    try {
        fs::create_directories(to);
        for (const auto& entry : fs::recursive_directory_iterator(from)) {
            copy_entry(entry, to / entry.path().lexically_relative(from));
        }
    } catch (const fs::filesystem_error& error) {
        throw file_error(FileAction::write, to.string(), error.code().value());
    }
}

void move_scripts(const fs::path& bin, const fs::path& from, const fs::path& to) {
    const std::string head = "#!" + (from / "bin" / "python").string();
    for (const auto& entry : fs::directory_iterator(bin)) {
        if (entry.is_symlink() || !entry.is_regular_file() || !starts_with(entry.path(), head)) {
            continue;
        }
        if (const auto script = moved_script(read_file(entry.path()), from, to)) {
            write_file(entry.path(), *script);
            fs::permissions(entry.path(), fs::perms(0755));
        }
    }
}

}  // namespace wheelforge::build
