// SPDX-License-Identifier: Apache-2.0
// The part of the resolver that tells the solution.
#include <algorithm>

#include "resolve/line.hpp"
#include "resolve/state.hpp"

namespace wheelforge::resolve {

namespace {

void sort_edges(std::vector<Edge>& edges) {
    std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return a.to < b.to;
    });
}

}  // namespace

Resolution Resolver::State::resolution() {
    Resolution result;
    const Search& search = model->search();
    for (PackageId package = 0; package < search.package_count(); ++package) {
        if (search.base_of(package) == nobody && search.solution().decided(package)) {
            result.pins.push_back(pin(package, search.solution().known(package).highest()));
        }
    }
    std::sort(result.pins.begin(), result.pins.end(), [](const Pin& a, const Pin& b) {
        return a.name < b.name;
    });
    add_coupled(result.pins);
    for (Pin& pin : result.pins) {
        sort_edges(pin.requires_);
    }
    result.roots = root_edges();
    return result;
}

std::vector<Edge> Resolver::State::root_edges() const {
    std::vector<Edge> edges;
    for (const Wanted& root : problem.roots) {
        if (applies(root, problem)) {
            edges.push_back({root.requirement.name, root.requirement, root.origin});
        }
    }
    for (const Coupling& coupling : problem.couplings) {
        if (coupling.when.empty() && coupling.adds) {
            for (const pep::Requirement& requirement : coupling.require) {
                edges.push_back({requirement.name, requirement, coupling.origin});
            }
        }
    }
    return edges;
}

Pin Resolver::State::pin(PackageId package, std::size_t offer) {
    const std::string& name = model->name(package);
    Pin result;
    result.name = name;
    result.version = model->version(package, offer);
    result.url = model->catalogue(package).url();
    result.exact = answers.requirements_of(name, result.version)->exact;
    add_edges(result, "");
    add_extras(result, package);
    return result;
}

void Resolver::State::add_extras(Pin& pin, PackageId package) {
    const Search& search = model->search();
    const auto& provided = answers.requirements_of(pin.name, pin.version)->provides_extra;
    for (const PackageId other : search.extras_of(package)) {
        if (!search.solution().decided(other)) {
            continue;
        }
        const std::string& extra = model->extra(other);
        pin.extras.insert(extra);
        if (provided && !provided->contains(extra)) {
            pin.missing_extras.insert(extra);
        }
    }
    for (const std::string& extra : pin.extras) {
        add_edges(pin, extra);
    }
}

void Resolver::State::add_edges(Pin& pin, const std::string& extra) {
    const Origin origin{Origin::Kind::package, pin.name + " " + pin.version.text()};
    for (const auto* requirement : answers.active(pin.name, pin.version, extra).requirements) {
        if (requirement->name == pin.name) {
            continue;
        }
        const std::string text = requirement->text_without_marker();
        const bool known =
            std::any_of(pin.requires_.begin(), pin.requires_.end(), [&text](const Edge& edge) {
                return edge.requirement.text_without_marker() == text;
            });
        if (!known) {
            pin.requires_.push_back({requirement->name, *requirement, origin});
        }
    }
}

/// What couplings brought in hangs below the first package of their condition.
void Resolver::State::add_coupled(std::vector<Pin>& pins) const {
    const auto find = [&pins](const std::string& name) {
        return std::find_if(pins.begin(), pins.end(), [&](const Pin& pin) {
            return pin.name == name;
        });
    };
    const auto holds = [&](const pep::Requirement& requirement) {
        const auto pin = find(requirement.name);
        return pin != pins.end()
               && (requirement.url ? pin->url == requirement.url
                                   : requirement.specifier.contains(pin->version));
    };
    for (const Coupling& coupling : problem.couplings) {
        if (coupling.when.empty() || !coupling.adds
            || !std::all_of(coupling.when.begin(), coupling.when.end(), holds)) {
            continue;
        }
        for (const pep::Requirement& requirement : coupling.require) {
            find(coupling.when.front().name)
                ->requires_.push_back({requirement.name, requirement, coupling.origin});
        }
    }
}

}  // namespace wheelforge::resolve
