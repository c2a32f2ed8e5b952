// SPDX-License-Identifier: Apache-2.0
#include "engine/environment_report.hpp"

#include <algorithm>
#include <fnmatch.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "pep/requirement.hpp"

namespace wheelforge::engine {
namespace {

/// Open ranges hold for it; no release is ever called that.
const pep::Version& newest() {
    static const pep::Version version = *pep::Version::parse("99999");
    return version;
}

std::string shell_quoted(const std::string& value) {
    return "'" + replace_all(value, "'", "'\\''") + "'";
}

Json json_of(const ExplainedVariable& variable) {
    return {{"name", variable.name}, {"value", variable.value}, {"set_by", variable.origin}};
}

Json json_of(const std::vector<EnvironmentProblem>& problems) {
    auto list = Json::array();
    for (const auto& each : problems) {
        list.push_back({{"id", each.id}, {"message", each.message}, {"advice", each.advice}});
    }
    return list;
}

Json json_of(const variant::PackageArchs& archs) {
    auto list = Json::array();
    for (const auto& verdict : archs.verdicts) {
        list.push_back(
            {{"arch", verdict.arch},
             {"support", std::string(variant::support_name(verdict.support))},
             {"compiled_for", verdict.compiled_for},
             {"hand_written_kernels", verdict.has_assembly},
             {"note", verdict.note}}
        );
    }
    return list;
}

Json toolchain_json(const VariantHere& here) {
    if (!here.toolchain.found) {
        return nullptr;
    }
    const auto& found = *here.toolchain.found;
    return {
        {"name", here.variant.toolchain.name},
        {"root", found.root.string()},
        {"found_by", found.found_by},
        {"version", found.version ? Json(found.version->text()) : Json(nullptr)},
        {"fingerprint", here.fingerprint}
    };
}

std::string environment_json(
    const VariantHere& here, const AskedPackage& package, const PackageEnvironment& environment
) {
    auto variables = Json::array();
    for (const auto& each : environment.variables) {
        variables.push_back(json_of(each));
    }
    auto without = Json::array();
    for (const auto& each : environment.without_value) {
        without.push_back({{"name", each.name}, {"reason", each.value}, {"set_by", each.origin}});
    }
    return dump_json(
        {{"format", "wheelforge environment 1"},
         {"variant", here.variant.name},
         {"host_architecture", here.host_architecture},
         {"package", package.name.empty() ? Json(nullptr) : Json(package.text())},
         {"toolchain", toolchain_json(here)},
         {"archs", json_of(environment.archs)},
         {"variables", variables},
         {"without_value", without},
         {"problems", json_of(environment.problems)}}
    );
}

std::string row_text(const ArchPlanRow& row) {
    std::string text;
    if (!row.uses_archs) {
        return fmt::format("{:<20} the same for every architecture\n", row.package.text());
    }
    for (const auto& verdict : row.archs.verdicts) {
        const auto support = variant::support_name(verdict.support);
        text += fmt::format(
            "{:<20} {:<14} {}\n",
            text.empty() ? row.package.text() : "",
            verdict.arch,
            verdict.note.empty() ? std::string(support)
                                 : fmt::format("{:<12}  {}", support, verdict.note)
        );
    }
    return text.empty() ? fmt::format("{:<20} no architecture asked for\n", row.package.text())
                        : text;
}

bool serves(const variant::RuntimeRule& rule, const std::vector<std::string>& archs) {
    return rule.archs.empty()
           || std::any_of(archs.begin(), archs.end(), [&](const std::string& arch) {
                  return std::any_of(rule.archs.begin(), rule.archs.end(), [&](const auto& glob) {
                      return ::fnmatch(glob.c_str(), variant::base_of(arch).c_str(), 0) == 0;
                  });
              });
}

}  // namespace

std::string AskedPackage::text() const {
    return has_version ? name + " " + version.text() : name;
}

AskedPackage asked_package(const std::string& text) {
    const auto requirement = pep::Requirement::parse(text);
    if (!requirement) {
        throw Error(
            ExitCode::usage,
            "bad-requirement",
            "'" + printable(text) + "' is no package: " + requirement.error().message
        )
            .advise("write NAME or NAME==VERSION");
    }
    AskedPackage package{requirement->name, newest()};
    const auto& specifiers = requirement->specifier.specifiers();
    if (specifiers.size() == 1 && specifiers[0].op() == pep::Specifier::Operator::equal
        && !specifiers[0].wildcard() && specifiers[0].version()) {
        package.version = *specifiers[0].version();
        package.has_version = true;
    }
    return package;
}

std::string render_environment(
    const VariantHere& here,
    const AskedPackage& package,
    const PackageEnvironment& environment,
    EnvironmentFormat format
) {
    if (format == EnvironmentFormat::json) {
        return environment_json(here, package, environment);
    }
    std::string text;
    for (const auto& each : environment.variables) {
        text += format == EnvironmentFormat::shell
                    ? fmt::format("export {}={}\n", each.name, shell_quoted(each.value))
                    : fmt::format("{}={}  # {}\n", each.name, printable(each.value), each.origin);
    }
    for (const auto& each : environment.without_value) {
        text += fmt::format("# {} has no value: {}\n", each.name, each.origin + each.value);
    }
    for (const auto& each : environment.problems) {
        text += fmt::format("# {}: {}\n", each.id, printable(each.message));
    }
    return text;
}

config::PackageSettings settings_that_use_everything() {
    config::PackageSettings settings;
    settings.rules.uses = {"toolchain", "archs", "label", "env"};
    return settings;
}

std::vector<ArchPlanRow> plan_archs(
    const VariantHere& here,
    const config::Settings& settings,
    const std::vector<AskedPackage>& packages
) {
    std::vector<ArchPlanRow> rows;
    for (const auto& package : packages) {
        const auto of_package = settings.package(package.name);
        auto environment = environment_of(here, of_package, package.version);
        rows.push_back(
            {package,
             std::move(environment.archs),
             of_package.rules.use("archs"),
             std::move(environment.problems)}
        );
    }
    return rows;
}

std::string render_plan(const VariantHere& here, const std::vector<ArchPlanRow>& rows, bool json) {
    if (json) {
        auto packages = Json::array();
        for (const auto& row : rows) {
            packages.push_back(
                {{"package", row.package.name},
                 {"version",
                  row.package.has_version ? Json(row.package.version.text()) : Json(nullptr)},
                 {"uses_archs", row.uses_archs},
                 {"archs", json_of(row.archs)},
                 {"problems", json_of(row.problems)}}
            );
        }
        return dump_json(
            {{"format", "wheelforge plan 1"},
             {"variant", here.variant.name},
             {"host_architecture", here.host_architecture},
             {"archs", here.archs},
             {"packages", packages}}
        );
    }
    std::string text = fmt::format(
        "{} on {}, {}\n",
        here.variant.name,
        here.host_architecture,
        here.archs.empty() ? "no architectures asked for (--arch)" : join(here.archs, " ")
    );
    for (const auto& row : rows) {
        text += row_text(row);
        for (const auto& problem : row.problems) {
            text += fmt::format("{:<20} {}: {}\n", "", problem.id, printable(problem.message));
        }
    }
    return text;
}

bool is_refused(const std::vector<ArchPlanRow>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const ArchPlanRow& row) {
        return std::any_of(row.problems.begin(), row.problems.end(), [](const auto& problem) {
            return problem.id == "unsupported-arch";
        });
    });
}

std::vector<variant::VariantVariable> runtime_variables(const VariantHere& here) {
    std::vector<variant::VariantVariable> variables;
    for (const auto& rule : here.variant.runtime_env) {
        if (serves(rule, here.archs)) {
            variables.insert(variables.end(), rule.variables.begin(), rule.variables.end());
        }
    }
    return variables;
}

std::string runtime_environment(const VariantHere& here) {
    std::string text = fmt::format(
        "# Variables for running what was built for {}{}: source this file first.\n",
        here.variant.name,
        here.archs.empty() ? "" : " on " + join(here.archs, " ")
    );
    for (const auto& variable : runtime_variables(here)) {
        text += fmt::format(
            "export {}={}  # {}\n",
            variable.name,
            shell_quoted(variable.value),
            printable(variable.origin)
        );
    }
    return text;
}

}  // namespace wheelforge::engine
