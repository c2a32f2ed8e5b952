// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/path_leaks.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace wheelforge::wheel {

namespace {

constexpr std::size_t most_per_file = 5;
constexpr std::size_t longest_shown = 160;

/// Folders that exist on build machines and not where wheels are installed.
constexpr std::array<std::string_view, 10> machine_folders = {
    "/__w/",
    "/home/",
    "/root/",
    "/Users/",
    "/builds/",
    "/github/workspace/",
    "/tmp/",
    "/var/tmp/",
    "/project/",
    "/io/"
};

bool holds_strings(std::string_view section) {
    return section.starts_with(".rodata") || section == ".debug_str" || section == ".comment"
           || section == ".debug_line_str" || section == ".note.nv.tkinfo";
}

/// The path that starts at `at`, up to the first character that paths in messages do not have.
std::string path_at(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && end - at < longest_shown && text[end] > ' ' && text[end] < 0x7f
           && std::string_view("\"'<>|;,()").find(text[end]) == std::string_view::npos) {
        ++end;
    }
    return std::string(text.substr(at, end - at));
}

class Search {
public:
    Search(std::string file, const std::vector<std::string>& private_paths)
        : file_(std::move(file)), private_paths_(private_paths) {}

    void private_in(std::string_view text) {
        for (const std::string& folder : private_paths_) {
            std::size_t at = folder.empty() ? std::string_view::npos : text.find(folder);
            for (; at != std::string_view::npos && room(); at = text.find(folder, at + 1)) {
                add(path_at(text, at), true);
            }
        }
    }

    void machine_folders_in(std::string_view text) {
        for (std::size_t at = text.find('/'); at != std::string_view::npos && room();
             at = text.find('/', at + 1)) {
            const bool starts = at == 0 || text[at - 1] == '\0' || text[at - 1] == ' '
                                || text[at - 1] == '"' || text[at - 1] == '=';
            const std::string_view rest = text.substr(at);
            const bool known = starts
                               && std::any_of(
                                   machine_folders.begin(),
                                   machine_folders.end(),
                                   [&](std::string_view folder) { return rest.starts_with(folder); }
                               );
            if (known) {
                std::string path = path_at(text, at);
                at += path.size() - 1;
                add_file_path(std::move(path));
            }
        }
    }

    std::vector<PathLeak> take() { return std::move(found_); }

private:
    [[nodiscard]] bool room() const { return found_.size() < most_per_file; }
    /// "/tmp/" alone or "/tmp/%s" is a program's own business; a file below three folders is not.
    void add_file_path(std::string path) {
        const auto depth = std::count(path.begin(), path.end(), '/');
        if (depth >= 3 && path.find('%') == std::string::npos) {
            add(std::move(path), false);
        }
    }
    void add(std::string path, bool is_private) {
        if (seen_.insert(path).second) {
            found_.push_back({file_, std::move(path), is_private});
        }
    }

    std::string file_;
    const std::vector<std::string>& private_paths_;
    std::vector<PathLeak> found_;
    std::set<std::string> seen_;
};

}  // namespace

std::vector<PathLeak> find_path_leaks(
    const std::string& file, ByteView bytes, const std::vector<std::string>& private_paths
) {
    Search search(file, private_paths);
    if (!ElfImage::is_elf(bytes)) {
        search.private_in(bytes.text());
        return search.take();
    }
    try {
        const ElfImage image(bytes);
        for (const ElfSection& section : image.sections()) {
            if (holds_strings(section.name)) {
                search.private_in(image.content(section).text());
                search.machine_folders_in(image.content(section).text());
            }
        }
    } catch (const ReadError&) {
        // The reader of ELF files reports what is wrong with it.
        return search.take();
    }
    return search.take();
}

std::vector<PathLeak>
find_note_leaks(const FileReport& report, const std::vector<std::string>& private_paths) {
    Search search(report.path, private_paths);
    for (const std::string& note : report.device.build_notes) {
        search.private_in(note);
        search.machine_folders_in(note);
    }
    return search.take();
}

}  // namespace wheelforge::wheel
