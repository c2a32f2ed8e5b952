// SPDX-License-Identifier: Apache-2.0
// What the engine is asked to do: everything already read, checked and merged by the caller.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/process.hpp"
#include "build/interpreter.hpp"
#include "build/sandbox.hpp"
#include "config/settings.hpp"
#include "engine/environment.hpp"
#include "engine/release_filter.hpp"
#include "index/index.hpp"
#include "resolve/problem.hpp"
#include "wheel/verify/request.hpp"

namespace wheelforge::engine {

/// What every wheel that is built is held to before it is published.
struct Judgement {
    wheel::VariantFacts variant;
    std::vector<wheel::Arch> archs;  ///< --arch; instead of the variant's
    wheel::Policy policy;
};

/// Which versions are tried first: the lowest of everything, or of what the user names.
enum class Strategy { highest, lowest, lowest_direct };

/// What makes a wheel that exists be built again: any input, the strong ones among them, or only
/// another build tag (Fromager's way).
enum class Rebuild { strong, all, changelog };

struct BootstrapRequest {
    std::vector<resolve::Wanted> roots;
    std::vector<resolve::Wanted> constraints;
    std::vector<resolve::Wanted> runtime_constraints;              ///< of the runtime set alone
    std::vector<resolve::Wanted> build_constraints;                ///< of build scopes alone
    std::map<std::string, std::set<std::string>> required_hashes;  ///< --hash, by name
    bool require_hashes = false;  ///< --require-hashes: a file that nobody vouches for is refused
    ReleaseFilter releases;
    Strategy strategy = Strategy::highest;
    /// Of --previous graphs: tried first, by every scope.
    std::vector<std::map<std::string, pep::Version>> previous;
    bool backtrack_builds = false;  ///< a version whose build has no solution is passed over
    bool allow_prereleases = false;
    VariantHere here;  ///< the variant, its toolchain, the architectures
    Judgement judgement;
    config::Settings settings;
    build::Interpreter interpreter;
    build::SandboxProbe sandbox;
    index::IndexSettings index;
    std::filesystem::path output;  ///< holds <variant>/, graph.json, report.json
    std::filesystem::path cache;
    unsigned cores = 1;          ///< for all builds together
    unsigned memory_tokens = 1;  ///< builds that fit in memory at once
    bool keep_going = false;
    bool plan_only = false;
    /// What stands in the way of a build (an architecture, a tool) ends no run that only asks for
    /// versions; a build that such a run needs to learn a requirement is refused all the same.
    bool versions_only = false;
    Rebuild rebuild = Rebuild::strong;
    bool smoke = false;              ///< --smoke: what was made is imported before the run ends
    bool replace_published = false;  ///< --replace: published file names may get other bytes
    /// Asked when the run was stopped: interrupted, or terminated.
    std::function<ExitCode()> stopped_by = [] { return ExitCode::interrupted; };
    Environment callers_environment;
    std::vector<std::string> passed_variables;  ///< --env NAME[=V]
    std::vector<std::string> notices;           ///< what reading all that found worth saying
};

}  // namespace wheelforge::engine
