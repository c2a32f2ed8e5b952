// SPDX-License-Identifier: Apache-2.0
// A variant: the accelerator a stack is built for, as data (variants/<name>.yaml, `extends:`).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "variant/architectures.hpp"
#include "variant/package_rules.hpp"
#include "variant/toolchain.hpp"
#include "variant/variable.hpp"

namespace wheelforge::variant {

/// Variables for running what was built, where one of `archs` is asked for (empty: always).
struct RuntimeRule {
    std::vector<std::string> archs;  ///< globs
    std::vector<VariantVariable> variables;
};

/// The machine that wheels have to run on. Empty values are not declared.
struct RunTarget {
    std::string glibc;      ///< "2.34"
    std::string libstdcxx;  ///< newest GLIBCXX, "3.4.29"
    std::string cpu;        ///< "x86-64-v3"
};

/// An index that distributions of this variant come from, in addition to pip's.
struct IndexRule {
    std::string url;
    std::vector<std::string> packages;  ///< empty: any
    std::string origin;
};

struct Variant {
    std::string name;
    std::vector<std::string> lineage;  ///< most general first: base, cpu
    std::string description;
    std::string family;                      ///< "rocm"; what packages' data names
    std::vector<std::string> settings_keys;  ///< names under `variants:` that apply, general first
    /// Of `base`: reaches every package.
    std::vector<VariantVariable> base_env;
    /// Reaches packages that use them by name. In order, most general first; a later entry of the
    /// same name wins and may refer to the value so far.
    std::vector<VariantVariable> env;
    std::vector<VariantVariable> toolchain_env;  ///< reaches packages that use the toolchain
    std::vector<std::string> never;              ///< variables that never enter a build
    std::vector<RuntimeRule> runtime_env;
    ToolchainRule toolchain;
    std::vector<ProgramRule> system_tools;
    std::vector<std::vector<std::string>> setup;      ///< run once in a copy of the environment
    std::map<std::string, std::string> compat_paths;  ///< path inside the sandbox -> template
    Architectures architectures;
    std::string label;  ///< template of the local version, "rocm${toolchain.release}"
    std::vector<IndexRule> index;
    RunTarget target;
    std::vector<std::string> pre_built;           ///< distributions taken as wheels
    std::map<std::string, std::string> provided;  ///< distribution -> folder; "" for the host's
    std::vector<std::string> externals;           ///< globs of libraries that are there at run time
    std::vector<PoisonRule> poison;

    /// Whether it is `other` or extends it.
    [[nodiscard]] bool is(std::string_view other) const;
};

/// Reads variants/<name>.yaml of the current folder if it is there, else the definition the program
/// carries. A file that `extends:` its own name builds on the carried one of that name.
/// Throws Error{usage} "unknown-variant" naming those there are and the nearest.
[[nodiscard]] Variant load_variant(const std::string& name);
/// Of a name that only package settings know: `base`, with that name.
[[nodiscard]] Variant variant_of_settings(const std::string& name);
/// Sorted; without `base`, which is only there to be extended.
[[nodiscard]] std::vector<std::string> known_variants();

}  // namespace wheelforge::variant
