// SPDX-License-Identifier: Apache-2.0
// What a project needs that no index of Python packages has: the [external] table of pyproject.toml
// (PEP 725, a draft).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"

namespace wheelforge::pep {

struct ExternalRequirement {
    std::string text;  ///< as written, "dep:virtual/compiler/c@>=12"
    std::string name;  ///< "virtual/compiler/c", "generic/openssl", "github/org/name"
};

/// Of the keys build-requires and host-requires, with their optional-* left out: what a build
/// needs. Scheme "dep:" or "pkg:"; versions, qualifiers and markers behind the name are not judged.
/// A document without the table has none. The error's offset is 0 where only a value is wrong.
[[nodiscard]] Parsed<std::vector<ExternalRequirement>>
parse_external_build_requirements(std::string_view toml);

}  // namespace wheelforge::pep
