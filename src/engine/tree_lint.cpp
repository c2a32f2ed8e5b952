// SPDX-License-Identifier: Apache-2.0
#include "engine/tree_lint.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "engine/variable_readers.hpp"
#include "wheel/source_tree/tree_facts.hpp"
#include "wheel/verify/catalogue.hpp"

namespace wheelforge::engine {
namespace {

/// Accelerators that a variable is for, by the words in its name; none: whatever is built for.
std::set<std::string> families_of(std::string_view variable) {
    static const std::map<std::string, std::string, std::less<>> words = {
        {"CUDA", "cuda"},
        {"NVCC", "cuda"},
        {"SM", "cuda"},
        {"NVTE", "cuda"},
        {"HIP", "rocm"},
        {"ROCM", "rocm"},
        {"AMDGPU", "rocm"},
        {"AMD", "rocm"},
        {"GFX", "rocm"},
        {"XPU", "xpu"},
        {"SYCL", "xpu"},
        {"GAUDI", "gaudi"},
        {"HABANA", "gaudi"}
    };
    std::set<std::string> families;
    for (const std::string_view word : split(variable, '_')) {
        const auto found = words.find(word);
        if (found != words.end()) {
            families.insert(found->second);
        }
    }
    return families;
}

bool is_accelerated(const std::string& family) {
    return family != "cpu" && !family.empty();
}

wheel::Finding finding(const char* id, std::string file, std::string evidence, std::string advice) {
    return {id, wheel::default_level(id), std::move(file), std::move(evidence), std::move(advice)};
}

/// Names near a dead one among those that the tree reads: a switch may have been renamed.
std::string renamed_to(const std::string& name, const std::vector<wheel::VariableRead>& reads) {
    std::vector<std::string> names;
    for (const wheel::VariableRead& read : reads) {
        names.push_back(read.name);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const std::vector<std::string> near = nearest(name, names);
    return near.empty() ? "" : "; the tree reads " + join(near, ", ");
}

void find_dead(
    const TreeToLint& subject,
    const std::vector<wheel::VariableRead>& reads,
    std::vector<wheel::Finding>& findings
) {
    if (subject.own.empty()) {
        return;  // no need to read all that is there
    }
    const std::string extensions_of_torch = "cpp_extension";
    std::set<std::string> names = {extensions_of_torch};
    for (const plugin::BuildVariable& variable : subject.own) {
        names.insert(variable.name);
    }
    const std::set<std::string> alive = wheel::mentioned_names(subject.tree, names);
    // Modules that the build scripts import count as requirements: setup.py often says no more.
    std::set<std::string> requirements = subject.build_requires;
    if (alive.contains(extensions_of_torch)) {
        requirements.insert("torch");
    }
    for (const plugin::BuildVariable& variable : subject.own) {
        if (alive.contains(variable.name) || !reader_of(variable.name, requirements).empty()) {
            continue;
        }
        findings.push_back(finding(
            "dead-variable",
            variable.origin,
            fmt::format(
                "{} is set, and nothing in the tree reads it{}",
                printable(variable.name),
                renamed_to(variable.name, reads)
            ),
            "the switch was renamed or removed: see `wheelforge drift`, or drop the setting"
        ));
    }
}

/// Everywhere a variable is read.
struct ReadPlaces {
    std::vector<std::string> steering;  ///< scripts that take part in the build
    std::vector<std::string> elsewhere;

    [[nodiscard]] std::vector<std::string> all() const {
        std::vector<std::string> places = steering;
        places.insert(places.end(), elsewhere.begin(), elsewhere.end());
        return places;
    }
};

std::map<std::string, ReadPlaces>
unset_arch_variables(const TreeToLint& subject, const wheel::TreeFacts& facts) {
    std::set<std::string> known = subject.others;
    for (const plugin::BuildVariable& variable : subject.own) {
        known.insert(variable.name);
    }
    std::map<std::string, ReadPlaces> unset;
    for (const wheel::VariableRead& read : facts.reads) {
        if (chooses_archs(read.name) && !known.contains(read.name)) {
            ReadPlaces& entry = unset[read.name];
            auto& places =
                facts.build_scripts.contains(read.file) ? entry.steering : entry.elsewhere;
            places.push_back(fmt::format("{}:{}", printable(read.file), read.line));
        }
    }
    return unset;
}

wheel::Finding unset_finding(const std::string& name, const std::vector<std::string>& places) {
    constexpr std::size_t most_places = 4;
    const auto others = std::span(places).subspan(1, std::min(places.size(), most_places) - 1);
    return finding(
        "unset-arch-variable",
        places.front(),
        fmt::format(
            "{} is read there, and nothing sets it{}",
            name,
            others.empty() ? "" : "; also read at " + join(others, ", ")
        ),
        fmt::format("set it for this package, or give --arch if its plugin knows {}", name)
    );
}

void find_unset(
    const TreeToLint& subject, const wheel::TreeFacts& facts, std::vector<wheel::Finding>& findings
) {
    for (const auto& [name, read] : unset_arch_variables(subject, facts)) {
        const std::set<std::string> families = families_of(name);
        const bool matters = is_accelerated(subject.family) && !read.steering.empty()
                             && (families.empty() || families.contains(subject.family));
        wheel::Finding one = unset_finding(name, read.all());
        one.level = matters ? one.level : wheel::Level::info;
        findings.push_back(std::move(one));
    }
}

}  // namespace

bool chooses_archs(std::string_view variable) {
    constexpr std::array<std::string_view, 9> words = {
        "ARCH",
        "ARCHS",
        "ARCHES",
        "ARCHITECTURE",
        "ARCHITECTURES",
        "TARGET",
        "TARGETS",
        "GENCODE",
        "GENCODES"
    };
    // Of other systems, or set by the build system itself.
    constexpr std::array<std::string_view, 6> others = {
        "MACOSX_", "CARGO_", "PROCESSOR_", "VSCMD_", "CIBW_", "IPHONEOS_"
    };
    const bool foreign = variable == "TARGET" || variable == "ARCH"
                         || variable.ends_with("_DEPLOYMENT_TARGET")  // Apple's systems
                         || std::any_of(others.begin(), others.end(), [&](std::string_view prefix) {
                                return variable.starts_with(prefix);
                            });
    const std::vector<std::string_view> parts = split(variable, '_');
    return !foreign && std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
        return std::find(words.begin(), words.end(), part) != words.end();
    });
}

