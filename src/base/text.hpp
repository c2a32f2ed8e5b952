// SPDX-License-Identifier: Apache-2.0
// Small pure text functions. ASCII only unless said otherwise; nothing here depends on the locale.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge {

[[nodiscard]] std::string_view trim(std::string_view text) noexcept;
[[nodiscard]] std::string to_lower(std::string_view text);
/// Splits at every `separator`; "a,,b" gives three parts, "" gives one empty part.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// Lines without their ends; accepts LF and CRLF; a last line without newline counts.
[[nodiscard]] std::vector<std::string_view> lines(std::string_view text);
/// The parts would look into a text that is gone, above all in `for (... : lines(read_file(...)))`.
template <std::same_as<std::string> Temporary>
std::vector<std::string_view> split(Temporary&& text, char separator) = delete;
template <std::same_as<std::string> Temporary>
std::vector<std::string_view> lines(Temporary&& text) = delete;
[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);
[[nodiscard]] std::string replace_all(std::string text, std::string_view from, std::string_view to);

/// Untrusted text made safe for a terminal, a log line or an error: control characters (C0, DEL,
/// C1, bidirectional overrides) and invalid UTF-8 become \xNN. Valid UTF-8 stays. Newlines are
/// escaped too. The one place where that is done.
[[nodiscard]] std::string printable(std::string_view untrusted);
[[nodiscard]] bool is_valid_utf8(std::string_view text) noexcept;

/// The candidates nearest to `word` by edit distance (at most 2, or a third of the length),
/// nearest first, at most `limit`. For "did you mean".
[[nodiscard]] std::vector<std::string>
nearest(std::string_view word, std::span<const std::string> candidates, std::size_t limit = 3);

/// "1.4 MiB", "12 s", "3 min 05 s".
[[nodiscard]] std::string human_bytes(std::uint64_t bytes);
[[nodiscard]] std::string human_seconds(double seconds);

}  // namespace wheelforge
