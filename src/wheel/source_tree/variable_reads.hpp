// SPDX-License-Identifier: Apache-2.0
// Which environment variables the scripts of a source tree look at. The text is read, nothing is
// run: names that are put together at run time stay unseen.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge::wheel {

struct VariableRead {
    std::string name;
    std::string file;  ///< below the tree
    int line = 0;
};

/// Whether a file is Python, CMake or a build script of Rust, by its name.
[[nodiscard]] bool is_script(const std::filesystem::path& path);

/// In Python os.environ[...], calls like os.getenv("X") or check_env_flag("X"), `"X" in
/// os.environ`; in CMake $ENV{X} and DEFINED ENV{X}; in Rust env::var("X") and option_env!("X").
/// Each name once a line; what stands in comments or is only written does not count.
[[nodiscard]] std::vector<VariableRead>
variables_in_script(const std::string& file, std::string_view text);

}  // namespace wheelforge::wheel
