// SPDX-License-Identifier: Apache-2.0
// The inputs of a build: sorted, readable "kind name value" lines, written down before anything
// is built. Their sha256 is the key; `diff` of two inputs files says why two builds differ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheelforge::store {

class Inputs {
public:
    /// Newlines and control characters in values are escaped (\xNN), so that a line is a line; so
    /// are backslashes, and spaces in kind and name, so that two different triples never give the
    /// same line. An empty value leaves "kind name".
    void add(std::string_view kind, std::string_view name, std::string_view value);
    void add_all(const Inputs& other);
    /// Sorted, unique lines, each ended by a newline.
    [[nodiscard]] std::string text() const;
    /// sha256 of text(), lower-case hex.
    [[nodiscard]] std::string key() const;
    /// Sorted and unique.
    [[nodiscard]] const std::vector<std::string>& lines() const noexcept { return lines_; }

private:
    void insert(std::string line);

    std::vector<std::string> lines_;
};

}  // namespace wheelforge::store
