// SPDX-License-Identifier: Apache-2.0
#include "variant/definition.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "base/files.hpp"
#include "base/text.hpp"
#include "pep/name.hpp"
#include "variant/cpu_levels.hpp"
#include "variant/reading.hpp"

namespace wheelforge::variant {
namespace {

void append(std::vector<VariantVariable>& all, std::vector<VariantVariable> more) {
    all.insert(all.end(), more.begin(), more.end());
}

void add_names(std::vector<std::string>& all, const std::vector<std::string>& more) {
    for (const auto& each : more) {
        if (std::find(all.begin(), all.end(), each) == all.end()) {
            all.push_back(each);
        }
    }
}

std::string distribution_name(const std::string& written, const yaml::Node& at) {
    const auto name = pep::parse_name(written);
    if (!name) {
        throw bad_value(at, "'" + written + "' is no name of a package");
    }
    return *name;
}

/// A file of variables, relative to the definition.
std::vector<VariantVariable> read_env_file(const yaml::Node& node, const std::string& definition) {
    const auto path = (fs::path(definition).parent_path() / node.as_string()).lexically_normal();
    const auto text = read_file_if_there(path, 1U << 20U);
    if (!text) {
        throw Error{
            ExitCode::usage,
            "file-not-found",
            fmt::format("{}: there is no file {}", node.position.text(), path.string())
        };
    }
    return parse_env_file(*text, path.string());
}

void unset(const std::vector<std::string>& names, Variant& variant) {
    const auto is_named = [&](const VariantVariable& variable) {
        return std::find(names.begin(), names.end(), variable.name) != names.end();
    };
    std::erase_if(variant.base_env, is_named);
    std::erase_if(variant.env, is_named);
    std::erase_if(variant.toolchain_env, is_named);
}

void apply_environment(const Definition& definition, const std::string& stem, Variant& variant) {
    const auto& node = definition.node;
    unset(texts_at(node, "unset"), variant);
    auto& target = stem == "base" ? variant.base_env : variant.env;
    if (const auto* file = given(node, "env_file")) {
        append(target, read_env_file(*file, definition.file));
    }
    if (const auto* env = given(node, "env")) {
        append(target, read_variables_and_commands(*env));
    }
    add_names(variant.never, texts_at(node, "never"));
    if (const auto* rules = given(node, "runtime_env")) {
        for (const auto& each : rules->as_sequence()) {
            each.only_keys({"archs", "env"}, "an entry of runtime_env");
            RuntimeRule rule{texts_at(each, "archs"), {}};
            if (const auto* env = given(each, "env")) {
                rule.variables = read_variables(*env);
            }
            variant.runtime_env.push_back(std::move(rule));
        }
    }
}

void apply_tools(const yaml::Node& node, Variant& variant) {
    if (const auto* toolchain = given(node, "toolchain")) {
        read_toolchain(*toolchain, variant.toolchain);
        if (const auto* env = given(*toolchain, "env")) {
            append(variant.toolchain_env, read_variables_and_commands(*env));
        }
    }
    if (const auto* tools = given(node, "system_tools")) {
        for (const auto& [program, value] : tools->as_mapping()) {
            std::erase_if(variant.system_tools, [&name = program](const ProgramRule& each) {
                return each.program == name;
            });
            variant.system_tools.push_back(read_program(program, value));
        }
    }
    if (const auto* setup = given(node, "setup")) {
        variant.setup.clear();
        for (const auto& command : setup->as_sequence()) {
            variant.setup.push_back(command.as_strings());
            if (variant.setup.back().empty() || variant.setup.back().front().empty()) {
                throw bad_value(command, "expected a command: [PROGRAM, ARGUMENT...]");
            }
        }
    }
    if (const auto* paths = given(node, "compat_paths")) {
        for (const auto& [inside, value] : paths->as_mapping()) {
            if (!fs::path(inside).is_absolute()) {
                throw bad_value(value, "expected an absolute path");
            }
            variant.compat_paths[inside] = value.as_string();
        }
    }
}

IndexRule read_index(const yaml::Node& node) {
    node.only_keys({"url", "packages"}, "an index");
    IndexRule rule;
    rule.url = text_at(node, "url");
    rule.origin = origin_of(node);
    if (!rule.url.starts_with("https://") && !rule.url.starts_with("http://")
        && !rule.url.starts_with("file://")) {
        throw bad_value(node, "expected an https, http or file URL");
    }
    for (const auto& each : texts_at(node, "packages")) {
        rule.packages.push_back(distribution_name(each, node));
    }
    return rule;
}

void apply_provided(const yaml::Node& node, Variant& variant) {
    for (const auto& [name, value] : node.as_mapping()) {
        std::string from;
        if (!value.is_null()) {
            value.only_keys({"from"}, "a provided distribution");
            from = text_at(value, "from");
        }
        variant.provided[distribution_name(name, value)] = from;
    }
}

void check_cpu(const yaml::Node& target, const std::string& cpu) {
    const auto known = known_cpus();
    if (!cpu.empty() && std::find(known.begin(), known.end(), cpu) == known.end()) {
        const auto near = nearest(cpu, known);
        throw bad_value(
            *given(target, "cpu"),
            fmt::format(
                "'{}' is no CPU that is known here{}",
                printable(cpu),
                near.empty() ? "" : "; near it: " + join(near, ", ")
            )
        );
    }
}

void apply_results(const yaml::Node& node, Variant& variant) {
    if (given(node, "label") != nullptr) {
        variant.label = text_at(node, "label");
    }
    if (const auto* index = given(node, "index")) {
        variant.index.clear();
        for (const auto& each : index->as_sequence()) {
            variant.index.push_back(read_index(each));
        }
    }
    if (const auto* target = given(node, "target")) {
        target->only_keys({"glibc", "libstdcxx", "cpu"}, "a target");
        for (const auto& [key, field] :
             {std::pair{"glibc", &RunTarget::glibc},
              std::pair{"libstdcxx", &RunTarget::libstdcxx},
              std::pair{"cpu", &RunTarget::cpu}}) {
            if (given(*target, key) != nullptr) {
                variant.target.*field = text_at(*target, key);
            }
        }
        check_cpu(*target, variant.target.cpu);
    }
    for (const auto& each : texts_at(node, "pre_built")) {
        add_names(variant.pre_built, {distribution_name(each, *given(node, "pre_built"))});
    }
    if (const auto* provided = given(node, "provided")) {
        apply_provided(*provided, variant);
    }
    add_names(variant.externals, texts_at(node, "externals"));
    const auto poison = read_poison(node);
    variant.poison.insert(variant.poison.end(), poison.begin(), poison.end());
}

}  // namespace

Definition read_definition(yaml::Node node, std::string file) {
    node.only_keys(
        {"description", "extends",       "family", "fromager_name", "toolchain", "system_tools",
         "setup",       "compat_paths",  "env",    "unset",         "env_file",  "never",
         "runtime_env", "architectures", "label",  "index",         "target",    "pre_built",
         "provided",    "externals",     "poison"},
        "a variant"
    );
    Definition definition;
    definition.file = std::move(file);
    if (const auto* extends = node.find("extends")) {
        definition.extends = extends->as_string();
        definition.extends_at = extends->position.text();
    }
    definition.node = std::move(node);
    return definition;
}

void apply(const Definition& definition, const std::string& stem, Variant& variant) {
    const auto& node = definition.node;
    if (node.is_null()) {
        return;
    }
    if (given(node, "description") != nullptr) {
        variant.description = text_at(node, "description");
    }
    if (given(node, "family") != nullptr) {
        variant.family = text_at(node, "family");
    }
    add_names(variant.settings_keys, texts_at(node, "fromager_name"));
    apply_environment(definition, stem, variant);
    apply_tools(node, variant);
    if (const auto* architectures = given(node, "architectures")) {
        read_architectures(*architectures, variant.architectures);
    }
    apply_results(node, variant);
}

}  // namespace wheelforge::variant
