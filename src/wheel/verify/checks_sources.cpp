// SPDX-License-Identifier: Apache-2.0
// The sources a wheel was built from: kernels that did not make it into the wheel.
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/verify/coverage.hpp"
#include "wheel/verify/kernel_sources.hpp"

namespace wheelforge::wheel {

namespace {

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

void check_kernel_sources(const CheckContext& context, FindingSink& out) {
    const bool by_design =
        context.expected.kernels == Kernels::none || context.expected.kernels == Kernels::jit;
    if (context.build == nullptr || context.build->source_tree.empty() || by_design) {
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

constexpr std::array sources_list = {Check{"kernel-source-uncovered", &check_kernel_sources}};

}  // namespace

std::span<const Check> source_checks() {
    return sources_list;
}

}  // namespace wheelforge::wheel
