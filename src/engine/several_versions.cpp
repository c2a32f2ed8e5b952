// SPDX-License-Identifier: Apache-2.0
#include "engine/several_versions.hpp"

#include <algorithm>

#include "engine/bootstrap.hpp"
#include "engine/output.hpp"
#include "engine/session.hpp"

namespace wheelforge::engine {
namespace {

bool holds(const pep::Requirement& requirement, const BootstrapRequest& request) {
    return !requirement.marker || requirement.marker->evaluate(request.interpreter.target.markers);
}

/// Which versions of one root the lines allow.
class Allowed {
public:
    Allowed(const BootstrapRequest& request, const resolve::Wanted& root)
        : root_(root.requirement) {
        add(root_, request);
        for (const auto* lines : {&request.constraints, &request.runtime_constraints}) {
            for (const auto& line : *lines) {
                if (line.requirement.name == root_.name) {
                    add(line.requirement, request);
                }
            }
        }
        prereleases_ = prereleases_ || request.allow_prereleases
                       || config::value_or(
                           request.settings.package(root_.name).resolution.pre_releases, false
                       );
    }

    /// Highest first. Pre-releases as the resolver takes them: when asked for, or for want of
    /// anything else.
    [[nodiscard]] std::vector<pep::Version> among(const std::vector<resolve::Offer>& offers) const {
        std::vector<pep::Version> finals;
        std::vector<pep::Version> all;
        for (const auto& offer : offers) {
            const bool fits =
                std::all_of(bounds_.begin(), bounds_.end(), [&](const pep::SpecifierSet& bound) {
                    return bound.contains(offer.version);
                });
            if (!fits || offer.unusable || (offer.yanked && !pinned_)) {
                continue;
            }
            all.push_back(offer.version);
            if (!offer.version.is_prerelease()) {
                finals.push_back(offer.version);
            }
        }
        auto& taken = prereleases_ || finals.empty() ? all : finals;
        std::sort(taken.rbegin(), taken.rend());
        return std::move(taken);
    }

private:
    void add(const pep::Requirement& requirement, const BootstrapRequest& request) {
        if (!holds(requirement, request)) {
            return;
        }
        bounds_.push_back(requirement.specifier);
        prereleases_ = prereleases_ || requirement.specifier.opts_into_prereleases();
        for (const auto& each : requirement.specifier.specifiers()) {
            pinned_ = pinned_ || (each.op() == pep::Specifier::Operator::equal && !each.wildcard());
        }
    }

