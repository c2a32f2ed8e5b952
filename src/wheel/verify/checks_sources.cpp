// SPDX-License-Identifier: Apache-2.0
// What a wheel was built from, and how: kernels that did not make it into the wheel, code for the
// building machine alone.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/verify/coverage.hpp"
#include "wheel/verify/kernel_sources.hpp"
#include "wheel/verify/native_code.hpp"

namespace wheelforge::wheel {

namespace {

namespace fs = std::filesystem;

std::vector<const FileReport*> all_files(const Subject& subject) {
    std::vector<const FileReport*> files;
    for (const FileReport& file : subject.files) {
        files.push_back(&file);
    }
    return files;
}

std::string place(const std::string& file, int line) {
    return fmt::format("{}:{}", printable(file), line);
}

std::string sources_text(const std::vector<SourceKernel>& kernels) {
    std::vector<std::string> texts;
    for (const SourceKernel& kernel : kernels) {
        texts.push_back(fmt::format("{} ({})", kernel.name, place(kernel.file, kernel.line)));
    }
    return some_of(texts, 6);
}

std::string unset_text(const std::vector<VariableRead>& unset) {
    std::vector<std::string> texts;
    for (const VariableRead& read : unset) {
        texts.push_back(fmt::format("{} ({})", read.name, place(read.file, read.line)));
    }
    return some_of(texts, 12);
}

void report(
    const KernelSourceAudit& audit, const Arch& wanted, bool nothing_at_all, FindingSink& out
) {
    const std::string evidence = fmt::format(
        "no code object for {} covers the __global__ functions {}",
        wanted.text(),
        sources_text(audit.uncovered)
    );
    const std::string advice =
        audit.unset.empty()
            ? "see in the build log why these sources were not compiled"
            : fmt::format(
                  "the build reads variables that were not set: {}", unset_text(audit.unset)
              );
    out.add_at(
        nothing_at_all ? Level::error : Level::info, "kernel-source-uncovered", "", evidence, advice
    );
}

/// What a check found when the tree was there, for a wheel whose build is over.
std::vector<Finding> recorded(const CheckContext& context, std::string_view id) {
    std::vector<Finding> same;
    for (const auto& finding : context.build->recorded) {
        if (finding.id == id) {
            same.push_back(finding);
        }
    }
    return same;
}

void check_kernel_sources(const CheckContext& context, FindingSink& out) {
    const bool by_design =
        context.expected.kernels == Kernels::none || context.expected.kernels == Kernels::jit;
    if (context.build == nullptr || by_design) {
        return;
    }
    if (context.build->source_tree.empty()) {
        for (auto& finding : recorded(context, "kernel-source-uncovered")) {
            out.add(std::move(finding));
        }
        return;
    }
    for (const Arch& wanted : context.expected.archs) {
        const CoverageOf coverage =
            coverage_of(all_files(context.subject), wanted, context.expected.aliases);
        const std::vector<std::string> held(coverage.kernels.begin(), coverage.kernels.end());
        const KernelSourceAudit audit =
            audit_kernel_sources(context.build->source_tree, held, context.build->environment);
        if (!audit.uncovered.empty()) {
            report(audit, wanted, held.empty(), out);
        }
    }
}

/// Where hipify puts what it makes of a CUDA source: beside it, or below hip/ instead of cuda/.
bool has_hip_source(const fs::path& tree, const std::string& file) {
    const fs::path folder = (tree / file).parent_path();
    const auto stem = fs::path(file).stem().string();
    const fs::path renamed = replace_all(folder.string(), "cuda", "hip");
    for (const auto& place : {folder, folder / "hip", folder.parent_path() / "hip", renamed}) {
        for (const auto& name : {stem + ".hip", stem + "_hip.hip", stem + "_hip.cpp"}) {
            std::error_code error;
            if (fs::exists(place / name, error)) {
                return true;
            }
        }
    }
    return false;
}

/// CUDA sources of a ROCm build whose kernels are nowhere, neither translated nor compiled as they
/// are.
void check_unhipified(const CheckContext& context, FindingSink& out) {
    if (context.build == nullptr || !context.request.variant
        || context.request.variant->family != "rocm" || context.expected.archs.empty()) {
        return;
    }
    if (context.build->source_tree.empty()) {
        for (auto& finding : recorded(context, "unhipified-source")) {
            out.add(std::move(finding));
        }
        return;
    }
    const CoverageOf coverage = coverage_of(
        all_files(context.subject), context.expected.archs.front(), context.expected.aliases
    );
    const std::vector<std::string> held(coverage.kernels.begin(), coverage.kernels.end());
    const auto& tree = context.build->source_tree;
    std::map<std::string, SourceKernel> left;
    for (const auto& kernel :
         audit_kernel_sources(tree, held, context.build->environment).uncovered) {
        const bool is_cuda = kernel.file.ends_with(".cu") || kernel.file.ends_with(".cuh");
        if (is_cuda && !has_hip_source(tree, kernel.file)) {
            left.emplace(kernel.file, kernel);
        }
    }
    for (const auto& [file, kernel] : left) {
        out.add(
            "unhipified-source",
            place(file, kernel.line),
            kernel.name
                + " was not translated for ROCm: no HIP source stands beside it, and no "
                  "kernel of the wheel comes from it"
        );
    }
}

/// Of a wheel that has machine code. A build that says nothing of its compilers proves nothing.
void check_native_code(const CheckContext& context, FindingSink& out) {
    const auto& files = context.subject.files;
    const bool is_compiled = std::any_of(files.begin(), files.end(), [](const FileReport& file) {
        return file.elf.has_value();
    });
    if (context.build == nullptr || !is_compiled) {
        return;
    }
    const bool has_target = context.request.variant && !context.request.variant->target.cpu.empty();
    const Level level = has_target ? Level::error : Level::warn;
    if (context.build->source_tree.empty()) {
        for (auto& finding : recorded(context, "native-code")) {
            finding.level = level;
            out.add(std::move(finding));
        }
        return;
    }
    std::ifstream log(context.build->log, std::ios::binary);
    auto found = native_option_in_log(log);
    if (!found) {
        found = native_option_in_build_files(context.build->source_tree);
    }
    if (!found) {
        return;
    }
    out.add_at(
        level,
        "native-code",
        "",
        fmt::format(
            "{} in {}: for whatever the building machine has",
            found->option,
            place(found->file.empty() ? "the build log" : found->file, found->line)
        )
    );
}

constexpr std::array sources_list = {
    Check{"kernel-source-uncovered", &check_kernel_sources},
    Check{"unhipified-source", &check_unhipified},
    Check{"native-code", &check_native_code}
};

}  // namespace

std::span<const Check> source_checks() {
    return sources_list;
}

}  // namespace wheelforge::wheel
