// SPDX-License-Identifier: Apache-2.0
// A guard in front of the TOML library, which builds and tears down one table inside another for
// every dot of a key and so would run out of stack on a key of a hundred thousand dots.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace wheelforge::pep {

/// Where a dotted key has more parts than any real one; nullopt if there is no such key.
[[nodiscard]] std::optional<std::size_t> find_overlong_toml_key(std::string_view toml);

}  // namespace wheelforge::pep
