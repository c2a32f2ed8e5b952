// SPDX-License-Identifier: Apache-2.0
// Environment markers (PEP 508; the `extras` and `dependency_groups` sets of PEP 751).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/expected.hpp"

namespace wheelforge::pep {

/// The eleven PEP 508 variables and their values, by name ("python_version" -> "3.12").
/// `extra` is given apart.
using MarkerEnvironment = std::map<std::string, std::string, std::less<>>;

class Marker {
public:
    struct Node;  // in marker.cpp
    [[nodiscard]] static Parsed<Marker> parse(std::string_view text);
    /// As packaging's str(Marker).
    [[nodiscard]] std::string text() const;
    /// @param extra  the extra being evaluated, "" for none; compared normalised (PEP 685)
    /// Throws Error{usage} "marker-variable-missing" when the environment lacks a variable.
    [[nodiscard]] bool evaluate(const MarkerEnvironment& environment, std::string_view extra = "") const;
    /// Whether the marker mentions `extra` at all.
    [[nodiscard]] bool mentions_extra() const;

private:
    std::shared_ptr<const Node> root_;
};

}  // namespace wheelforge::pep
