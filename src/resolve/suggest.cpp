// SPDX-License-Identifier: Apache-2.0
// Every solution must break every conflict, so only lines that take part in one are tried: a
// breadth-first walk over sets of lines, each extended by the lines of the conflict that is left.
#include "resolve/suggest.hpp"

#include <algorithm>
#include <set>

namespace wheelforge::resolve {

namespace {

using Lines = std::set<UserLine>;

Wanted& line_of(Problem& problem, const UserLine& line) {
    return line.constraint ? problem.constraints[line.index] : problem.roots[line.index];
}

bool is_relaxable(const Problem& problem, const UserLine& line) {
    const auto& lines = line.constraint ? problem.constraints : problem.roots;
    const auto& [requirement, origin] = lines[line.index];
    if (origin.kind == Origin::Kind::build) {
        return false;  // what a package asks for is not the user's to relax
    }
    return !requirement.specifier.empty() || requirement.url.has_value();
}

Problem relaxed(Problem problem, const Lines& lines) {
    for (const UserLine& line : lines) {
        pep::Requirement& requirement = line_of(problem, line).requirement;
        requirement.specifier = {};
        requirement.url.reset();
    }
    return problem;
}

Suggestion suggestion_of(const Problem& problem, const Lines& lines, Resolution resolution) {
    Suggestion result;
    Problem copy = problem;
    for (const UserLine& line : lines) {
        const Wanted& wanted = line_of(copy, line);
        const Pin* pin = resolution.find(wanted.requirement.name);
        const auto version = pin == nullptr ? std::nullopt : std::optional(pin->version);
        result.relaxations.push_back({line, wanted, version});
    }
    result.resolution = std::move(resolution);
    return result;
}

class Walk {
public:
    Walk(const Problem& problem, Answerer& answerer, const SuggestLimits& limits)
        : problem_(problem), answerer_(answerer), limits_(limits) {}

    std::vector<Suggestion> run(const Conflict& conflict) {
        std::vector<Lines> sets;
        extend({}, conflict, sets);
        for (std::size_t size = 1; size <= limits_.lines && found_.empty(); ++size) {
            std::vector<Lines> larger;
            for (const Lines& lines : sets) {
                try_set(lines, larger);
            }
            sets = std::move(larger);
        }
        return std::move(found_);
    }

private:
    void try_set(const Lines& lines, std::vector<Lines>& larger) {
        if (attempts_ == limits_.attempts || found_.size() == limits_.suggestions) {
            return;
        }
        ++attempts_;
        Outcome outcome = solve(relaxed(problem_, lines), answerer_);
        if (auto* resolution = std::get_if<Resolution>(&outcome)) {
            found_.push_back(suggestion_of(problem_, lines, std::move(*resolution)));
        } else {
            extend(lines, std::get<Conflict>(outcome), larger);
        }
    }

    /// A conflict without a line that could be relaxed ends this branch.
    void extend(const Lines& lines, const Conflict& conflict, std::vector<Lines>& larger) {
        for (const UserLine& line : conflict.lines) {
            if (is_relaxable(problem_, line) && !lines.contains(line)) {
                Lines more = lines;
                more.insert(line);
                if (seen_.insert(more).second) {
                    larger.push_back(std::move(more));
                }
            }
        }
    }

    const Problem& problem_;
    Answerer& answerer_;
    const SuggestLimits& limits_;
    std::size_t attempts_ = 0;
    std::set<Lines> seen_;
    std::vector<Suggestion> found_;
};

}  // namespace

std::vector<Suggestion> suggest(
    const Problem& problem,
    const Conflict& conflict,
    Answerer& answerer,
    const SuggestLimits& limits
) {
    return Walk(problem, answerer, limits).run(conflict);
}

}  // namespace wheelforge::resolve
