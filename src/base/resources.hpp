// SPDX-License-Identifier: Apache-2.0
// The data files the program carries inside itself (variants/*.yaml, plugins/*/plugin.yaml,
// src/build/hook_runner.py, src/base/errors.yaml, ...), embedded by src/embed.cmake under their
// path in the repository, so that the one binary runs from anywhere.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace wheelforge {

/// Content of e.g. "variants/cpu.yaml"; nullopt if there is none.
[[nodiscard]] std::optional<std::string_view> resource(std::string_view path);
/// Paths that start with `prefix`, sorted.
[[nodiscard]] std::vector<std::string_view> resources_below(std::string_view prefix);

}  // namespace wheelforge
