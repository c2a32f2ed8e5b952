// SPDX-License-Identifier: Apache-2.0
// A setting that knows who set it.
#pragma once

#include <optional>
#include <string>

namespace wheelforge::config {

/// A value and the place that set it ("overrides/settings/torch.yaml:4",
/// "plugins/cython/plugin.yaml:3").
template <typename T>
struct Set {
    T value;
    std::string origin;
};

template <typename T>
using Optional = std::optional<Set<T>>;

/// Lays `upper` over `mine`: what is not set there stays.
template <typename T>
void lay_over(std::optional<T>& mine, const std::optional<T>& upper) {
    if (upper) {
        mine = upper;
    }
}

/// The value where it is set, else `otherwise`.
template <typename T>
[[nodiscard]] T value_or(const Optional<T>& set, T otherwise) {
    return set ? set->value : std::move(otherwise);
}

}  // namespace wheelforge::config
