// SPDX-License-Identifier: Apache-2.0
// Judging one requirement by what the indexes offer. Internal to check and matrix.
#pragma once

#include <optional>
#include <string>

#include "engine/catalog.hpp"
#include "engine/check.hpp"

namespace wheelforge::engine {

/// Why no version on offer meets the requirement, as a finding without origin; nullopt when one
/// does, or when settings leave the name out. The catalog must know the name.
[[nodiscard]] std::optional<CheckFinding> judge_requirement(
    const pep::Requirement& requirement, const Catalog& catalog, const config::Settings& settings
);

/// Goes on as if the finding were mended: versions without an sdist are taken as wheels, or the
/// name is left out.
void assume_mended(const CheckFinding& finding, config::Settings& settings, Catalog& catalog);

/// The version that a requirement pins with ==, if it does.
[[nodiscard]] std::optional<std::string> pinned_version(const pep::SpecifierSet& specifier);

}  // namespace wheelforge::engine
