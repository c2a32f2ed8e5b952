// SPDX-License-Identifier: Apache-2.0
#include "engine/program_rules.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/core.h>

#include "base/files.hpp"
#include "base/text.hpp"
#include "engine/scopes.hpp"
#include "engine/session.hpp"
#include "pep/name.hpp"

namespace wheelforge::engine {
namespace {

using variant::ProgramRule;

std::optional<pep::Version> ceiling(const VariantHere& here, const ProgramRule& rule) {
    if (rule.at_most.file.empty() || !here.toolchain.found) {
        return std::nullopt;
    }
    return variant::read_version(rule.at_most, here.toolchain.found->root, here.path);
}

/// Whether the first number of a version is above that of another.
bool is_later_major(const pep::Version& version, const pep::Version& most) {
    const auto major = [](const pep::Version& of) {
        return std::strtoul(of.text().c_str(), nullptr, 10);
    };
    return major(version) > major(most);
}

/// The compiler that nvcc calls may be another one than the system's.
bool names_host_compiler(const PackageEnvironment& environment) {
    constexpr std::array names = {"CUDAHOSTCXX", "NVCC_CCBIN"};
    return std::any_of(names.begin(), names.end(), [&](const char* name) {
        return environment.find(name) != nullptr;
    });
}

const resolve::Pin* pin_of(const resolve::Resolution& scope, const std::string& name) {
    const auto pin = std::find_if(scope.pins.begin(), scope.pins.end(), [&](const auto& each) {
        return each.name == name;
    });
    return pin == scope.pins.end() ? nullptr : &*pin;
}

/// The distribution that brings the toolchain into the build environment; nullptr where the
/// machine's is used.
const resolve::Pin* own_toolchain(const PreparedSource& source, const resolve::Resolution& scope) {
    for (const auto& name : source.environment.own_toolchain.distributions) {
        if (const auto* pin = pin_of(scope, name)) {
            return pin;
        }
    }
    return nullptr;
}

Failure unfit(const PreparedSource& source, const char* id, const std::string& message) {
    Failure failure;
    failure.code = ExitCode::usage;
    failure.id = id;
    failure.message = source.id.text() + ": " + message;
    return failure;
}

/// @param most  highest major version that the toolchain takes, where that is known
std::optional<std::string>
fault_of(const ProgramRule& rule, const std::optional<pep::Version>& most) {
    const auto version = version_of(rule);
    if (!version) {
        return std::nullopt;
    }
    std::string wrong;
    if (rule.minimum && *version < *rule.minimum) {
        wrong = version->text() + " < " + rule.minimum->text();
    } else if (rule.below && *version >= *rule.below) {
        wrong = version->text() + " >= " + rule.below->text();
    } else if (most && is_later_major(*version, *most)) {
        wrong = version->text() + " > " + most->text() + ", the newest that the toolchain takes";
    }
    if (wrong.empty()) {
        return std::nullopt;
    }
    return wrong + (rule.because.empty() ? "" : "; " + rule.because);
}

std::optional<Failure> unfit_program(
    const PreparedSource& source,
    const ProgramRule& rule,
    const std::optional<pep::Version>& most,
    const resolve::Pin* pin,
    const Scopes& scopes
) {
    const bool is_wheel = pin != nullptr && scopes.tool_for(pin->name, pin->version) == nullptr;
    if (is_wheel && rule.system_only) {
        const auto system = version_of(rule);
        auto failure = unfit(
            source,
            "shadowed-program",
            fmt::format(
                "{} {} of the index would stand before the system's{} in its build: {}",
                pin->name,
                pin->version.text(),
                system ? ", which is " + system->text() + "," : "",
                rule.because
            )
        );
        failure.advice = mend_of(rule);
        return failure;
    }
    const bool is_run = is_wheel ? false : pin != nullptr || !rule.at_most.file.empty();
    const auto fault = is_run ? fault_of(rule, most) : std::nullopt;
    if (!fault || (!rule.at_most.file.empty() && names_host_compiler(source.environment))) {
        return std::nullopt;
    }
    auto failure = unfit(source, "program-version", rule.program + " of the system: " + *fault);
    failure.advice = mend_of(rule);
    return failure;
}

}  // namespace

bool holds_for(const ProgramRule& rule, const pep::Version* toolchain) {
    return rule.toolchain.empty() || toolchain == nullptr || rule.toolchain.contains(*toolchain);
}

const pep::Version* toolchain_version(const VariantHere& here) {
    const auto& found = here.toolchain.found;
    return found && found->version ? &*found->version : nullptr;
}

std::optional<pep::Version> version_of(const ProgramRule& rule) {
    if (rule.version.pattern.empty() || !find_program(rule.program, system_path)) {
        return std::nullopt;
    }
    return variant::read_version(rule.version, "/", system_path);
}

std::optional<std::string> version_fault(const VariantHere& here, const ProgramRule& rule) {
    return fault_of(rule, ceiling(here, rule));
}

std::vector<std::string> mend_of(const ProgramRule& rule) {
    std::vector<std::string> mend;
    if (!rule.mend.empty()) {
        mend.push_back(rule.mend);
    } else if (!rule.apt.empty()) {
        mend.push_back("apt-get install " + rule.apt);
    }
    if (!rule.dnf.empty()) {
        mend.push_back("dnf install " + rule.dnf);
    }
    return mend;
}

bool is_of_python(const std::filesystem::path& program) {
    std::error_code error;
    const auto folder = program.parent_path();
    if (std::filesystem::exists(folder.parent_path() / "pyvenv.cfg", error)) {
        return true;
    }
    const auto head = read_file_if_there(program, 64U << 20U).value_or("").substr(0, 256);
    return head.starts_with("#!") && head.substr(0, head.find('\n')).find("python") != head.npos;
}

std::optional<Failure> unfit_programs(
    const VariantHere& here,
    const PreparedSource& source,
    const resolve::Resolution& scope,
    const Scopes& scopes
) {
    if (!source.environment.uses_toolchain) {
        return std::nullopt;
    }
    const auto* own = own_toolchain(source, scope);
    const auto* version = own != nullptr ? &own->version : toolchain_version(here);
    for (const auto& rule : here.variant.system_tools) {
        if (!holds_for(rule, version)) {
            continue;
        }
        const auto* pin = pin_of(scope, pep::normalize_name(rule.program));
        const auto most = own != nullptr ? std::nullopt : ceiling(here, rule);
        if (auto failure = unfit_program(source, rule, most, pin, scopes)) {
            return failure;
        }
    }
    return std::nullopt;
}

}  // namespace wheelforge::engine
