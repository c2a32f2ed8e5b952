// SPDX-License-Identifier: Apache-2.0
#include "engine/check.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/core.h>

#include "base/text.hpp"
#include "engine/check_judge.hpp"
#include "engine/check_lint.hpp"
#include "engine/check_scopes.hpp"
#include "engine/check_tags.hpp"
#include "engine/suggestions.hpp"

namespace wheelforge::engine {
namespace {

/// Each round mends one thing at least; a stack with more that is wrong has heard enough.
constexpr int most_sweeps = 300;

BootstrapRequest looking_only(BootstrapRequest request) {
    request.plan_only = true;
    request.keep_going = true;
    return request;
}

/// Sources that cannot be used are findings of their own, told when their turn comes.
bool is_finding(const std::exception_ptr& failure) {
    const auto code = failure_from(failure).code;
    return code != ExitCode::surroundings && code != ExitCode::bug;
}

class Check {
public:
    Check(BootstrapRequest request, Observer& observer)
        : request_(looking_only(std::move(request))), session_(request_, observer, {}) {
        session_.requirements.tolerate(is_finding);
    }

    CheckReport run(const std::stop_token& stop);

private:
    void run_loop(const std::function<void()>& first);
    void judge_lines();
    bool sweep();
    bool mend(const ScopeSweep::DeadEnd& dead_end);
    bool mend_links(const ScopeSweep::DeadEnd& dead_end);
    [[nodiscard]] std::vector<std::string> ways_out(const ScopeSweep::DeadEnd& dead_end);
    void relax(const resolve::Conflict& conflict);
    bool note(CheckFinding finding);
    void note_bad_sources();
    void note_ring();
    void note_what_nobody_needs();
    void note_idle_variables();
    void note_unused_line(const resolve::Wanted& line);
    void describe();
    [[nodiscard]] std::string line_of(const std::string& name) const;
    [[nodiscard]] std::set<std::string> names_in_sets() const;
    [[nodiscard]] bool was_mended(const std::string& name) const;