std::vector<wheel::Finding> lint_tree(const TreeToLint& subject) {
    const wheel::TreeFacts facts = wheel::read_tree(subject.tree);
    std::vector<wheel::Finding> findings;
    find_dead(subject, facts.reads, findings);
    find_unset(subject, facts, findings);
    std::stable_sort(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
        return a.level > b.level;
    });
    return findings;
}

std::vector<wheel::Finding> lint_source(const OpenSource& source, const BootstrapRequest& request) {
    const auto settings = request.settings.package(source.name);
    const plugin::Registry recipes;
    plugin::PackageId id;
    id.name = source.name;
    id.version = pep::Version::parse(source.version).value_or(pep::Version());
    TreeToLint subject;
    subject.tree = wheel::files_of_folder(source.tree);
    subject.family = request.judgement.variant.family;
    subject.own = recipes.recipe_for(id.name).env(id, settings);
    subject.build_requires = source.build_requires;
    const auto environment = environment_of(
        request.here,
        settings,
        id.version,
        request.passed_variables,
        {source.build_requires.begin(), source.build_requires.end()}
    );
    for (const auto& variable : environment.variables) {
        subject.others.insert(variable.name);
    }
    return lint_tree(subject);
}

std::string lint_text(const std::string& source, const std::vector<wheel::Finding>& findings) {
    std::string text;
    for (const wheel::Finding& one : findings) {
        text += fmt::format(
            "{}: {}: {}: {} [{}]\n",
            source,
            one.file,
            wheel::level_name(one.level),
            one.evidence,
            one.id
        );
        if (one.level >= wheel::Level::warn && !one.advice.empty()) {
            text += "  hint: " + one.advice + "\n";
        }
    }
    return text.empty() ? source + ": nothing to say\n" : text;
}

}  // namespace wheelforge::engine
