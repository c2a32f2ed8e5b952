// SPDX-License-Identifier: Apache-2.0
#include "build/wheel_tree.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unordered_set>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "build/scripts.hpp"

namespace wheelforge::build {
namespace {

constexpr std::uint64_t whole_member_limit = 16U << 20U;  // larger members go through in pieces

[[noreturn]] void refuse(const std::string& what) {
    throw Error(ExitCode::refused, "bad-wheel", what);
}

/// A new file. Its name comes from a wheel, so nothing is overwritten and no link followed.
Descriptor new_file(const fs::path& path, bool executable) {
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    Descriptor file(::open(path.c_str(), flags, executable ? 0755 : 0644));
    if (!file.valid() && (errno == EEXIST || errno == ENOTDIR || errno == EISDIR)) {
        refuse("two members would become " + printable(path.filename().string()));
    }
    if (!file.valid()) {
        throw file_error(FileAction::write, path.string(), errno);
    }
    return file;
}

/// The tree while it is filled.
class TreeWriter {
public:
    explicit TreeWriter(fs::path root) : root_(std::move(root)) {}

    void add(const std::string& path, std::string_view content, bool executable) {
        const fs::path target = place(path);
        write_all(new_file(target, executable), content, target.string());
    }
    void add_streamed(
        const std::string& path, const ZipReader& zip, const ZipMember& member, bool executable
    ) {
        const fs::path target = place(path);
        const Descriptor file = new_file(target, executable);
        zip.stream(member, [&](std::string_view bytes) {
            write_all(file, bytes, target.string());
        });
    }
    [[nodiscard]] bool has(const std::string& path) const { return known_.contains(path); }
    [[nodiscard]] std::vector<std::string> sorted() && {
        std::sort(files_.begin(), files_.end());
        return std::move(files_);
    }
    [[nodiscard]] const std::vector<std::string>& files() const noexcept { return files_; }

private:
    /// Where `path` goes; makes its folder and enters it into the list.
    fs::path place(const std::string& path) {
        fs::path target = root_ / path;
        if (folders_.insert(target.parent_path().string()).second) {
            std::error_code error;
            fs::create_directories(target.parent_path(), error);
            if (error == std::errc::not_a_directory || error == std::errc::file_exists) {
                refuse("a member is both a file and a folder: " + printable(path));
            }
            make_directories(target.parent_path());  // tells any other failure
        }
        known_.insert(path);
        files_.push_back(path);
        return target;
    }
    fs::path root_;
    std::unordered_set<std::string> folders_;
    std::unordered_set<std::string> known_;
    std::vector<std::string> files_;
};

void add_member(
    TreeWriter& tree, const ZipReader& zip, const ZipMember& member, const TreeLayout& layout
) {
    const Destination destination = destination_of(member.name, layout);
    const bool executable = destination.is_script || (member.mode & 0111U) != 0;
    if (member.size > whole_member_limit) {
        tree.add_streamed(destination.path, zip, member, executable);
        return;
    }
    const std::string content = zip.read(member, whole_member_limit);
    const auto script =
        destination.is_script ? with_interpreter(content, layout.prefix) : std::nullopt;
    tree.add(destination.path, script.value_or(content), executable);
}

/// Ours instead of the wheel's: what is really there, relative to site-packages, without digests.
std::string record_of(const TreeWriter& tree, const TreeLayout& layout, const std::string& itself) {
    std::vector<std::string> paths = tree.files();
    paths.push_back(itself);
    std::sort(paths.begin(), paths.end());
    std::string text;
    for (const std::string& path : paths) {
        const auto relative = fs::path(path).lexically_relative(layout.site_packages).string();
        const bool quoted = relative.find_first_of(",\"\r\n") != std::string::npos;
        text += quoted ? '"' + replace_all(relative, "\"", "\"\"") + '"' : relative;
        text += ",,\n";
    }
    return text;
}

}  // namespace

TreeLayout TreeLayout::of(
    const wheel::WheelFile& wheel, const Interpreter& interpreter, std::filesystem::path prefix
) {
    const fs::path library = fs::path(interpreter.site_packages).parent_path().filename();
    return {
        interpreter.site_packages,
        (fs::path("include/site") / library / wheel.filename().name).string(),
        std::move(prefix),
    };
}

Destination destination_of(const std::string& member, const TreeLayout& layout) {
    const auto first_end = member.find('/');
    const std::string_view first = std::string_view(member).substr(0, first_end);
    if (first_end == std::string::npos || !first.ends_with(".data")) {
        return {layout.site_packages + '/' + member};
    }
    const auto scheme_end = member.find('/', first_end + 1);
    const auto scheme = member.substr(first_end + 1, scheme_end - first_end - 1);
    const auto rest = scheme_end == std::string::npos ? "" : member.substr(scheme_end + 1);
    if (rest.empty()) {
        refuse("the member " + printable(member) + " stands in no .data scheme");
    }
    if (scheme == "purelib" || scheme == "platlib") {
        return {layout.site_packages + '/' + rest};
    }
    if (scheme == "scripts") {
        return {"bin/" + rest, true};
    }
    if (scheme == "headers") {
        return {layout.headers + '/' + rest};
    }
    if (scheme == "data") {
        // lib64 is a link to lib, as in every venv; a folder of that name would hide it.
        return {rest.starts_with("lib64/") ? "lib/" + rest.substr(6) : rest};
    }
    refuse("the .data scheme " + printable(scheme) + " is not known");
}

std::vector<std::string> unpack_wheel(
    const wheel::WheelFile& wheel, const TreeLayout& layout, const std::filesystem::path& folder
) {
    const std::string dist_info = wheel.dist_info();
    const std::string record = layout.site_packages + '/' + dist_info + "/RECORD";
    TreeWriter tree(folder);
    for (const ZipMember& member : wheel.zip().members()) {
        const bool ours =
            member.name == dist_info + "/RECORD" || member.name == dist_info + "/INSTALLER";
        if (!member.is_directory() && !ours) {
            add_member(tree, wheel.zip(), member, layout);
        }
    }
    for (const auto& [name, target] : wheel.entry_point_scripts()) {
        if (const std::string path = "bin/" + name; !tree.has(path)) {
            tree.add(path, launcher(name, target, layout.prefix), true);
        }
    }
    tree.add(layout.site_packages + '/' + dist_info + "/INSTALLER", "wheelforge\n", false);
    tree.add(record, record_of(tree, layout, record), false);
    return std::move(tree).sorted();
}

}  // namespace wheelforge::build