    BootstrapRequest request_;
    std::vector<resolve::Wanted> stated_constraints_ = request_.constraints;
    std::vector<resolve::Wanted> stated_roots_ = request_.roots;
    Session session_;
    std::unique_ptr<ScopeSweep> sweep_;
    CheckReport report_;
    std::optional<std::chrono::steady_clock::time_point> suggestions_end_;  ///< once begun
};

/// Runs `first` and what comes of it to the end.
void Check::run_loop(const std::function<void()>& first) {
    session_.loop.soon(first);
    session_.loop.run([this] {
        if (session_.stop.stop_requested()) {
            throw Error(request_.stopped_by(), "stopped", "the check was stopped");
        }
    });
}

bool Check::note(CheckFinding finding) {
    const bool known =
        std::any_of(report_.findings.begin(), report_.findings.end(), [&](const auto& each) {
            return each.id == finding.id && each.message == finding.message
                   && each.origin == finding.origin;
        });
    if (!known) {
        report_.findings.push_back(std::move(finding));
    }
    return !known;
}

/// The user's line about a package, a constraint before a root.
std::string Check::line_of(const std::string& name) const {
    for (const auto* lines : {&stated_constraints_, &stated_roots_}) {
        for (const auto& line : *lines) {
            if (line.requirement.name == name) {
                return line.origin.text;
            }
        }
    }
    return {};
}

/// What can be said of each wanted line by itself, before anything is solved.
void Check::judge_lines() {
    run_loop([this] {
        for (const auto* lines : {&request_.roots, &request_.constraints}) {
            for (const auto& line : *lines) {
                if (!line.requirement.url) {
                    session_.catalog.want(line.requirement.name, [] {});
                }
            }
        }
    });
    for (const auto& line : request_.roots) {
        const auto& marker = line.requirement.marker;
        const bool is_out = marker && !marker->evaluate(request_.interpreter.target.markers);
        if (is_out || line.requirement.url) {
            continue;
        }
        if (auto finding =
                judge_requirement(line.requirement, session_.catalog, request_.settings)) {
            finding->origin = line_of(line.requirement.name);
            assume_mended(*finding, request_.settings, session_.catalog);
            note(std::move(*finding));
        }
    }
}

/// A link that says something about the index or settings, rather than about other links.
bool Check::mend_links(const ScopeSweep::DeadEnd& dead_end) {
    for (const auto& link : dead_end.conflict.chain) {
        const auto requirement = pep::Requirement::parse(link.requires_);
        if (!requirement || requirement->url || !session_.catalog.knows(requirement->name)) {
            continue;
        }
        auto finding = judge_requirement(*requirement, session_.catalog, request_.settings);
        if (!finding) {
            continue;
        }
        finding->origin = line_of(requirement->name);
        if (link.package != finding->origin) {
            finding->message += fmt::format("; {} requires {}", link.package, link.requires_);
        }
        if (dead_end.build && !link.package.starts_with(dead_end.conflict.scope)) {
            finding->message += fmt::format(", for {}", dead_end.conflict.scope);
        }
        assume_mended(*finding, request_.settings, session_.catalog);
        return note(std::move(*finding));
    }
    return false;
}

/// Without the last of the user's lines in it the conflict is gone, and others come to light.
void Check::relax(const resolve::Conflict& conflict) {
    if (conflict.lines.empty()) {
        return;
    }
    const auto& line = conflict.lines.back();
    auto& lines = line.constraint ? request_.constraints : request_.roots;
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(line.index));
}

/// All dead ends together get the time that one may take.
std::vector<std::string> Check::ways_out(const ScopeSweep::DeadEnd& dead_end) {
    if (!suggestions_end_) {
        suggestions_end_ = std::chrono::steady_clock::now() + time_for_suggestions;
    }
    return suggestions(
        session_, sweep_->scopes(), {dead_end.problem, dead_end.conflict}, *suggestions_end_
    );
}

/// @returns whether another round may find more
bool Check::mend(const ScopeSweep::DeadEnd& dead_end) {
    if (mend_links(dead_end)) {
        return true;
    }
    const auto failure = session_.no_solution(dead_end.conflict);
    CheckFinding finding;
    finding.id = "no-solution";
    finding.package = dead_end.build ? dead_end.build->name : std::string();
    finding.message = failure.message;
    finding.advice = failure.advice;
    for (auto& line : ways_out(dead_end)) {
        finding.advice.push_back(std::move(line));
    }
    if (dead_end.build) {
        finding.advice.push_back(
            "constrain " + dead_end.build->name
            + " to a version whose build requirements can be had, or take it as a wheel: "
              "--pre-built "
            + dead_end.build->name
        );
    } else if (!dead_end.conflict.lines.empty()) {
        const auto& line = dead_end.conflict.lines.back();
        const auto& lines = line.constraint ? request_.constraints : request_.roots;
        finding.origin = lines.at(line.index).origin.text;
    }
    const bool is_new = note(std::move(finding));
    if (dead_end.build || !is_new || dead_end.conflict.lines.empty()) {
        return false;
    }
    relax(dead_end.conflict);
    return true;
}

/// Solves everything once. @returns whether something was mended and another round may find more
bool Check::sweep() {
    sweep_ = std::make_unique<ScopeSweep>(session_, request_);
    run_loop([this] { sweep_->start(); });
    bool again = false;
    for (const auto& dead_end : sweep_->dead_ends()) {
        again = mend(dead_end) || again;
    }
    return again;
}

void Check::note_bad_sources() {
    for (const auto& [id, failure] : sweep_->bad_sources()) {
        CheckFinding finding;
        finding.id = failure.id;
        finding.package = id.name;
        finding.origin = line_of(id.name);
        finding.message = failure.message;
        finding.advice = failure.advice;
        note(std::move(finding));
    }
}

void Check::note_ring() {
    const auto ring = sweep_->ring();
    if (ring.empty()) {
        return;
    }
    CheckFinding finding;
    finding.id = "build-cycle";
    finding.package = ring.front().name;
    finding.message = "a ring of build requirements: ";
    for (const auto& id : ring) {
        finding.message += id.text() + " needs ";
    }
    finding.message += ring.front().text();
    finding.advice.push_back(
        "take one of them as a wheel, or constrain one to a version that does not need the other"
    );
    note(std::move(finding));
}

std::set<std::string> Check::names_in_sets() const {
    std::set<std::string> names;
    if (const auto& runtime = sweep_->runtime()) {
        for (const auto& pin : runtime->pins) {
            names.insert(pin.name);
        }
    }
    for (const auto& [id, needed] : sweep_->builds()) {
        names.insert(id.name);
        for (const auto& each : needed) {
            names.insert(each.name);
        }
    }
    for (const auto& tool : session_.installed) {
        names.insert(tool.name);
    }
    return names;
}

bool Check::was_mended(const std::string& name) const {
    return std::any_of(report_.findings.begin(), report_.findings.end(), [&](const auto& each) {
        return each.package == name;
    });
}

void Check::note_unused_line(const resolve::Wanted& line) {
    const auto& name = line.requirement.name;
    CheckFinding finding;
    finding.id = "constraint-unused";
    finding.blocks = false;
    finding.package = name;
    finding.origin = line.origin.text;
    finding.message = fmt::format("constrains {}, which nothing here needs", name);
    if (const auto present = request_.settings.renamed(name)) {
        finding.message += "; the project is called " + *present + " now";
        finding.advice.push_back("write " + *present + " in its place");
    }
    note(std::move(finding));
}

/// Pins and settings that do nothing are said aloud: a rename may be behind it.
void Check::note_what_nobody_needs() {
    const auto needed = names_in_sets();
    const auto is_needed = [&](const std::string& name) {
        return needed.contains(name) || was_mended(name);
    };
    for (const auto& line : stated_constraints_) {
        const auto& marker = line.requirement.marker;
        const bool holds = !marker || marker->evaluate(request_.interpreter.target.markers);
        if (holds && !is_needed(line.requirement.name)) {
            note_unused_line(line);
        }
    }
    for (const auto& [name, origin] : request_.settings.named()) {
        if (!is_needed(name)) {
            CheckFinding finding;
            finding.id = "settings-unused";
            finding.blocks = false;
            finding.package = name;
            finding.origin = origin;
            finding.message = fmt::format("settings for {}, which nothing here needs", name);
            note(std::move(finding));
        }
    }
}

void Check::note_idle_variables() {
    std::vector<plugin::PackageId> ids;
    for (const auto& [id, needed] : sweep_->builds()) {
        ids.push_back(id);
    }
    for (auto& finding : lint_sources(session_, request_, ids)) {
        note(std::move(finding));
    }
}

void Check::describe() {
    report_.variant = request_.here.variant.name;
    report_.python = request_.interpreter.target.python.text();
    report_.notices = session_.notices;
    std::set<plugin::PackageId> runtime;
    if (sweep_ && sweep_->runtime()) {
        for (const auto& pin : sweep_->runtime()->pins) {
            runtime.insert({pin.name, pin.version});
        }
    }
    const auto add = [&](const plugin::PackageId& id, const char* source) {
        report_.packages.push_back({id.name, id.version.text(), runtime.contains(id), source});
    };
    for (const auto& [id, needed] : sweep_->builds()) {
        add(id, "sdist");
    }
    for (const auto& id : sweep_->wheels()) {
        add(id, "wheel");
    }
    std::sort(report_.packages.begin(), report_.packages.end(), [](const auto& a, const auto& b) {
        return std::tie(a.name, a.version) < std::tie(b.name, b.version);
    });
    report_.build_scopes = sweep_->builds().size();
    std::stable_sort(
        report_.findings.begin(),
        report_.findings.end(),
        [](const auto& a, const auto& b) { return a.blocks && !b.blocks; }
    );
}

CheckReport Check::run(const std::stop_token& stop) {
    const auto started = std::chrono::steady_clock::now();
    const std::stop_callback end(stop, [this] {
        session_.stop_source.request_stop();
        session_.index.stop();
        session_.loop.post([] {});
    });
    judge_lines();
    for (int round = 0; round < most_sweeps && sweep(); ++round) {
    }
    note_bad_sources();
    note_ring();
    note_what_nobody_needs();
    note_idle_variables();
    ask_for_tags(report_.findings, request_, session_.stop);
    describe();
    report_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return std::move(report_);
}

}  // namespace

std::size_t CheckReport::blocking() const {
    return static_cast<std::size_t>(std::count_if(
        findings.begin(), findings.end(), [](const auto& each) { return each.blocks; }
    ));
}

ExitCode CheckReport::exit_code() const {
    return blocking() > 0 ? ExitCode::unsatisfiable : ExitCode::ok;
}

CheckReport check(BootstrapRequest request, Observer& observer, std::stop_token stop) {
    return Check(std::move(request), observer).run(stop);
}

}  // namespace wheelforge::engine
