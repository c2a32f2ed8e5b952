// SPDX-License-Identifier: Apache-2.0
#include "engine/environment.hpp"

#include <algorithm>
#include <regex>
#include <sys/utsname.h>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "engine/environment_rules.hpp"
#include "plugin/recipe.hpp"

namespace wheelforge::engine {
namespace {

using variant::VariantVariable;

/// "7.2" of 7.2.3.
std::string release_of(const pep::Version& version) {
    const auto text = version.text();
    const auto first = text.find('.');
    const auto second =
        first == std::string::npos ? first : text.find_first_not_of("0123456789", first + 1);
    return text.substr(0, second);
}

std::map<std::string, std::string> names_of(const variant::ToolchainProbe& probe) {
    std::map<std::string, std::string> names;
    if (!probe.found) {
        return names;
    }
    names["toolchain.root"] = probe.found->root.string();
    if (!probe.found->device_libraries.empty()) {
        names["toolchain.device_libraries"] = probe.found->device_libraries.string();
    }
    if (probe.found->version) {
        names.merge(version_names(*probe.found->version));
    }
    return names;
}

std::string host_architecture() {
    struct utsname host {};
    return ::uname(&host) == 0 ? host.machine : "";
}

/// The label, where all that it names is known.
void name_label(VariantHere& here) {
    try {
        here.names["label"] = config::expand(here.variant.label, here.names, "label");
    } catch (const Error&) {
        here.names.erase("label");  // of a toolchain that is not there
    }
}

/// The place where the toolchain is one of the environment's own distributions; nullptr if it is
/// not.
const variant::RootRule* root_in_environment(
    const VariantHere& here,
    const config::PackageSettings& settings,
    std::vector<std::string> build_requires
) {
    if (!settings.rules.use("toolchain")) {
        return nullptr;
    }
    for (const auto& added : settings.build.build_requires({})) {
        build_requires.push_back(added.name);
    }
    const auto brings_it = [&](const variant::RootRule& root) {
        return std::any_of(
            root.distributions.begin(),
            root.distributions.end(),
            [&](const std::string& name) {
                return std::find(build_requires.begin(), build_requires.end(), name)
                       != build_requires.end();
            }
        );
    };
    const auto& roots = here.variant.toolchain.roots;
    const auto root = std::find_if(roots.begin(), roots.end(), brings_it);
    return root == roots.end() ? nullptr : &*root;
}

/// As if the toolchain had been found at a place that has yet to be filled in, as has its version:
/// that of its wheels, which are inputs of the build anyway.
VariantHere with_toolchain_of_environment(VariantHere here, const variant::RootRule& root) {
    const std::filesystem::path place(plugin::OwnToolchain::root);
    variant::Toolchain toolchain;
    toolchain.root = place;
    toolchain.found_by = join(root.command, " ") + " in the build environment";
    if (!here.variant.toolchain.device_libraries.empty()) {
        toolchain.device_libraries = place / here.variant.toolchain.device_libraries.front();
    }
    here.toolchain = {std::move(toolchain), {}};
    here.fingerprint = "of the build environment";
    here.names = names_of(here.toolchain);
    for (const std::string_view placeholder : plugin::OwnToolchain::placeholders) {
        here.names.emplace(placeholder.substr(1, placeholder.size() - 2), placeholder);
    }
    name_label(here);
    return here;
}

/// What a command of the family says is plugged in here.
std::vector<std::string> detected(const variant::Architectures& table, const std::string& path) {
    const auto text = variant::ask(table.detect, "/", path);
    std::vector<std::string> found;
    if (text.empty() || table.detect_pattern.empty()) {
        return found;
    }
    const std::string head = text.substr(0, 16384);
    const std::regex pattern(table.detect_pattern);
    for (std::sregex_iterator match(head.begin(), head.end(), pattern), end; match != end;
         ++match) {
        if (table.find(match->str()) != nullptr) {
            found.push_back(match->str());
        }
    }
    return found;
}

void replace_native(VariantHere& here) {
    const auto native = std::find(here.archs.begin(), here.archs.end(), "native");
    if (native == here.archs.end()) {
        return;
    }
    const auto devices = detected(here.variant.architectures, here.path);
    if (devices.empty()) {
        throw Error(
            ExitCode::usage,
            "native-arch",
            "--arch native: there is no device of " + here.variant.name + " in this machine"
        )
            .advise(
                "name the architectures, for example --arch "
                + variant::example_arch(here.variant.architectures)
            );
    }
    const auto at = here.archs.erase(native);
    here.archs.insert(at, devices.begin(), devices.end());
    here.archs = variant::parse_arch_lists(here.variant.architectures, here.archs, "--arch native");
}

/// Collects variables in order; a later one of the same name takes the place of the earlier.
class Variables {
public:
    Variables(const VariantHere& here, const pep::Version& version, PackageEnvironment& result)
        : here_(here), result_(result), known_(here.names) {
        known_["__version__"] = version.text();
    }

