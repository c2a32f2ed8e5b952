// SPDX-License-Identifier: Apache-2.0
#include "cli/variant_facts.hpp"

#include <array>
#include <string_view>

#include "base/error.hpp"
#include "variant/variant.hpp"

namespace wheelforge::cli {
namespace {

std::string family_of(const variant::Variant& variant) {
    constexpr std::array<std::string_view, 7> families = {
        "cuda", "rocm", "xpu", "gaudi", "spyre", "tpu", "cpu"
    };
    for (const std::string_view family : families) {
        if (variant.is(family)) {
            return std::string(family);
        }
    }
    return variant.name;
}

/// The list that most packages of the family read.
void read_archs(const variant::Variant& variant, wheel::VariantFacts& facts) {
    const std::string_view wanted =
        facts.family == "rocm" ? "PYTORCH_ROCM_ARCH" : "TORCH_CUDA_ARCH_LIST";
    for (const variant::VariantVariable& variable : variant.env) {
        if (variable.name != wanted) {
            continue;
        }
        auto archs = wheel::parse_arch_list(variable.value);
        if (!archs) {
            throw Error(
                ExitCode::usage, "bad-value", variable.origin + ": " + archs.error().message
            );
        }
        facts.archs = std::move(*archs);
    }
}

}  // namespace

wheel::VariantFacts variant_facts(const std::string& name) {
    const variant::Variant variant = variant::load_variant(name);
    wheel::VariantFacts facts;
    facts.name = variant.name;
    facts.family = family_of(variant);
    if (facts.family == "rocm" || facts.family == "cuda") {
        read_archs(variant, facts);
    }
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
