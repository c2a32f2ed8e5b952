// SPDX-License-Identifier: Apache-2.0
#include "wheel/file_walk.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include "base/archive_members.hpp"
#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "wheel/spool.hpp"

namespace wheelforge::wheel {

namespace fs = std::filesystem;

namespace {

enum class Form { folder, zip, tar, file };

std::string first_bytes(const fs::path& path, std::size_t count) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw Error(ExitCode::surroundings, "cannot-read", "cannot read " + path.string());
    }
    std::string bytes(count, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

Form form_of(const fs::path& path) {
    using std::string_view_literals::operator""sv;
    constexpr std::size_t tar_magic_at = 257;
    if (fs::is_directory(path)) {
        return Form::folder;
    }
    const std::string start = first_bytes(path, 512);
    const std::string_view view = start;
    if (view.starts_with("PK\x03\x04"sv) || view.starts_with("PK\x05\x06"sv)) {
        return Form::zip;
    }
    const bool is_tar = view.size() == 512 && view.substr(tar_magic_at, 5) == "ustar";
    if (is_tar || view.starts_with("\x1f\x8b"sv) || view.starts_with("BZh"sv)
        || view.starts_with("\xfd"
                            "7zXZ"sv)) {
        return Form::tar;
    }
    return Form::file;
}

void visit_file(const fs::path& path, const std::string& name, const FileWalk& walk) {
    const WalkedFile file{name, fs::file_size(path)};
    if (!walk.wanted(file)) {
        return;
    }
    if (file.size == 0) {
        walk.visit(file, ByteView());
        return;
    }
    const MappedFile mapped(path);
    walk.visit(file, ByteView(mapped.bytes()));
    mapped.drop(mapped.bytes());
}

void walk_folder(const fs::path& folder, const FileWalk& walk) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && !entry.is_symlink()) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        visit_file(file, file.lexically_relative(folder).string(), walk);
    }
}

void walk_tar(const fs::path& path, const FileWalk& walk) {
    const auto members = open_members(path, ArchiveLimits());
    while (const auto member = members->next()) {
        const WalkedFile file{member->name, member->size};
        if (member->kind != SourceMember::Kind::file || !walk.wanted(file)) {
            continue;
        }
        Spool spool(member->size);
        members->content([&](std::string_view piece) { spool.append(piece); });
        walk.visit(file, ByteView(spool.bytes()));
    }
}

}  // namespace

void walk_zip(const ZipReader& zip, const FileWalk& walk) {
    for (const ZipMember& member : zip.members()) {
        const WalkedFile file{member.name, member.size};
        if (!member.is_directory() && walk.wanted(file)) {
            const Spool spool = Spool::member(zip, member);
            walk.visit(file, ByteView(spool.bytes()));
        }
    }
}

bool is_container(const fs::path& path) {
    return form_of(path) != Form::file;
}

void walk_files(const fs::path& path, const FileWalk& walk) {
    if (!fs::exists(path)) {
        throw Error(ExitCode::usage, "file-not-found", "there is no " + path.string());
    }
    switch (form_of(path)) {
    case Form::folder:
        walk_folder(path, walk);
        break;
    case Form::zip:
        walk_zip(ZipReader(path), walk);
        break;
    case Form::tar:
        walk_tar(path, walk);
        break;
    case Form::file:
        visit_file(path, path.string(), walk);
        break;
    }
}

bool is_text_name(std::string_view name) noexcept {
    constexpr std::string_view endings[] = {
        ".py",  ".pyi", ".txt",  ".md",    ".rst",   ".json", ".toml", ".yaml", ".yml", ".cfg",
        ".ini", ".h",   ".hpp",  ".hh",    ".cuh",   ".c",    ".cc",   ".cpp",  ".cxx", ".cu",
        ".hip", ".inc", ".html", ".css",   ".js",    ".ts",   ".svg",  ".xml",  ".sh",  ".cmake",
        ".pc",  ".pyx", ".pxd",  ".ipynb", ".jinja", ".j2",   ".csv",  ".tsv",  ".log", ".pyc"
    };
    const std::string_view base = name.substr(name.rfind('/') + 1);
    return std::any_of(std::begin(endings), std::end(endings), [&](std::string_view ending) {
        return base.size() > ending.size() && base.ends_with(ending);
    });
}

}  // namespace wheelforge::wheel
