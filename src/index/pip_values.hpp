// SPDX-License-Identifier: Apache-2.0
// pip's configuration as one table: which value counts for an option, and who set it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.hpp"

namespace wheelforge::index {

struct PipValue {
    std::string text;
    std::string origin;  ///< a file, or "PIP_TIMEOUT"
};

class PipValues {
public:
    /// Reads the files of pip's precedence (global, user, site, $PIP_CONFIG_FILE), of each file
    /// [global] and [install], then PIP_* variables.
    /// @param site_prefix  sys.prefix of the interpreter; empty: no site file
    /// Throws Error{usage} "bad-pip-config" for a file that does not parse.
    static PipValues read(const Environment& env, const std::filesystem::path& site_prefix);

    /// By pip's long option name ("index-url"); an empty value counts as none.
    [[nodiscard]] const PipValue* find(const std::string& option) const;
    /// Split at blanks, as pip does with options that may be repeated.
    [[nodiscard]] std::vector<std::string> list(const std::string& option) const;
    [[nodiscard]] std::string text(const std::string& option) const;
    /// Throw Error{usage} "bad-pip-config" for anything else.
    [[nodiscard]] bool flag(const std::string& option) const;
    [[nodiscard]] std::optional<double> number(const std::string& option) const;

private:
    void take_file(const std::filesystem::path& path);
    void take_environment(const Environment& env);
    /// Rank 0 [global], 1 [install], 2 environment: a section outranks any file's order.
    std::map<std::string, PipValue> values_[3];
};

/// The files that count, weakest first.
[[nodiscard]] std::vector<std::filesystem::path>
pip_config_files(const Environment& env, const std::filesystem::path& site_prefix);
/// $HOME of `env`, else the user's.
[[nodiscard]] std::filesystem::path home_of(const Environment& env);
/// "~/x" with the home; anything else as it stands.
[[nodiscard]] std::filesystem::path expand_user(const std::string& path, const Environment& env);

}  // namespace wheelforge::index
