// SPDX-License-Identifier: Apache-2.0
#include "cli/variant_facts.hpp"

#include "base/error.hpp"
#include "engine/host.hpp"
#include "variant/variant.hpp"

namespace wheelforge::cli {
namespace {

wheel::VariantFacts facts_of(const variant::Variant& variant) {
    wheel::VariantFacts facts;
    facts.name = variant.name;
    facts.family = variant.family;
    facts.archs = archs_to_judge(variant.architectures, variant.architectures.defaults);
    facts.target = {variant.target.glibc, variant.target.libstdcxx, variant.target.cpu};
    facts.provided = variant.externals;
    for (const auto& [distribution, folder] : variant.provided) {
        facts.provided.push_back(distribution);
    }
    return facts;
}

}  // namespace

std::vector<wheel::Arch>
archs_to_judge(const variant::Architectures& table, const std::vector<std::string>& archs) {
    const bool has_own_names = !table.empty() && table.spelling == variant::Spelling::plain;
    return has_own_names ? std::vector<wheel::Arch>() : parse_archs(archs);
}

variant::Surroundings surroundings_of(const Environment& callers) {
    variant::Surroundings where;
    where.variables = callers;
    const auto path = callers.find("PATH");
    where.path = path == callers.end() ? std::string() : path->second;
    return where;
}

variant::Surroundings
surroundings_of(const Environment& callers, const build::Interpreter& interpreter) {
    auto where = surroundings_of(callers);
    where.python_bin = interpreter.executable.parent_path();
    return where;
}

wheel::VariantFacts variant_facts(const std::string& name) {
    return facts_of(variant::load_variant(name));
}

wheel::VariantFacts variant_facts(const engine::VariantHere& here) {
    auto facts = facts_of(here.variant);
    const auto libraries = engine::system_libraries();
    facts.provided.insert(facts.provided.end(), libraries.begin(), libraries.end());
    const auto release = here.names.find("toolchain.release");
    facts.toolkit = release == here.names.end() ? std::string() : release->second;
    return facts;
}

std::vector<wheel::Arch> parse_archs(const std::vector<std::string>& lists) {
    std::vector<wheel::Arch> archs;
    for (const std::string& list : lists) {
        const auto parsed = wheel::parse_arch_list(list);
        if (!parsed) {
            throw Error(ExitCode::usage, "bad-value", "--arch: " + parsed.error().message)
                .advise("write gfx942, gfx90a:xnack+, sm_90a, 9.0a or 8.0+PTX");
        }
        archs.insert(archs.end(), parsed->begin(), parsed->end());
    }
    return archs;
}

}  // namespace wheelforge::cli