    void set(const VariantVariable& variable) {
        try {
            set_literal(variable.name, value_of(variable), variable.origin);
        } catch (const Error& error) {
            if (error.id() != "undefined-variable") {
                throw;
            }
            result_.without_value.push_back(
                {variable.name, error.message().substr(variable.origin.size()), variable.origin}
            );
        }
    }
    void set_all(const std::vector<VariantVariable>& variables) {
        for (const auto& variable : variables) {
            set(variable);
        }
    }
    void set_literal(const std::string& name, std::string value, const std::string& origin) {
        known_[name] = value;
        const auto old =
            std::find_if(result_.variables.begin(), result_.variables.end(), [&](const auto& each) {
                return each.name == name;
            });
        if (old == result_.variables.end()) {
            result_.variables.push_back({name, std::move(value), origin});
        } else {
            *old = {name, std::move(value), origin};
        }
    }
    void remove(const std::string& name) {
        known_.erase(name);
        std::erase_if(result_.variables, [&](const auto& each) { return each.name == name; });
    }
    /// Of package settings: what they name and nobody set is the user's mistake.
    void set_setting(const config::VariableSetting& setting) {
        set_literal(
            setting.name, config::expand(setting.value, known_, setting.origin), setting.origin
        );
    }

private:
    std::string value_of(const VariantVariable& variable) const {
        if (variable.command.empty()) {
            return config::expand(variable.value, known_, variable.origin);
        }
        std::vector<std::string> command;
        for (const auto& word : variable.command) {
            command.push_back(config::expand(word, known_, variable.origin));
        }
        const auto text = variant::ask(command, "/", here_.path);
        std::smatch match;
        const std::string head(trim(text).substr(0, 16384));
        if (text.empty()
            || (!variable.pattern.empty()
                && !std::regex_search(head, match, std::regex(variable.pattern)))) {
            throw Error(
                ExitCode::usage,
                "undefined-variable",
                fmt::format("{}: '{}' gives no value", variable.origin, join(command, " "))
            );
        }
        return variable.pattern.empty() ? head : match[match.size() > 1 ? 1 : 0].str();
    }

