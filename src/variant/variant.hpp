// SPDX-License-Identifier: Apache-2.0
// A variant: the accelerator a stack is built for, as data (variants/<name>.yaml, `extends:`).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "variant/variable.hpp"

namespace wheelforge::variant {

struct Variant {
    std::string name;
    std::vector<std::string> lineage;  ///< most general first: base, cpu
    std::string description;
    /// Reaches packages that `use` the variant. In order, most general first; a later entry of the
    /// same name wins and may refer to the value so far.
    std::vector<VariantVariable> env;
    /// Whether it is `family` or extends it.
    [[nodiscard]] bool is(std::string_view family) const;
};

/// Reads variants/<name>.yaml of the current folder if it is there, else the definition the program
/// carries. A file that `extends:` its own name builds on the carried one of that name.
/// Throws Error{usage} "unknown-variant" naming those there are and the nearest.
[[nodiscard]] Variant load_variant(const std::string& name);
/// Sorted; without `base`, which is only there to be extended.
[[nodiscard]] std::vector<std::string> known_variants();

}  // namespace wheelforge::variant
