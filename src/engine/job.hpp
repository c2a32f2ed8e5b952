// SPDX-License-Identifier: Apache-2.0
// One distribution on its way from a pin to a published wheel. The state is a variant: each
// alternative holds exactly what exists then, and Jobs::advance() is the only mutator.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "engine/sources.hpp"
#include "plugin/recipe.hpp"
#include "resolve/resolver.hpp"
#include "store/store.hpp"
#include "wheel/finding.hpp"

namespace wheelforge::engine {

/// What went wrong with one package, as data that is reported, counted and shown.
struct Failure {
    ExitCode code = ExitCode::build_failed;
    std::string id;
    std::string message;
    std::string cause;  ///< known by signature; may be empty
    std::vector<std::string> advice;
    std::vector<std::string> last_lines;   ///< of the log
    std::vector<wheel::Finding> findings;  ///< of a refused wheel
};

using Solution = std::shared_ptr<const resolve::Resolution>;

/// How a wheel came to be there.
enum class Outcome { built, reused, pre_built };
[[nodiscard]] std::string_view outcome_name(Outcome outcome) noexcept;

struct Pinned {};
/// The source is known; its build scope is being solved.
struct Scoping {
    std::shared_ptr<const PreparedSource> source;
    std::optional<std::vector<std::string>> dynamic_requires;
};
/// Waits for the wheels of its build environment.
struct Waiting {
    std::shared_ptr<const PreparedSource> source;
    std::optional<std::vector<std::string>> dynamic_requires;
    Solution scope;
    std::set<plugin::PackageId> missing;
};
/// Can be built as soon as there is room.
struct Ready {
    std::shared_ptr<const PreparedSource> source;
    std::optional<std::vector<std::string>> dynamic_requires;
    Solution scope;
};
struct Building {
    std::shared_ptr<const PreparedSource> source;
    Solution scope;
    unsigned cores = 1;
};
struct Published {
    Outcome outcome = Outcome::built;
    store::Entry entry;  ///< of a pre-built wheel only wheel, filename, sha256, payload
    pep::Metadata metadata;
    std::shared_ptr<const PreparedSource> source;  ///< null for a pre-built wheel
    Solution scope;                                ///< null for a pre-built wheel
    std::vector<wheel::Finding> findings;
    std::vector<plugin::StepMeasure> steps;
    std::vector<std::string> drift;  ///< weak inputs that differ from those it was built from
};
/// Nothing was built yet: its metadata hook has told what it requires.
struct Described {
    pep::Metadata metadata;
    std::shared_ptr<const PreparedSource> source;
    std::optional<std::vector<std::string>> dynamic_requires;
    Solution scope;
};
/// A build scope without solution, for whoever looks for a way out.
struct UnsolvedScope {
    resolve::Problem problem;
    resolve::Conflict conflict;
};
struct Failed {
    Failure failure;
    std::shared_ptr<const UnsolvedScope> unsolved{};
};
struct Blocked {
    plugin::PackageId by;
};
/// With --plan: would have to be built, or fetched.
struct Planned {
    std::shared_ptr<const PreparedSource> source;  ///< null for a pre-built wheel
    Solution scope;                                ///< null for a pre-built wheel
};
struct Cancelled {};

using JobState = std::variant<
    Pinned,
    Scoping,
    Waiting,
    Ready,
    Building,
    Published,
    Described,
    Failed,
    Blocked,
    Planned,
    Cancelled>;

struct Job {
    plugin::PackageId id;
    JobState state;
    std::set<plugin::PackageId> wanted_by;  ///< jobs whose environment it belongs to
    bool to_describe = false;               ///< what it requires is all that is wanted so far
    std::string log;                        ///< path, empty until something was logged
    double seconds = 0;                     ///< wall time of its own work

    [[nodiscard]] bool is_finished() const noexcept {
        return std::holds_alternative<Published>(state) || std::holds_alternative<Failed>(state)
               || std::holds_alternative<Blocked>(state) || std::holds_alternative<Planned>(state)
               || is_described() || std::holds_alternative<Cancelled>(state);
    }
    [[nodiscard]] bool is_described() const noexcept {
        return std::holds_alternative<Described>(state);
    }
    [[nodiscard]] const Published* published() const noexcept {
        return std::get_if<Published>(&state);
    }
};

}  // namespace wheelforge::engine
