// SPDX-License-Identifier: Apache-2.0
// The toolchain of a variant and the programs of the system that its builds rely on.
#include <algorithm>

#include <fmt/core.h>

#include "base/text.hpp"
#include "engine/doctor.hpp"
#include "engine/program_rules.hpp"
#include "engine/session.hpp"

namespace wheelforge::engine {
namespace {

using variant::ProgramRule;

std::string
bounds(const std::optional<pep::Version>& minimum, const std::optional<pep::Version>& below) {
    std::string text;
    if (minimum) {
        text = ">= " + minimum->text();
    }
    if (below) {
        text += (text.empty() ? "< " : ", < ") + below->text();
    }
    return text;
}

Diagnosis not_found(const VariantHere& here) {
    return {
        "toolchain",
        here.variant.toolchain.name,
        Health::missing,
        "not found; tried " + join(here.toolchain.tried, "; "),
        here.variant.toolchain.mend
    };
}

Diagnosis version_row(const VariantHere& here, const variant::Toolchain& found) {
    const auto& rule = here.variant.toolchain;
    Diagnosis row{"toolchain", rule.name, Health::ok, "", {}};
    row.found = fmt::format(
        "{} in {} (by {})",
        found.version ? found.version->text() : "unknown version",
        found.root.string(),
        found.found_by
    );
    if (!found.version) {
        row.health = Health::note;
        row.mend = {"see whether the installation is complete: no file or command tells its version"
        };
    } else if ((rule.minimum && *found.version < *rule.minimum)
               || (rule.below && *found.version >= *rule.below)) {
        row.health = Health::missing;
        row.found += "; wanted " + bounds(rule.minimum, rule.below)
                     + (rule.because.empty() ? "" : ": " + rule.because);
        row.mend = rule.mend;
    }
    return row;
}

Diagnosis libraries_row(const VariantHere& here, const variant::Toolchain& found) {
    if (!found.device_libraries.empty()) {
        return {"toolchain", "device libraries", Health::ok, found.device_libraries.string(), {}};
    }
    return {
        "toolchain",
        "device libraries",
        Health::missing,
        fmt::format(
            "none of {} below {}",
            join(here.variant.toolchain.device_libraries, ", "),
            found.root.string()
        ),
        here.variant.toolchain.mend
    };
}

/// What the compiler takes, against what is asked for.
Diagnosis archs_row(const VariantHere& here, const variant::Toolchain& found) {
    Diagnosis row{"toolchain", "architectures", Health::ok, "", {}};
    const auto accepted = variant::accepted_archs(here.variant.toolchain, found, here.path);
    if (!accepted) {
        row.health = Health::note;
        row.found = "no compiler that could be asked";
        return row;
    }
    const auto& table = here.variant.architectures;
    const auto is_accepted = [&](const std::string& arch) {
        return std::any_of(accepted->begin(), accepted->end(), [&](const std::string& each) {
            const auto same = table.spelling == variant::Spelling::cuda
                                  ? "sm_" + replace_all(variant::base_of(arch), ".", "")
                                  : variant::base_of(arch);
            return each == same;
        });
    };
    std::vector<std::string> known;
    for (const auto& chip : table.chips) {
        if (is_accepted(chip.arch)) {
            known.push_back(chip.arch);
        }
    }
    row.found = "the compiler takes " + join(known, " ");
    std::vector<std::string> refused;
    std::copy_if(
        here.archs.begin(),
        here.archs.end(),
        std::back_inserter(refused),
        [&](const std::string& arch) { return !is_accepted(arch); }
    );
    if (!refused.empty()) {
        row.health = Health::missing;
        row.found += "; not " + join(refused, " ");
        row.mend = {"leave them out of --arch, or install a newer " + here.variant.toolchain.name};
    }
    return row;
}

Diagnosis program_row(const VariantHere& here, const ProgramRule& rule) {
    Diagnosis row{"programs", rule.program, Health::ok, "", {}};
    const auto program = find_program(rule.program, system_path);
    if (!program) {
        row.health = rule.required ? Health::missing : Health::note;
        row.found = "not in " + std::string(system_path)
                    + (rule.because.empty() ? "" : "; " + rule.because);
        row.mend = mend_of(rule);
        return row;
    }
    row.found = program->string();
    if (const auto version = version_of(rule)) {
        row.found = version->text() + " in " + row.found;
    }
    if (const auto fault = version_fault(here, rule)) {
        row.health = Health::missing;
        row.found += ": " + *fault;
        row.mend = mend_of(rule);
    }
    return row;
}

/// One that pip installed stands before the system's on the caller's PATH.
std::optional<Diagnosis> shadow_row(const VariantHere& here, const ProgramRule& rule) {
    if (!rule.system_only) {
        return std::nullopt;
    }
    const auto first = find_program(rule.program, here.path);
    if (!first || !is_of_python(*first)) {
        return std::nullopt;
    }
    return Diagnosis{
        "programs",
        rule.program + " on PATH",
        Health::missing,
        fmt::format(
            "{} is pip's and stands before the system's: {}", first->string(), rule.because
        ),
        {fmt::format(
            "pip uninstall {}, or take {} off PATH", rule.program, first->parent_path().string()
        )}
    };
}

}  // namespace

std::vector<Diagnosis> examine_toolchain(const VariantHere& here) {
    if (here.variant.toolchain.empty()) {
        return {{"toolchain", here.variant.name, Health::ok, "none is needed", {}}};
    }
    if (!here.toolchain.found) {
        return {not_found(here)};
    }
    const auto& found = *here.toolchain.found;
    std::vector<Diagnosis> rows = {version_row(here, found)};
    if (!here.variant.toolchain.device_libraries.empty()) {
        rows.push_back(libraries_row(here, found));
    }
    if (!here.variant.toolchain.accepts.commands.empty()) {
        rows.push_back(archs_row(here, found));
    }
    return rows;
}

std::vector<Diagnosis> examine_programs(const VariantHere& here) {
    std::vector<Diagnosis> rows;
    for (const auto& rule : here.variant.system_tools) {
        if (holds_for(rule, toolchain_version(here))) {
            rows.push_back(program_row(here, rule));
        }
        if (auto shadow = shadow_row(here, rule)) {
            rows.push_back(std::move(*shadow));
        }
    }
    return rows;
}

}  // namespace wheelforge::engine
