// SPDX-License-Identifier: Apache-2.0
#include "engine/resolution.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/core.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/http.hpp"
#include "base/text.hpp"
#include "engine/build_scopes.hpp"
#include "engine/suggestions.hpp"
#include "pep/requirement_credentials.hpp"

namespace wheelforge::engine {
namespace {

/// Versions that --backtrack-builds may rule out before it gives up.
constexpr int most_resolutions = 200;

resolve::Conflict conflict_of(const std::vector<plugin::PackageId>& ring) {
    resolve::Conflict conflict;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        conflict.chain.push_back(
            {ring[i].text(), ring[(i + 1) % ring.size()].key(), "the build of " + ring[i].text()}
        );
    }
    return conflict;
}

/// What of its file says where it is from.
void set_origin(ResolvedPackage& package, const index::DistributionFile& file) {
    const auto path = path_of_file_url(file.url);
    package.is_folder = path && fs::is_directory(*path);
    package.digests = file.hashes;
    if ((package.source == "sdist" || package.source == "wheel") && !path) {
        package.index_url = file.index_url;
    }
}

class ResolveRun {
public:
    ResolveRun(const BootstrapRequest& request, ResolveDepth depth, Observer& observer)
        : request_(request), depth_(depth), session_(request, observer, request.previous) {}
    Resolved run(const std::stop_token& stop);

private:
    void solve();
    void solve_builds();
    void judge_builds();
    bool rule_out_unbuildable();
    void tell_conflict(const resolve::Conflict& conflict, const resolve::Problem& problem);
    void add_suggestions(Failure& failure, const std::vector<std::string>& lines);
    [[nodiscard]] WaysOut ways_out_of_builds();
    void describe();
    void complete_digests(ResolvedPackage& package, const index::DistributionFile& file);
    [[nodiscard]] ResolvedPackage package_of(const resolve::Pin& pin) const;
    [[nodiscard]] std::map<plugin::PackageId, Job> jobs() const;

