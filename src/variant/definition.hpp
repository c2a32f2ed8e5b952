// SPDX-License-Identifier: Apache-2.0
// One file of a variant: checked as a whole when it is read, laid over what it extends afterwards,
// since what a key replaces is known only then.
#pragma once

#include <string>

#include "base/yaml.hpp"
#include "variant/variant.hpp"

namespace wheelforge::variant {

struct Definition {
    std::string file;
    yaml::Node node;
    std::string extends;
    std::string extends_at;  ///< "file:line:column"
};

/// Throws Error{usage} "unknown-key", "bad-value".
[[nodiscard]] Definition read_definition(yaml::Node node, std::string file);

/// Lays it over `variant`. Lists of variables, poison and names grow; tools, chips and paths are
/// replaced by name; of the toolchain each key; all else is replaced.
/// @param stem  name of the file, without its ending
void apply(const Definition& definition, const std::string& stem, Variant& variant);

}  // namespace wheelforge::variant
