// SPDX-License-Identifier: Apache-2.0
// A variant: the accelerator a stack is built for, as data (variants/<name>.yaml, `extends:`).
#pragma once

#include <string>
#include <vector>

namespace wheelforge::variant {

struct VariantVariable {
    std::string name;
    std::string value;
    std::string origin;  ///< "variants/cpu.yaml:5"
};

struct Variant {
    std::string name;
    std::vector<std::string> lineage;       ///< most general first: base, cpu
    std::string description;
    std::vector<VariantVariable> env;       ///< reaches packages that `use` the variant
    [[nodiscard]] bool is(std::string_view family) const;
};

/// Throws Error{usage} "unknown-variant" naming those there are and the nearest.
[[nodiscard]] Variant load_variant(const std::string& name);
[[nodiscard]] std::vector<std::string> known_variants();

}  // namespace wheelforge::variant
