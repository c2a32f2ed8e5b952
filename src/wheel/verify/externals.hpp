// SPDX-License-Identifier: Apache-2.0
// Libraries a wheel may need that no wheel carries: those of any Linux (manylinux policies), and
// those of accelerator toolkits and big frameworks (src/wheel/verify/externals.yaml).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge::wheel {

struct ExternalGroup {
    std::string name;                    ///< "ROCm runtime and libraries"
    std::string family;                  ///< "rocm"; "" for any
    std::vector<std::string> requires_;  ///< distributions of which the wheel must require one
    std::vector<std::string> libraries;  ///< globs
    std::vector<std::string> symbols;    ///< prefixes
    /// Library stem -> major of the toolkit -> soname version.
    std::map<std::string, std::map<std::string, std::string>> sonames;
};

[[nodiscard]] const std::vector<ExternalGroup>& external_groups();
/// The group a library belongs to; nullptr for none.
[[nodiscard]] const ExternalGroup* external_group(std::string_view soname);
/// The group that defines a symbol of this name, by its prefix.
[[nodiscard]] const ExternalGroup* external_group_of_symbol(std::string_view symbol);

struct ManylinuxPolicy {
    std::string name;                           ///< "manylinux_2_28"
    std::string machine;                        ///< "x86_64"
    std::map<std::string, std::string> newest;  ///< "GLIBC" -> "2.28"
};

/// By platform tag, old names too: "manylinux2014_x86_64". nullptr for one that is not known.
[[nodiscard]] const ManylinuxPolicy* manylinux_policy(std::string_view platform);
/// Whether every Linux has this library.
[[nodiscard]] bool is_system_library(std::string_view soname);
/// Whether all symbols of this system library have versions.
[[nodiscard]] bool has_only_versioned_symbols(std::string_view soname);

/// Version that added a symbol to CPython's stable ABI ("3.9"); nullopt if it is not in it.
[[nodiscard]] std::optional<std::string> stable_abi_since(std::string_view symbol);

[[nodiscard]] bool glob_matches(const std::string& glob, std::string_view text);

}  // namespace wheelforge::wheel
