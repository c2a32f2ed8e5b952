// SPDX-License-Identifier: Apache-2.0
// Package settings: Fromager's YAML (settings.yaml, settings/<name>.yaml) and our plugin.yaml are
// two loaders of one value. Merged once, immutable; each value knows who set it. Any key that is
// not accepted yet is an error that says so ("unsupported-key" for one that Fromager has,
// "unknown-key" for any other); none is ignored. Null stands for "not set".
//
// What counts, weakest first: plugin, the global file's `packages:`, the folder's file; then the
// same three for `variants.<name>`, since what is said of a variant is the more special.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/yaml.hpp"
#include "config/patches.hpp"
#include "config/rules.hpp"
#include "config/set.hpp"
#include "variant/package_rules.hpp"

namespace wheelforge::config {

struct VariableSetting {
    std::string name;
    std::string value;  ///< as written: templates $X, ${X}, ${X:-default}, $$, ${__version__}
    std::string origin;
};

enum class Builder { pep517, pip };

/// The settings of one package for one variant.
struct PackageSettings {
    std::string name;  ///< normalised
    /// In order: package, then variant. A later entry of the same name wins and may refer to the
    /// value so far.
    std::vector<VariableSetting> env;
    std::map<std::string, std::vector<std::string>> config_settings;  ///< PEP 517
    std::optional<Set<std::string>> build_dir;  ///< relative folder with pyproject.toml
    std::optional<Set<bool>> pre_built;
    /// Run on the source before the build, to translate CUDA to HIP.
    std::optional<Set<std::vector<std::string>>> hipify;
    std::optional<Set<std::string>> wheel_server_url;
    Set<Builder> builder{Builder::pep517, "default"};
    /// What it takes from a variant, and what is known of it and accelerators. Of this, what
    /// reaches a build is worked out by engine/environment.hpp and becomes part of `env`.
    variant::PackageRules rules;
    ResolutionRules resolution;
    SourceRules source;
    BuildRules build;
    std::vector<PatchFile> patches;  ///< of this package, for any version
    unsigned global_changelog = 0;   ///< entries that hold for every package

    [[nodiscard]] bool takes_wheel() const { return value_or(pre_built, false); }
    /// Build tag by the changelogs: how many entries hold for the version; 0 is no tag.
    [[nodiscard]] unsigned build_tag(const pep::Version& version) const;
    /// Sorted "key value" lines of everything set here that can reach a build: part of the plan
    /// key. Values are JSON strings, so that a line is a line; origins are not in them.
    [[nodiscard]] std::vector<std::string> inputs() const;
};

/// A tool of the system that satisfies a build requirement (plugins/cmake/plugin.yaml).
struct SystemTool {
    std::string requirement;                   ///< normalised distribution name, "cmake"
    std::string program;                       ///< "cmake"
    std::vector<std::string> version_command;  ///< {"cmake", "--version"}
    std::string version_pattern;               ///< ECMAScript regex, group 1 = version
    std::string origin;
};

class Settings {
public:
    /// Loads plugins/*/plugin.yaml (embedded), then the global file and folder if given, which must
    /// exist. `variant_keys` are the names under `variants:` that apply,
    /// most general first.
    struct Sources {
        std::optional<std::string> file;
        std::optional<std::string> folder;
        std::optional<std::string> patches;  ///< folder of patches; need not exist
        std::vector<std::string> variant_keys;
        std::vector<std::string> variant_pre_built;  ///< by the variant; settings may say otherwise
        std::vector<std::string> pre_built;          ///< --pre-built NAME, or :all:
        bool plugins = true;  ///< what the program itself knows of packages counts
    };
    [[nodiscard]] static Settings load(const Sources& sources);
    /// The same, but what is wrong is kept in `problems` and the rest read on.
    [[nodiscard]] static Settings load(const Sources& sources, std::vector<Error>& problems);

    /// Total: a package nobody mentions has default settings.
    [[nodiscard]] PackageSettings package(std::string_view name) const;
    /// Packages that have settings, plugins included, by name.
    [[nodiscard]] const std::map<std::string, PackageSettings, std::less<>>&
    packages() const noexcept {
        return packages_;
    }
    /// Packages that the user's own files name, and where.
    [[nodiscard]] const std::map<std::string, std::string>& named() const noexcept {
        return named_;
    }
    [[nodiscard]] const std::vector<CouplingRule>& couplings() const noexcept { return couplings_; }
    [[nodiscard]] const std::vector<SystemTool>& system_tools() const noexcept { return tools_; }
    /// Names under `variants:` of the user's own files, sorted.
    [[nodiscard]] const std::vector<std::string>& variants() const noexcept { return variants_; }
    /// As --pre-built NAME does.
    void take_as_wheel(const std::string& name, const std::string& origin);
    /// As `index_url` does, where settings do not say it themselves.
    void
    take_from_index(const std::string& name, const std::string& url, const std::string& origin);
    /// Leaves out what anybody requires of `name`.
    void drop(const std::string& name, const std::string& origin);
    /// The present name of a project that was called `name`, if it was renamed.
    [[nodiscard]] std::optional<std::string> renamed(std::string_view name) const;

private:
    PackageSettings& entry(const std::string& name);
    static Settings load(const Sources& sources, const class Complaints& complaints);

    std::map<std::string, PackageSettings, std::less<>> packages_;
    std::map<std::string, std::string> named_;
    std::vector<CouplingRule> couplings_;
    std::vector<SystemTool> tools_;
    std::vector<std::string> variants_;
    unsigned global_changelog_ = 0;
    bool all_pre_built_ = false;
};

/// Expands a template (Fromager's rules): single pass; $X, ${X}, ${X:-default} (empty counts as
/// set), $$; a braced name may have dots (${toolchain.root}); "$(" is refused; an unknown variable
/// without default is Error{usage} "undefined-variable" naming origin, a '$' that begins none of
/// these is "bad-template".
[[nodiscard]] std::string expand(
    std::string_view text,
    const std::map<std::string, std::string>& variables,
    std::string_view origin
);

}  // namespace wheelforge::config
