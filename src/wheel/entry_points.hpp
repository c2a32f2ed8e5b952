// SPDX-License-Identifier: Apache-2.0
// entry_points.txt as installers read it: an INI file of sections and NAME = VALUE lines.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace wheelforge::wheel {

using EntryPoints = std::map<std::string, std::string>;

/// console_scripts and gui_scripts: name -> "module:attr", extras in brackets dropped. Lines that
/// say nothing are passed over, as installers do.
[[nodiscard]] EntryPoints parse_entry_point_scripts(std::string_view text);
/// An installer puts the name into a path.
[[nodiscard]] bool is_safe_script_name(std::string_view name);
/// An installer puts the value into a Python file: only "package.module:object.attribute".
[[nodiscard]] bool is_script_value(std::string_view value);

}  // namespace wheelforge::wheel
