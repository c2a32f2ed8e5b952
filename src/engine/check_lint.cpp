// SPDX-License-Identifier: Apache-2.0
#include "engine/check_lint.hpp"

#include <algorithm>

#include "base/archive.hpp"
#include "base/files.hpp"
#include "engine/tree_lint.hpp"
#include "source/patching.hpp"

namespace wheelforge::engine {
namespace {

/// What the tree would be asked with, were it built.
TreeToLint subject_of(const PreparedSource& source, const BootstrapRequest& request) {
    TreeToLint subject;
    subject.family = request.judgement.variant.family;
    subject.own = source.variables;
    for (const auto& variable : source.environment.variables) {
        subject.others.insert(variable.name);
    }
    for (const auto& passed : request.passed_variables) {
        subject.others.insert(passed.substr(0, passed.find('=')));
    }
    for (const auto& requirement : source.build_requires) {
        subject.build_requires.insert(requirement.name);
    }
    return subject;
}

std::vector<wheel::Finding>
lint_one(Session& session, const BootstrapRequest& request, const PreparedSource& source) {
    const auto archive =
        session.recipes.recipe_for(source.id.name).source(source.id, source.file, session.tools);
    auto subject = subject_of(source, request);
    const auto patches = config::patches_for(source.settings.patches, source.id.version);
    if (patches.empty()) {
        subject.tree = wheel::files_of_archive(archive.path);
        return lint_tree(subject);
    }
    const auto scratch = session.store.scratch();
    const auto tree = unpack_archive(archive.path, scratch.path() / "tree").root;
    source::apply_patches(patches, tree);
    subject.tree = wheel::files_of_folder(tree);
    return lint_tree(subject);
}

CheckFinding told(const plugin::PackageId& id, const wheel::Finding& found) {
    CheckFinding finding;
    finding.id = found.id;
    finding.blocks = false;
    finding.package = id.name;
    finding.origin = found.file;
    finding.message = id.text() + ": " + found.evidence;
    if (!found.advice.empty()) {
        finding.advice.push_back(found.advice);
    }
    return finding;
}

}  // namespace

std::vector<CheckFinding> lint_sources(
    Session& session, const BootstrapRequest& request, const std::vector<plugin::PackageId>& ids
) {
    const bool is_accelerated = request.judgement.variant.family != "cpu";
    std::vector<CheckFinding> findings;
    for (const auto& id : ids) {
        if (session.stop.stop_requested()) {
            break;
        }
        const auto source = session.sources.find(id);
        if (source == nullptr || (!is_accelerated && source->variables.empty())) {
            continue;
        }
        try {
            for (const auto& found : lint_one(session, request, *source)) {
                if (found.level >= wheel::Level::warn) {
                    findings.push_back(told(id, found));
                }
            }
        } catch (const Error& error) {
            session.notice("not read: the source of " + id.text() + ": " + error.message());
        }
    }
    return findings;
}

}  // namespace wheelforge::engine
