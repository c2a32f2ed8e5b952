// SPDX-License-Identifier: Apache-2.0
#include "engine/environment_rules.hpp"

#include <algorithm>
#include <regex>

#include <fmt/core.h>

#include "base/text.hpp"
#include "variant/cpu_levels.hpp"

namespace wheelforge::engine {
namespace {

/// A value that reaches the build, by settings or by --env.
struct Reaching {
    std::string value;
    std::string origin;
};
using AllReaching = std::map<std::string, Reaching>;

AllReaching
all_reaching(const PackageEnvironment& environment, const std::vector<std::string>& passed) {
    AllReaching all;
    for (const auto& each : passed) {
        const auto equals = each.find('=');
        const auto value = equals == std::string::npos ? std::string() : each.substr(equals + 1);
        all[each.substr(0, equals)] = {value, "--env"};
    }
    for (const auto& variable : environment.variables) {
        all[variable.name] = {variable.value, variable.origin};
    }
    return all;
}

std::string with_source(const std::string& because, const std::string& source) {
    return source.empty() ? because : because + " (" + source + ")";
}

void find_poison(
    const std::vector<variant::PoisonRule>& rules,
    const VariantHere& here,
    const pep::Version& version,
    const AllReaching& all,
    std::vector<EnvironmentProblem>& problems
) {
    for (const auto& rule : rules) {
        const auto found = all.find(rule.variable);
        if (found == all.end() || !variant::applies(rule.scope, here.variant, version)) {
            continue;
        }
        const auto& [value, origin] = found->second;
        if (!rule.matches.empty()
            && !std::regex_search(value.substr(0, 4096), std::regex(rule.matches))) {
            continue;
        }
        problems.push_back(
            {"poisoned-variable",
             fmt::format(
                 "{}={} ({}): {}",
                 rule.variable,
                 printable(value),
                 origin,
                 with_source(rule.because, rule.source)
             ),
             rule.advice}
        );
    }
}

void find_downloads(
    const std::vector<variant::DownloadRule>& rules,
    const VariantHere& here,
    const pep::Version& version,
    const AllReaching& all,
    std::vector<EnvironmentProblem>& problems
) {
    const auto is_off = [&](const variant::OffSwitch& off) {
        const auto found = all.find(off.name);
        return found != all.end() && (!off.value || found->second.value == *off.value);
    };
    for (const auto& rule : rules) {
        if (!variant::applies(rule.scope, here.variant, version)) {
            continue;
        }
        std::vector<std::string> missing;
        for (const auto& off : rule.off) {
            if (!is_off(off)) {
                missing.push_back(off.name + (off.value ? "=" + *off.value : ""));
            }
        }
        if (missing.empty()) {
            continue;
        }
        problems.push_back(
            {"hidden-download",
             fmt::format(
                 "its build downloads {} unless {} is set",
                 with_source(rule.what, rule.source),
                 join(missing, " and ")
             ),
             rule.advice.empty()
                 ? "set it in the package's settings: env: {" + missing.front() + "}"
                 : rule.advice}
        );
    }
}

void find_never(
    const VariantHere& here, const AllReaching& all, std::vector<EnvironmentProblem>& problems
) {
    for (const auto& name : here.variant.never) {
        const auto found = all.find(name);
        if (found != all.end()) {
            problems.push_back(
                {"poisoned-variable",
                 fmt::format(
                     "{} ({}) never enters a build of {}: it belongs to running",
                     name,
                     found->second.origin,
                     here.variant.name
                 ),
                 "take it out; runtime_env of the variant is the place for it"}
            );
        }
    }
}

void find_toolchain_problems(
    const VariantHere& here,
    const PackageEnvironment& environment,
    std::vector<EnvironmentProblem>& problems
) {
    const auto& rule = here.variant.toolchain;
    if (!environment.uses_toolchain) {
        return;
    }
    if (!here.toolchain.found) {
        problems.push_back(
            {"toolchain-not-found",
             fmt::format(
                 "it uses {}, which is not on this machine; tried {}",
                 rule.name,
                 join(here.toolchain.tried, "; ")
             ),
             rule.mend.empty() ? "" : rule.mend.front()}
        );
        return;
    }
    const auto& version = here.toolchain.found->version;
    if (version
        && ((rule.minimum && *version < *rule.minimum) || (rule.below && *version >= *rule.below)
        )) {
        problems.push_back(
            {"toolchain-version",
             fmt::format(
                 "{} {} in {} is {}{} ({})",
                 rule.name,
                 version->text(),
                 here.toolchain.found->root.string(),
                 rule.minimum && *version < *rule.minimum ? "older than " + rule.minimum->text()
                                                          : "not older than " + rule.below->text(),
                 rule.because.empty() ? "" : ": " + rule.because,
                 rule.origin
             ),
             rule.mend.empty() ? "" : rule.mend.front()}
        );
    }
}

/// Compiler options for newer CPUs than the wheels have to run on.
void find_cpu_options(
    const VariantHere& here, const AllReaching& all, std::vector<EnvironmentProblem>& problems
) {
    const auto& target = here.variant.target.cpu;
    if (target.empty()) {
        return;
    }
    for (const auto& [name, reaching] : all) {
        if (const auto beyond = variant::option_beyond(reaching.value, target)) {
            problems.push_back(
                {"poisoned-variable",
                 fmt::format(
                     "{} ({}) has {}, and wheels of {} have to run on {}",
                     name,
                     reaching.origin,
                     printable(*beyond),
                     here.variant.name,
                     target
                 ),
                 "take it out, or name a newer CPU under target: {cpu: ...}"}
            );
        }
    }
}

/// Nothing says for what to compile, so the build would ask for devices that are not there.
void find_silent_native(
    const VariantHere& here,
    const PackageEnvironment& environment,
    const AllReaching& all,
    std::vector<EnvironmentProblem>& problems
) {
    const auto& table = here.variant.architectures;
    if (!table.unset_is_native || here.has_device || !environment.archs.verdicts.empty()) {
        return;
    }
    const auto* rule = environment.archs.rule;
    const auto& variables =
        rule != nullptr && !rule->variables.empty() ? rule->variables : table.variables;
    std::vector<std::string> names;
    for (const auto& variable : variables) {
        if (all.contains(variable.name)) {
            return;
        }
        names.push_back(variable.name);
    }
    problems.push_back(
        {"native-arch",
         fmt::format(
             "{} is not set, so its build compiles for the devices of this machine, and there are "
             "none ({})",
             join(names, " or "),
             rule == nullptr || rule->source.empty() ? "of the variant" : rule->source
         ),
         "name the architectures, for example --arch " + variant::example_arch(table)}
    );
}

void find_arch_problems(
    const VariantHere& here,
    const PackageEnvironment& environment,
    std::vector<EnvironmentProblem>& problems
) {
    const auto refused = environment.archs.refused();
    if (!refused.empty()) {
        std::vector<std::string> archs;
        for (const auto* verdict : refused) {
            archs.push_back(verdict->arch);
        }
        const auto* rule = environment.archs.rule;
        problems.push_back(
            {"unsupported-arch",
             fmt::format(
                 "it cannot be compiled for {}; it takes {} ({})",
                 join(archs, ", "),
                 join(rule->accepts, ", "),
                 rule->source.empty() ? rule->origin : rule->source
             ),
             "leave them out of --arch, or say on_unsupported: skip in the package's settings"}
        );
    }
    if (!environment.uses_toolchain || !here.toolchain.found || !here.toolchain.found->version) {
        return;
    }
    for (const auto& reason : variant::outside_of_toolkit(
             here.variant.architectures, environment.archs.build_for, *here.toolchain.found->version
         )) {
        problems.push_back(
            {"unsupported-arch",
             fmt::format(
                 "{} {} cannot compile for it: {}",
                 here.variant.toolchain.name,
                 here.toolchain.found->version->text(),
                 reason
             ),
             "leave it out of --arch"}
        );
    }
}

}  // namespace

std::vector<EnvironmentProblem> problems_of(
    const VariantHere& here,
    const config::PackageSettings& settings,
    const pep::Version& version,
    const PackageEnvironment& environment,
    const std::vector<std::string>& passed
) {
    std::vector<EnvironmentProblem> problems;
    const auto all = all_reaching(environment, passed);
    find_toolchain_problems(here, environment, problems);
    find_arch_problems(here, environment, problems);
    if (settings.rules.use("archs")) {
        find_silent_native(here, environment, all, problems);
    }
    find_poison(here.variant.poison, here, version, all, problems);
    find_poison(settings.rules.poison, here, version, all, problems);
    find_downloads(settings.rules.downloads, here, version, all, problems);
    find_never(here, all, problems);
    find_cpu_options(here, all, problems);
    return problems;
}

}  // namespace wheelforge::engine