    const pep::Requirement& root_;
    std::vector<pep::SpecifierSet> bounds_;
    bool prereleases_ = false;
    bool pinned_ = false;
};

/// The same root, at this version and no other.
resolve::Wanted at(resolve::Wanted root, const pep::Version& version) {
    root.requirement.specifier = pep::SpecifierSet::parse("===" + version.text()).value();
    root.requirement.marker.reset();
    return root;
}

BootstrapRequest alone(BootstrapRequest request, resolve::Wanted root) {
    request.roots = {std::move(root)};
    return request;
}

std::string label_of(const BootstrapRequest& request) {
    const auto& requirement = request.roots.front().requirement;
    const auto specifier = requirement.specifier.text();
    return requirement.name + (specifier.starts_with("===") ? " " + specifier.substr(3) : "");
}

/// The versions of a name stand together, so that a set may have several.
template <typename T>
void sort_and_unite(std::vector<T>& packages) {
    const auto key = [](const T& each) {
        return std::pair(each.name, pep::Version::parse(each.version).value());
    };
    std::stable_sort(packages.begin(), packages.end(), [&](const T& a, const T& b) {
        return key(a) < key(b);
    });
    const auto same = [&](const T& a, const T& b) { return key(a) == key(b); };
    packages.erase(std::unique(packages.begin(), packages.end(), same), packages.end());
}

void add_notices(std::vector<std::string>& notices, const std::vector<std::string>& more) {
    for (const auto& line : more) {
        if (std::find(notices.begin(), notices.end(), line) == notices.end()) {
            notices.push_back(line);
        }
    }
}

void add(Resolved& all, Resolved one) {
    std::move(one.packages.begin(), one.packages.end(), std::back_inserter(all.packages));
    all.builds.merge(one.builds);
    unite(all.graph, std::move(one.graph));
    add_notices(all.notices, one.notices);
    all.target_python = one.target_python;
    all.environment = one.environment;
}

/// What an earlier set has built is no second thing that was done.
void add(Report& all, Report one) {
    for (auto& row : one.packages) {
        const auto known =
            std::find_if(all.packages.begin(), all.packages.end(), [&](const PackageRow& each) {
                return each.name == row.name && each.version == row.version;
            });
        if (known == all.packages.end()) {
            all.packages.push_back(std::move(row));
        } else {
            known->runtime = known->runtime || row.runtime;
        }
    }
    for (auto& tool : one.missing_tools) {
        all.missing_tools.push_back(std::move(tool));
    }
    add_notices(all.notices, one.notices);
    all.variant = one.variant;
    all.target = one.target;
    all.exit_code = worse(all.exit_code, one.exit_code);
    all.seconds += one.seconds;
    if (one.error && !all.error) {
        all.error = std::move(one.error);
    }
}

}  // namespace

std::vector<BootstrapRequest>
one_per_version(const BootstrapRequest& request, Observer& observer, std::stop_token stop) {
    Session session(request, observer, {});
    const std::stop_callback end(stop, [&session] {
        session.stop_source.request_stop();
        session.index.stop();
        session.loop.post([] {});
    });
    const auto is_open = [&](const resolve::Wanted& root) {
        return !root.requirement.url && !session.is_dropped(root.requirement.name)
               && !request.settings.package(root.requirement.name).resolution.override_version;
    };
    session.loop.soon([&] {
        for (const auto& root : request.roots) {
            if (holds(root.requirement, request) && is_open(root)) {
                session.catalog.want(root.requirement.name, [] {});
            }
        }
    });
    session.loop.run([&] {
        if (session.stop.stop_requested()) {
            throw Error(request.stopped_by(), "stopped", "the run was stopped");
        }
    });
    std::vector<BootstrapRequest> requests;
    for (const auto& root : request.roots) {
        if (!holds(root.requirement, request)) {
            continue;
        }
        std::vector<pep::Version> versions;
        if (is_open(root)) {
            versions = Allowed(request, root).among(session.catalog.offers(root.requirement.name));
        }
        for (const auto& version : versions) {
            requests.push_back(alone(request, at(root, version)));
        }
        if (versions.empty()) {
            requests.push_back(alone(request, root));
        }
    }
    return requests;
}

Resolved resolve_versions(
    const BootstrapRequest& request, ResolveDepth depth, Observer& observer, std::stop_token stop
) {
    Resolved all;
    std::optional<Resolved> first_failure;
    for (const auto& one : one_per_version(request, observer, stop)) {
        auto resolved = resolve_only(one, depth, observer, stop);
        if (stop.stop_requested()) {
            return resolved;
        }
        if (!resolved.failure) {
            add(all, std::move(resolved));
            continue;
        }
        const auto line = "left out: " + label_of(one) + ": " + resolved.failure->message;
        observer.notice(line);
        add_notices(all.notices, {line});
        if (!first_failure) {
            first_failure = std::move(resolved);
        }
    }
    if (all.packages.empty() && first_failure) {
        return *std::move(first_failure);
    }
    sort_and_unite(all.packages);
    return all;
}

Report
bootstrap_versions(const BootstrapRequest& request, Observer& observer, std::stop_token stop) {
    Report all;
    Harvest harvest;
    for (const auto& one : one_per_version(request, observer, stop)) {
        add(all, bootstrap(one, observer, stop, harvest));
        if (stop.stop_requested()) {
            break;
        }
    }
    OutputTree output(request.output, request.here.variant.name);
    if (!stop.stop_requested() && !request.plan_only) {
        const auto last = output.last_graph();
        output.finish(
            harvest.runtime, harvest.jobs, last ? merge(*last, harvest.graph) : harvest.graph
        );
    }
    std::stable_sort(all.packages.begin(), all.packages.end(), [](const auto& a, const auto& b) {
        return a.name < b.name;
    });
    all.first_action = first_action(all);
    output.write_report(all);
    return all;
}

}  // namespace wheelforge::engine
