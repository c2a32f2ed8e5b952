// SPDX-License-Identifier: Apache-2.0
// What settings say beyond variables: to the resolver, about where files come from, and to builds.
// docs/settings.md has each key with an example.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/set.hpp"
#include "pep/requirement.hpp"

namespace wheelforge::config {

/// Versions that only go together, which no metadata states.
struct CouplingRule {
    std::vector<pep::Requirement> when;       ///< all of them hold
    std::vector<pep::Requirement> require;    ///< then these are in the set
    std::vector<pep::Requirement> constrain;  ///< and these hold if they are in the set
    std::string because;
    std::string origin;
};

/// What a package is said to require instead of what its metadata says.
struct RequiresEdit {
    Optional<std::vector<pep::Requirement>> replace;  ///< instead of all
    std::vector<Set<std::string>> remove;             ///< names, or beginnings of names with '*'
    std::vector<Set<pep::Requirement>> add;

    [[nodiscard]] bool empty() const noexcept { return !replace && remove.empty() && add.empty(); }
    void lay_over(const RequiresEdit& upper);
    /// `requires_dist` after replacing, removing and adding, in this order.
    [[nodiscard]] std::vector<pep::Requirement> applied(std::vector<pep::Requirement> requires_dist
    ) const;
};

/// A name that belongs to somebody else on the public index.
struct Stranger {
    std::string because;
    std::string instead;  ///< what to do
};

/// An older name of the same project.
struct FormerName {
    std::string name;  ///< normalised
    std::string because;
    std::string origin;
};

/// What the resolver is told about a package.
struct ResolutionRules {
    Optional<pep::SpecifierSet> override_version;  ///< whatever others say
    Optional<bool> drop;                           ///< requirements on it are left out
    RequiresEdit requires_dist;
    Optional<std::vector<std::string>> match_runtime;  ///< names; in its build scope
    Optional<std::string> requires_from;               ///< requirements file in its tree, template
    Optional<bool> pre_releases;
    Optional<int> min_release_age;  ///< days; 0 is none
    Optional<Stranger> never_from_index;
    std::vector<FormerName> renamed_from;

    void lay_over(const ResolutionRules& upper);
};

/// Where the files of a package come from.
struct SourceRules {
    Optional<std::string>
        index_url;                   ///< its only index (index_url, resolver_dist.sdist_server_url)
    Optional<bool> include_sdists;   ///< versions that have one are on offer; default true
    Optional<bool> include_wheels;   ///< versions that have but wheels are too; default false
    Optional<bool> ignore_platform;  ///< of those wheels
    Optional<bool> use_published_metadata;       ///< a wheel's METADATA may stand for the sdist's
    Optional<std::string> download_url;          ///< template, instead of the index's file
    Optional<std::string> destination_filename;  ///< template
    Optional<std::string> repository;            ///< git URL, for advice
    Optional<std::string> tag;                   ///< template of its tags, "v${version}"

    void lay_over(const SourceRules& upper);
};

/// How a package is built.
struct BuildRules {
    Optional<int> cpu_cores_per_job;     ///< at least 1
    Optional<double> memory_per_job_gb;  ///< at least 0.1
    Optional<bool> exclusive_build;      ///< nothing else is built meanwhile
    Optional<bool> build_ext_parallel;   ///< setuptools compiles extensions in parallel
    std::vector<Set<pep::Requirement>> update_build_requires;
    std::vector<Set<std::string>> remove_build_requires;             ///< normalised names
    std::map<std::string, Set<std::vector<std::string>>> changelog;  ///< by public version

    void lay_over(const BuildRules& upper);
    /// [build-system] requires after removing and updating; a requirement of the same name is
    /// replaced.
    [[nodiscard]] std::vector<pep::Requirement> build_requires(std::vector<pep::Requirement> stated
    ) const;
};

/// ${version} and ${canonicalized_name} of a URL or file name. Throws Error{usage}
/// "undefined-variable" or "bad-template" with the origin.
[[nodiscard]] std::string
expand_location(const Set<std::string>& text, const std::string& name, const std::string& version);

/// ${variant.name} and ${variant.family} of requires_from.
[[nodiscard]] std::string
expand_variant(const Set<std::string>& text, const std::string& variant, const std::string& family);

}  // namespace wheelforge::config
