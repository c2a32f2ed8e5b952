// SPDX-License-Identifier: Apache-2.0
// Resolver's inside: takes answers into the model in one fixed order and drives the search.
//
// What is decided depends on the problem and the facts only. A fact is used at its canonical
// point: the names that matter are queued in the order in which they came up, and a version's
// requirements are taken in when that version is about to be decided. What was asked ahead of that
// merely lies ready.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "resolve/answers.hpp"
#include "resolve/model.hpp"
#include "resolve/resolver.hpp"

namespace wheelforge::resolve {

struct Resolver::State {
    explicit State(Problem problem);
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    Step next();

    Problem problem;
    Answers answers;
    Statistics statistics;

    using Candidate = std::pair<PackageId, std::size_t>;  ///< package, offer

    Step advance();
    // taking names in
    void start();
    void want_name(const pep::Requirement& requirement);
    bool introduce_names();
    void introduce(const std::string& name);
    void state_roots();
    bool state_couplings();
    bool ready(const Coupling& coupling);
    // deciding
    [[nodiscard]] Candidate candidate(PackageId package) const;
    std::optional<Step> consider(const Candidate& candidate);
    bool want_names_of(const Candidate& candidate);
    void state_requirements(const Candidate& candidate);
    std::optional<std::string> flaw(const Candidate& candidate);
    void reject(const Candidate& candidate, ClauseId why);
    [[nodiscard]] const std::string& name_of(const Candidate& candidate) const {
        return model->name(candidate.first);
    }
    [[nodiscard]] const pep::Version& version_of(const Candidate& candidate) const {
        return model->version(candidate.first, candidate.second);
    }
    // asking
    Step ask();
    void ask_name(const std::string& name, NeedVersions& question);
    NeedRequirements ask_versions_ahead(const std::vector<Candidate>& candidates);
    void ask_names_ahead(const Candidate& candidate, NeedVersions& question);
    // the end
    [[nodiscard]] Resolution resolution();
    [[nodiscard]] std::vector<Edge> root_edges() const;
    [[nodiscard]] Pin pin(PackageId package, std::size_t offer);
    void add_extras(Pin& pin, PackageId package);
    void add_edges(Pin& pin, const std::string& extra);
    void add_coupled(std::vector<Pin>& pins) const;

    std::optional<Model> model;
    std::deque<std::string> waiting;  ///< names to take in, in this order
    std::set<std::string> wanted;     ///< all names that ever waited
    bool roots_stated = false;
    bool restart = false;
    std::vector<bool> coupled;   ///< by coupling: it is stated
    std::set<Candidate> stated;  ///< whose requirements have been said
    std::map<std::pair<PackageId, PackageId>, int> rejections;  ///< of a package by another
    std::set<PackageId> promoted;
    std::optional<Step> outcome;
};

}  // namespace wheelforge::resolve
