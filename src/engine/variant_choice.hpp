// SPDX-License-Identifier: Apache-2.0
// From a name on the command line to a variant and the settings that hold for it.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "variant/variant.hpp"

namespace wheelforge::engine {

struct ChosenVariant {
    variant::Variant variant;
    config::Settings settings;
    std::string warning;  ///< empty, or what is doubtful about it
};

/// A name that has no definition and stands below `variants:` of the user's settings is accepted
/// with a warning: such trees were made for programs that know variants by name alone. What
/// concerns the variant in `sources` is filled in here. Throws Error{usage} "unknown-variant".
[[nodiscard]] ChosenVariant
choose_variant(const std::string& name, config::Settings::Sources sources);

/// Whose architectures these are, for whoever named no variant: the family that knows most of the
/// words; "cpu" without any. Throws Error{usage} "unknown-arch" where none is known.
[[nodiscard]] std::string variant_of_archs(const std::vector<std::string>& arch_lists);

}  // namespace wheelforge::engine
