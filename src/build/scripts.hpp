// SPDX-License-Identifier: Apache-2.0
// The programs in an environment's bin/: first lines and launchers of entry points. Pure text.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace wheelforge::build {

/// The first line (or lines, where the path is too long or has blanks) that start a script with
/// `prefix`/bin/python. Ends with a newline.
/// @param arguments  of the interpreter, "" or starting with a blank
[[nodiscard]] std::string
script_head(const std::filesystem::path& prefix, std::string_view arguments = {});

/// A script of a wheel's .data/scripts, whose first line is "#!python...", for `prefix`; nullopt
/// for anything else, which stays as it is.
[[nodiscard]] std::optional<std::string>
with_interpreter(std::string_view script, const std::filesystem::path& prefix);

/// A script made for one prefix, for another one; nullopt if it was not made for `from`.
[[nodiscard]] std::optional<std::string> moved_script(
    std::string_view script, const std::filesystem::path& from, const std::filesystem::path& to
);

/// The script of an entry point "module:object". Throws Error{refused} "bad-entry-point" unless
/// both are dotted Python names and `name` is a plain file name.
[[nodiscard]] std::string
launcher(std::string_view name, std::string_view target, const std::filesystem::path& prefix);

}  // namespace wheelforge::build
