// SPDX-License-Identifier: Apache-2.0
// Against the last accepted build: what it held and this one does not.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/verify/check.hpp"

namespace wheelforge::wheel {

namespace {

using Archs = std::map<std::string, LockedArch>;

std::string origin(const CheckContext& context) {
    return fmt::format(
        "{} ({} {})",
        context.request.baseline_origin,
        context.subject.name,
        context.baseline->version
    );
}

std::set<std::string> archs_of(const LockedPackage& package) {
    std::set<std::string> archs;
    for (const auto& [path, by_arch] : package.files) {
        for (const auto& [arch, locked] : by_arch) {
            archs.insert(arch);
        }
    }
    return archs;
}

void check_archs_lost(const CheckContext& context, const LockedPackage& now, FindingSink& out) {
    const std::set<std::string> held = archs_of(now);
    for (const std::string& arch : archs_of(*context.baseline)) {
        if (!held.contains(arch)) {
            out.add(
                "arch-lost",
                "",
                fmt::format("no kernel for {} any more; {} had some", arch, origin(context)),
                "accept it with verify --accept if it was given up on purpose"
            );
        }
    }
}

std::string lost_names(const LockedArch& before, const LockedArch& now) {
    std::vector<std::string> lost;
    std::set_difference(
        before.all.begin(),
        before.all.end(),
        now.all.begin(),
        now.all.end(),
        std::back_inserter(lost)
    );
    return lost.empty() ? "" : ": " + some_of(lost);
}

void compare_arch(
    const CheckContext& context,
    const std::string& file,
    const std::string& arch,
    const LockedArch& before,
    const LockedArch& now,
    FindingSink& out
) {
    const std::string names = lost_names(before, now);
    if (now.kernels < before.kernels || !names.empty()) {
        out.add(
            "kernels-lost",
            file,
            fmt::format(
                "{}: {} kernels, {} had {}{}",
                arch,
                now.kernels,
                origin(context),
                before.kernels,
                names
            ),
            "accept it with verify --accept if they were given up on purpose"
        );
    } else if (now.names != before.names) {
        out.add(
            "kernels-changed",
            file,
            fmt::format("{}: other kernels than {} had", arch, origin(context))
        );
    }
    std::vector<std::string> emptied;
    for (const std::string& name : now.empty) {
        if (!before.empty.contains(name) && (before.all.empty() || before.all.contains(name))) {
            emptied.push_back(name);
        }
    }
    const bool same_names = now.names == before.names || !before.all.empty();
    if (!emptied.empty() && same_names) {
        out.add_at(
            Level::error,
            "empty-kernel",
            file,
            fmt::format(
                "{}: {} kernels do nothing that had a body in {}: {}",
                arch,
                emptied.size(),
                origin(context),
                some_of(emptied)
            )
        );
    }
}

void compare_file(
    const CheckContext& context,
    const std::string& path,
    const Archs& before,
    const LockedPackage& now,
    FindingSink& out
) {
    const auto found = now.files.find(path);
    if (found == now.files.end()) {
        out.add(
            "kernels-lost",
            path,
            fmt::format("is gone or holds no kernels; it did in {}", origin(context))
        );
        return;
    }
    for (const auto& [arch, locked] : before) {
        const auto held = found->second.find(arch);
        if (held == found->second.end()) {
            out.add(
                "arch-lost",
                path,
                fmt::format(
                    "no kernel for {} any more; {} had {}", arch, origin(context), locked.kernels
                )
            );
        } else {
            compare_arch(context, path, arch, locked, held->second, out);
        }
    }
}

/// More than a fifth of the ELF files or bytes gone.
void check_size(const CheckContext& context, const LockedPackage& now, FindingSink& out) {
    const auto dropped = [](std::uint64_t before, std::uint64_t after) {
        return before > 0 && after < before - before / 5;
    };
    const LockedPackage& before = *context.baseline;
    if (now.elf_files == 0 && before.elf_files > 0) {
        out.add(
            "pure-but-compiled-upstream",
            "",
            fmt::format("holds no compiled file; {} held {}", origin(context), before.elf_files),
            "an optional extension was not built: see the build log for the reason"
        );
    } else if (dropped(before.elf_files, now.elf_files) || dropped(before.bytes, now.bytes)) {
        out.add(
            "size-drop",
            "",
            fmt::format(
                "{} compiled files with {}; {} had {} with {}",
                now.elf_files,
                human_bytes(now.bytes),
                origin(context),
                before.elf_files,
                human_bytes(before.bytes)
            )
        );
    }
}

void check_against_baseline(const CheckContext& context, FindingSink& out) {
    if (context.baseline == nullptr) {
        return;
    }
    const LockedPackage now =
        locked_package(context.subject.filename.written_version, context.subject.files);
    check_archs_lost(context, now, out);
    const std::set<std::string> held = archs_of(now);
    for (const auto& [path, before] : context.baseline->files) {
        // What is gone from the whole wheel was said once.
        Archs rest;
        std::copy_if(
            before.begin(),
            before.end(),
            std::inserter(rest, rest.end()),
            [&](auto& arch) { return held.contains(arch.first); }
        );
        if (!rest.empty()) {
            compare_file(context, path, rest, now, out);
        }
    }
    check_size(context, now, out);
}

constexpr std::array baseline_list = {
    Check{"kernels-lost", &check_against_baseline},
};

}  // namespace

std::span<const Check> baseline_checks() {
    return baseline_list;
}

}  // namespace wheelforge::wheel
