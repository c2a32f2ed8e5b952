// SPDX-License-Identifier: Apache-2.0
// Environment markers (PEP 508; the `extras` and `dependency_groups` sets of PEP 751).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/expected.hpp"

namespace wheelforge::pep {

/// The eleven PEP 508 variables and their values, by name ("python_version" -> "3.12").
/// `extra` is given apart.
using MarkerEnvironment = std::map<std::string, std::string, std::less<>>;

/// The sets of a lock file (PEP 751), which `"x" in extras` asks for. A marker that names a set
/// that is not given cannot be evaluated.
struct MarkerSets {
    std::optional<std::set<std::string>> extras;
    std::optional<std::set<std::string>> dependency_groups;
};

class Marker {
public:
    struct Node;  // in marker_tree.hpp
    [[nodiscard]] static Parsed<Marker> parse(std::string_view text);
    /// As packaging's str(Marker).
    [[nodiscard]] std::string text() const;
    /// @param extra  the extra being evaluated, "" for none; compared normalised (PEP 685)
    /// Every comparison is evaluated, also where the result is known before.
    /// Throws Error{usage} "marker-variable-missing" when the environment lacks a variable, and
    /// "marker-comparison-undefined" for an operator that has no meaning there (os_name ~= "a").
    [[nodiscard]] bool evaluate(
        const MarkerEnvironment& environment,
        std::string_view extra = "",
        const MarkerSets& sets = {}
    ) const;
    /// Whether the marker mentions `extra` at all.
    [[nodiscard]] bool mentions_extra() const;

private:
    friend class MarkerParser;
    std::shared_ptr<const Node> root_;
};

}  // namespace wheelforge::pep