    const VariantHere& here_;
    PackageEnvironment& result_;
    std::map<std::string, std::string> known_;
};

void add_archs(
    const VariantHere& here,
    const config::PackageSettings& settings,
    const pep::Version& version,
    PackageEnvironment& result,
    Variables& variables
) {
    result.archs = variant::judge_archs(here.variant, settings.rules, version, here.archs);
    const auto* rule = result.archs.rule;
    if (result.archs.stub) {
        variables.set_all(rule->stub);
        return;
    }
    if (result.archs.build_for.empty()) {
        return;
    }
    const auto& table = here.variant.architectures;
    const auto& named =
        rule != nullptr && !rule->variables.empty() ? rule->variables : table.variables;
    for (const auto& variable : named) {
        variables.set_literal(
            variable.name, variant::render(table, result.archs.build_for, variable), variable.origin
        );
    }
}

void add_of_variant(
    const VariantHere& here,
    const config::PackageSettings& settings,
    const pep::Version& version,
    PackageEnvironment& result,
    Variables& variables
) {
    const auto& rules = settings.rules;
    variables.set_all(here.variant.base_env);
    if (rules.use("toolchain")) {
        result.uses_toolchain = !here.variant.toolchain.empty();
        variables.set_all(here.variant.toolchain_env);
    }
    for (const auto& variable : here.variant.env) {
        if (rules.use("env") || rules.use(variable.name)) {
            variables.set(variable);
        }
    }
    if (rules.use("archs")) {
        add_archs(here, settings, version, result, variables);
    }
    for (const auto& rule : rules.switches) {  // these may refer to the lists
        if (variant::applies(rule.scope, here.variant, version)) {
            variables.set_all(rule.variables);
        }
    }
}

/// Where builds find the toolchain: on PATH, in their sandbox, under paths that are written down in
/// sources (compat_paths). One of the build environment is there already.
void add_toolchain_places(const VariantHere& here, PackageEnvironment& result) {
    const auto& root = here.toolchain.found->root;
    const bool is_of_environment = root == plugin::OwnToolchain::root;
    for (const auto& folder : here.variant.toolchain.path) {
        std::error_code error;
        if (is_of_environment || std::filesystem::is_directory(root / folder, error)) {
            result.toolchain_path.push_back(root / folder);
        }
    }
    if (!is_of_environment) {
        result.toolchain_folders.push_back({root, root});
    }
    for (const auto& [inside, written] : here.variant.compat_paths) {
        const auto from = config::expand(written, here.names, "compat_paths");
        if (from != inside) {
            result.toolchain_folders.push_back({from, inside});
        }
    }
}

void add_setup(const VariantHere& here, PackageEnvironment& result) {
    for (const auto& command : here.variant.setup) {
        auto& words = result.setup.emplace_back();
        for (const auto& word : command) {
            words.push_back(config::expand(word, here.names, "setup"));
        }
    }
}

void add_inputs(
    const VariantHere& here, const variant::PackageRules& rules, PackageEnvironment& result
) {
    if (result.uses_toolchain && here.toolchain.found) {
        const auto& version = here.toolchain.found->version;
        result.inputs.push_back(fmt::format(
            "toolchain {} {} {}",
            here.variant.toolchain.name,
            version ? version->text() : "unknown",
            here.fingerprint
        ));
    }
    for (const auto& command : result.setup) {
        result.inputs.push_back("setup " + join(command, " "));
    }
    if (rules.use("label") && here.names.contains("label")) {
        result.inputs.push_back("label " + here.names.at("label"));
    }
}

/// Of what is known of the variant here, wherever its toolchain is.
PackageEnvironment environment_by(
    const VariantHere& here,
    const config::PackageSettings& settings,
    const pep::Version& version,
    const std::vector<std::string>& passed
) {
    PackageEnvironment result;
    Variables variables(here, version, result);
    add_of_variant(here, settings, version, result, variables);
    for (const auto& setting : settings.env) {
        variables.set_setting(setting);
    }
    if (result.uses_toolchain && here.toolchain.found) {
        add_toolchain_places(here, result);
        add_setup(here, result);
    }
    add_inputs(here, settings.rules, result);
    result.problems = problems_of(here, settings, version, result, passed);
    return result;
}

}  // namespace

std::map<std::string, std::string> version_names(const pep::Version& version) {
    const auto release = release_of(version);
    return {
        {"toolchain.version", version.text()},
        {"toolchain.release", release},
        {"toolchain.digits", replace_all(release, ".", "")}
    };
}

VariantHere settle_variant(
    variant::Variant variant,
    const std::vector<std::string>& arch_lists,
    const variant::Surroundings& where
) {
    VariantHere here;
    here.path = where.path;
    here.host_architecture = host_architecture();
    if (!variant.toolchain.empty()) {
        here.toolchain = variant::find_toolchain(variant.toolchain, where);
    }
    here.names = names_of(here.toolchain);
    here.variant = std::move(variant);
    name_label(here);
    here.archs = here.variant.architectures.defaults;
    if (!arch_lists.empty()) {
        here.archs =
            here.variant.architectures.empty()
                ? arch_lists  // a family without a table: wheels are judged by them
                : variant::parse_arch_lists(here.variant.architectures, arch_lists, "--arch");
    }
    replace_native(here);
    if (here.archs.empty() && here.variant.architectures.unset_is_native) {
        here.has_device = !detected(here.variant.architectures, here.path).empty();
    }
    if (here.toolchain.found) {
        here.fingerprint =
            variant::fingerprint(here.variant.toolchain, *here.toolchain.found, where.path);
    }
    return here;
}

const ExplainedVariable* PackageEnvironment::find(std::string_view name) const {
    const auto found = std::find_if(variables.begin(), variables.end(), [&](const auto& each) {
        return each.name == name;
    });
    return found == variables.end() ? nullptr : &*found;
}

PackageEnvironment environment_of(
    const VariantHere& here,
    const config::PackageSettings& settings,
    const pep::Version& version,
    const std::vector<std::string>& passed,
    const std::vector<std::string>& build_requires
) {
    if (const auto* root = root_in_environment(here, settings, build_requires)) {
        const auto there = with_toolchain_of_environment(here, *root);
        auto result = environment_by(there, settings, version, passed);
        result.own_toolchain.command = root->command;
        result.own_toolchain.distributions = root->distributions;
        return result;
    }
    return environment_by(here, settings, version, passed);
}

void refuse_problems(const PackageEnvironment& environment, std::string_view who) {
    if (environment.problems.empty()) {
        return;
    }
    const auto& first = environment.problems.front();
    Error error(ExitCode::usage, first.id, fmt::format("{}: {}", who, first.message));
    if (!first.advice.empty()) {
        error.advise(first.advice);
    }
    for (auto each = environment.problems.begin() + 1; each != environment.problems.end(); ++each) {
        error.advise("also: " + each->message);
    }
    throw error;
}

config::PackageSettings
with_environment(config::PackageSettings settings, const PackageEnvironment& environment) {
    const bool adds_nothing = environment.variables.size() == settings.env.size()
                              && !settings.rules.uses_any_of_variant();
    if (adds_nothing) {
        return settings;  // as written, so that keys of old builds stay what they were
    }
    settings.env.clear();
    for (const auto& variable : environment.variables) {
        settings.env.push_back(
            {variable.name, replace_all(variable.value, "$", "$$"), variable.origin}
        );
    }
    return settings;
}

}  // namespace wheelforge::engine
