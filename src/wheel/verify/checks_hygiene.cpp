// SPDX-License-Identifier: Apache-2.0
// How files were linked: search paths, hardening, leftovers.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/verify/check.hpp"

namespace wheelforge::wheel {

namespace {

bool is_private(const CheckContext& context, std::string_view path) {
    if (context.build == nullptr) {
        return false;
    }
    const auto& folders = context.build->private_paths;
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
        return !folder.empty() && path.find(folder) != std::string_view::npos;
    });
}

void judge_search_path(
    const CheckContext& context,
    const FileReport& file,
    std::string_view kind,
    const std::string& value,
    FindingSink& out
) {
    for (const std::string_view element : split(value, ':')) {
        const bool relative = element.starts_with("$ORIGIN") || element.starts_with("${ORIGIN}");
        if (relative) {
            continue;
        }
        const bool own = is_private(context, element);
        out.add_at(
            own ? Level::error : Level::warn,
            "rpath",
            file.path,
            element.empty()
                ? fmt::format("{} has an empty element: the current folder is searched", kind)
                : fmt::format(
                      "{} names {}{}",
                      kind,
                      printable(element),
                      own ? ", a folder of the build" : ""
                  ),
            "use $ORIGIN, or no search path at all"
        );
    }
}

void check_rpath(const CheckContext& context, FindingSink& out) {
    for (const FileReport& file : context.subject.files) {
        if (file.elf && file.elf->rpath) {
            judge_search_path(context, file, "RPATH", *file.elf->rpath, out);
        }
        if (file.elf && file.elf->runpath) {
            judge_search_path(context, file, "RUNPATH", *file.elf->runpath, out);
        }
    }
}

void check_path_leaks(const CheckContext& context, FindingSink& out) {
    std::map<std::string, std::vector<std::string>> by_file;
    for (const PathLeak& leak : context.subject.leaks) {
        by_file[leak.file].push_back(
            leak.is_private ? leak.text + " (a folder of the build)" : leak.text
        );
    }
    for (const auto& [file, texts] : by_file) {
        out.add(
            "path-leak",
            file,
            fmt::format("holds {}", some_of(texts)),
            "compile with -ffile-prefix-map"
        );
    }
}

bool is_loadable(const FileReport& file) {
    return file.elf && (file.elf->type == "shared" || file.elf->type == "executable")
           && file.elf->dynamic;
}

void check_stack(const CheckContext& context, FindingSink& out) {
    for (const FileReport& file : context.subject.files) {
        if (is_loadable(file) && file.elf->executable_stack) {
            out.add(
                "execstack",
                file.path,
                file.elf->stack_header_missing ? "has no PT_GNU_STACK: its stack is executable"
                                               : "asks for an executable stack",
                "glibc 2.41 refuses to load it; link with -z noexecstack"
            );
        }
    }
}

void check_hardening(const CheckContext& context, FindingSink& out) {
    std::vector<std::string> lazy;
    for (const FileReport& file : context.subject.files) {
        if (!is_loadable(file)) {
            continue;
        }
        if (file.elf->text_relocations) {
            out.add(
                "textrel",
                file.path,
                "has text relocations: its code is written to when it is loaded",
                "compile everything with -fPIC"
            );
        }
        if (!file.elf->relro) {
            out.add("relro", file.path, "has no PT_GNU_RELRO", "link with -z relro");
        }
        if (!file.elf->bind_now) {
            lazy.push_back(file.path);
        }
    }
    if (!lazy.empty()) {
        out.add(
            "bindnow", "", fmt::format("{} files are bound lazily: {}", lazy.size(), some_of(lazy))
        );
    }
}

void check_debug_size(const CheckContext& context, FindingSink& out) {
    constexpr std::uint64_t worth_a_word = 4U << 20U;
    for (const FileReport& file : context.subject.files) {
        if (file.elf && file.elf->debug_bytes > worth_a_word
            && file.elf->debug_bytes > file.size / 10) {
            out.add(
                "debug-size",
                file.path,
                fmt::format(
                    "{} of {} are debug information and symbols",
                    human_bytes(file.elf->debug_bytes),
                    human_bytes(file.size)
                ),
                "strip it"
            );
        }
    }
}

constexpr std::array hygiene_list = {
    Check{"rpath", &check_rpath},
    Check{"path-leak", &check_path_leaks},
    Check{"execstack", &check_stack},
    Check{"textrel", &check_hardening},
    Check{"debug-size", &check_debug_size},
};

}  // namespace

std::span<const Check> hygiene_checks() {
    return hygiene_list;
}

}  // namespace wheelforge::wheel
