// SPDX-License-Identifier: Apache-2.0
// The options that may stand in a requirements file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"

namespace wheelforge::config {

enum class OptionKind {
    requirement,
    constraint,
    index_url,
    extra_index_url,
    find_links,
    trusted_host,
    no_index,
    pre,
    require_hashes,
    no_binary,
    only_binary,
    hash,
};

struct LineOption {
    OptionKind kind = OptionKind::hash;
    std::string name;   ///< as written, "--hash"
    std::string value;  ///< empty for a switch
    std::size_t offset = 0;
};

/// Words as a shell splits them (quotes, backslashes), each an option or its value. Options that
/// pip has and we do not are refused with what to do instead.
[[nodiscard]] Parsed<std::vector<LineOption>> parse_line_options(std::string_view text);

/// Where the options of a line begin: at a word that starts with '-'.
[[nodiscard]] std::size_t options_start(std::string_view line);

}  // namespace wheelforge::config