    const BootstrapRequest& request_;
    ResolveDepth depth_;
    Session session_;
    std::unique_ptr<Scopes> scopes_;
    std::unique_ptr<BuildScopes> builds_;
    Solution runtime_;
    std::optional<resolve::Conflict> conflict_;
    std::chrono::steady_clock::time_point suggestions_end_;
    Resolved result_;
};

void ResolveRun::solve() {
    builds_.reset();
    conflict_.reset();
    runtime_.reset();
    scopes_ = std::make_unique<Scopes>(
        session_.loop, session_.catalog, session_.requirements, session_.installed
    );
    scopes_->solve_runtime(
        runtime_problem(request_, request_.previous),
        [this](const Scopes::Answer& answer) {
            if (const auto* conflict = std::get_if<resolve::Conflict>(&answer)) {
                conflict_ = *conflict;
                return;
            }
            runtime_ = std::get<Solution>(answer);
            session_.observer.resolved("the runtime set", runtime_->pins.size());
            if (!depth_.runtime_only) {
                solve_builds();
            }
        }
    );
}

void ResolveRun::solve_builds() {
    builds_ = std::make_unique<BuildScopes>(session_, *scopes_, runtime_, request_.previous);
    for (const auto& pin : runtime_->pins) {
        builds_->want({pin.name, pin.version});
    }
}

/// Learns every build scope without solution as a fact about its version. @returns whether there
/// was one, so that the set is to be solved again
bool ResolveRun::rule_out_unbuildable() {
    bool any = false;
    if (!request_.backtrack_builds || !builds_) {
        return any;
    }
    for (const auto& [id, build] : builds_->all()) {
        if (build.conflict) {
            any = true;
            session_.rule_out(id, build.conflict->prose);
        }
    }
    return any;
}

void ResolveRun::tell_conflict(const resolve::Conflict& conflict, const resolve::Problem& problem) {
    result_.failure = session_.no_solution(conflict);
    result_.conflicts = {conflict};
    add_suggestions(
        *result_.failure, suggestions(session_, *scopes_, {problem, conflict}, suggestions_end_)
    );
}

/// As advice, and each once among those of the run.
void ResolveRun::add_suggestions(Failure& failure, const std::vector<std::string>& lines) {
    auto& all = result_.suggestions;
    for (const auto& line : lines) {
        failure.advice.push_back(line);
        if (std::find(all.begin(), all.end(), line) == all.end()) {
            all.push_back(line);
        }
    }
}

WaysOut ResolveRun::ways_out_of_builds() {
    UnsolvedScopes unsolved;
    for (const auto& [id, build] : builds_->all()) {
        if (build.conflict) {
            unsolved.emplace(id, builds_->unsolved(build));
        }
    }
    return ways_out(session_, *scopes_, unsolved, suggestions_end_);
}

/// The first thing that keeps a distribution from being built ends the run; all are told.
void ResolveRun::judge_builds() {
    const auto ways = ways_out_of_builds();
    for (const auto& [id, build] : builds_->all()) {
        Failure failure;
        if (build.conflict) {
            failure = session_.no_solution(*build.conflict);
            if (const auto way = ways.find(id); way != ways.end()) {
                add_suggestions(failure, way->second);
            }
            failure.advice.push_back(
                "constrain " + id.name + " to a version whose build requirements can be had (-c), "
                + "let the solver look for one (--backtrack-builds), or take it as a wheel: "
                + "--pre-built " + id.name
            );
            result_.conflicts.push_back(*build.conflict);
        } else if (build.failure) {
            failure = *build.failure;
        } else {
            continue;
        }
        if (result_.failure) {
            result_.failure->message += "\n" + failure.message;
            result_.failure->code = worse(result_.failure->code, failure.code);
            result_.failure->advice.insert(
                result_.failure->advice.end(), failure.advice.begin(), failure.advice.end()
            );
        } else {
            result_.failure = std::move(failure);
        }
    }
    if (const auto ring = builds_->ring(); !ring.empty() && !result_.failure) {
        result_.failure = ring_failure(ring);
        result_.conflicts.push_back(conflict_of(ring));
    }
}

ResolvedPackage ResolveRun::package_of(const resolve::Pin& pin) const {
    ResolvedPackage package;
    package.name = pin.name;
    package.version = pin.version.text();
    package.extras = pin.extras;
    package.exact = pin.exact;
    const auto* offered = session_.catalog.find(pin.name, pin.version);
    if (offered != nullptr && offered->file) {
        const auto& file = *offered->file;
        package.source = session_.catalog.source_kind(*offered);
        package.filename = file.filename;
        package.url = without_credentials(file.url);
        package.subdirectory = offered->subdirectory;
        package.size = file.size;
        set_origin(package, file);
        if (file.requires_python) {
            package.requires_python = file.requires_python->text();
        }
    }
    const auto source = session_.sources.find({pin.name, pin.version});
    if (source) {
        package.digests["sha256"] = source->sha256;
    }
    for (const auto& edge : pin.requires_) {
        package.requires_.push_back(pep::without_credentials(edge.requirement).text_without_marker()
        );
        if (edge.to != pin.name) {
            package.depends_on.push_back(edge.to);
        }
    }
    for (auto* list : {&package.requires_, &package.depends_on}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return package;
}

/// As graphs want them: what would be built, and what would be taken.
std::map<plugin::PackageId, Job> ResolveRun::jobs() const {
    std::map<plugin::PackageId, Job> jobs;
    const auto add = [&](const plugin::PackageId& id, const PlannedBuild& build) {
        Job& job = jobs[id];
        job.id = id;
        if (build.source) {
            job.state = Planned{build.source, build.scope};
            return;
        }
        Published taken;
        taken.outcome = Outcome::pre_built;
        if (const auto* offered = session_.catalog.find(id.name, id.version);
            offered != nullptr && offered->file) {
            taken.entry.filename = offered->file->filename;
            const auto digest = offered->file->hashes.find("sha256");
            taken.entry.sha256 = digest == offered->file->hashes.end() ? "" : digest->second;
        }
        job.state = std::move(taken);
    };
    for (const auto& pin : runtime_->pins) {
        const plugin::PackageId id{pin.name, pin.version};
        PlannedBuild build;
        build.source = session_.catalog.is_wheel(id) ? nullptr : session_.sources.find(id);
        add(id, build);
    }
    if (builds_) {
        for (const auto& [id, build] : builds_->all()) {
            add(id, build);
        }
    }
    return jobs;
}

/// Local files are read; others are fetched when every digest is wanted.
void ResolveRun::complete_digests(ResolvedPackage& package, const index::DistributionFile& file) {
    if (index::has_strong_hash(package.digests)) {
        return;
    }
    if (const auto path = path_of_file_url(file.url)) {
        package.digests["sha256"] = sha256_file(*path);
    } else if (depth_.every_digest) {
        package.digests["sha256"] =
            plugin::fetch(session_.index, file, session_.store.sources()).sha256;
    }
}

void ResolveRun::describe() {
    for (const auto& pin : runtime_->pins) {
        auto& package = result_.packages.emplace_back(package_of(pin));
        if (const auto* offered = session_.catalog.find(pin.name, pin.version);
            offered != nullptr && offered->file) {
            complete_digests(package, *offered->file);
        }
        if (!pin.missing_extras.empty()) {
            session_.notice(fmt::format(
                "{} {} has no extra {}",
                pin.name,
                pin.version.text(),
                join(
                    std::vector<std::string>(pin.missing_extras.begin(), pin.missing_extras.end()),
                    ", "
                )
            ));
        }
    }
    result_.graph =
        make_graph(request_.here.variant.name, request_.interpreter.target, *runtime_, jobs());
    for (auto& [key, node] : result_.graph.nodes) {
        const auto version = pep::Version::parse(node.version);
        const auto* offered = version ? session_.catalog.find(node.name, *version) : nullptr;
        if (offered != nullptr && offered->file) {
            node.url = without_credentials(offered->file->url);
            node.filename = offered->file->filename;
            node.source_kind = session_.catalog.source_kind(*offered);
        }
    }
    if (!builds_) {
        return;
    }
    std::size_t unasked = 0;
    for (const auto& [id, build] : builds_->all()) {
        if (build.scope) {
            auto& tools = result_.builds[id.key()];
            for (const auto& pin : build.scope->pins) {
                tools.push_back(pin.name + "==" + pin.version.text());
            }
            unasked += build.hook_asked ? 0 : 1;
        }
    }
    if (unasked > 0) {
        session_.notice(fmt::format(
            "{} build scopes may grow: get_requires_for_build_wheel was never asked", unasked
        ));
    }
}

Resolved ResolveRun::run(const std::stop_token& stop) {
    const auto& target = request_.interpreter.target;
    result_.target_python = target.python.text();
    result_.environment = fmt::format(
        "implementation_name == 'cpython' and sys_platform == 'linux' and platform_machine == "
        "'{}' and python_full_version == '{}'",
        target.machine,
        target.python.text()
    );
    const std::stop_callback end(stop, [this] {
        session_.stop_source.request_stop();
        session_.index.stop();
        session_.loop.post([] {});
    });
    try {
        for (int round = 0; round < most_resolutions; ++round) {
            session_.loop.soon([this] { solve(); });
            session_.loop.run([this] { session_.early.schedule(); });
            if (!rule_out_unbuildable()) {
                break;
            }
        }
        suggestions_end_ = std::chrono::steady_clock::now() + time_for_suggestions;
        if (conflict_) {
            tell_conflict(*conflict_, runtime_problem(request_, request_.previous));
        } else if (runtime_) {
            if (builds_) {
                judge_builds();
            }
            describe();
        } else {
            result_.failure = session_.early_failure();
        }
    } catch (...) {
        result_.failure = failure_from(std::current_exception());
    }
    const bool cancelled = session_.stop.stop_requested();
    session_.stop_source.request_stop();
    result_.notices = session_.notices;
    result_.exit_code = cancelled         ? request_.stopped_by()
                        : result_.failure ? result_.failure->code
                                          : ExitCode::ok;
    return std::move(result_);
}

}  // namespace

Resolved resolve_only(
    const BootstrapRequest& request, ResolveDepth depth, Observer& observer, std::stop_token stop
) {
    return ResolveRun(request, depth, observer).run(stop);
}

}  // namespace wheelforge::engine
