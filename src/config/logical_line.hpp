// SPDX-License-Identifier: Apache-2.0
// Lines of a requirements file after continuation, comments and ${VARIABLES} are dealt with, in
// which every character still knows where it stood.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge::config {

struct FilePosition {
    int line = 1;
    int column = 1;  ///< in bytes, from 1
};

class LogicalLine {
public:
    /// Appends text that stands in the file from `at` on.
    void append(std::string_view text, FilePosition at);
    /// Appends text that takes the place of something that stands at `at`.
    void append_replacement(std::string_view text, FilePosition at);
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    [[nodiscard]] FilePosition position(std::size_t offset) const;
    /// Without its first `front` bytes and cut to `length`.
    [[nodiscard]] LogicalLine part(std::size_t front, std::size_t length) const;

private:
    struct Segment {
        std::size_t start = 0;
        FilePosition at;
        bool replacement = false;
    };
    std::string text_;
    std::vector<Segment> segments_;
};

/// The value of a variable, nullopt if it is not set.
using LookUp = std::function<std::optional<std::string>(const std::string& name)>;

/// Splits a file by pip's rules. Blank and comment lines are left out.
[[nodiscard]] std::vector<LogicalLine> logical_lines(std::string_view text, const LookUp& variable);

}  // namespace wheelforge::config
