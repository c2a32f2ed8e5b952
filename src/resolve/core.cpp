// SPDX-License-Identifier: Apache-2.0
#include "resolve/core.hpp"

#include <algorithm>
#include <numeric>

namespace wheelforge::resolve {

namespace {

/// Incompatibilities handled while minimising; a matter of a second. A core that is larger than
/// need be is still right.
constexpr std::size_t most_effort = 2'000'000;

/// The order in which the story wants them to come to bear: what the user says comes first.
int rank(const Fact& fact) {
    switch (fact.kind) {
    case Fact::Kind::requirement:
        return fact.subject == nobody ? 0 : 4;
    case Fact::Kind::constraint:
    case Fact::Kind::lock:
    case Fact::Kind::replacement:
        return 1;
    case Fact::Kind::unusable:
    case Fact::Kind::ruled_out:
        return 2;
    default:
        return 3;
    }
}

}  // namespace

Core::Core(const Model& model) : model_(&model) {
    const Search& search = model.search();
    for (const ClauseId id : search.refutation()) {
        const Incompatibility& clause = search.clause(id);
        if (clause.fact()->kind == Fact::Kind::same_version) {
            continue;
        }
        Item item{clause.terms, *clause.fact()};
        for (Term& term : item.terms) {
            term.package = number(term.package);
        }
        items_.push_back(std::move(item));
    }
    minimise();
    std::stable_sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
        return rank(a.fact) < rank(b.fact);
    });
}

PackageId Core::number(PackageId package) {
    if (const auto found = numbers_.find(package); found != numbers_.end()) {
        return found->second;
    }
    const PackageId base = model_->search().base_of(package);
    const PackageId base_number = base == nobody ? nobody : number(base);
    const auto own = static_cast<PackageId>(packages_.size());
    packages_.push_back({package, base_number, model_->catalogue(package).size()});
    numbers_[package] = own;
    return own;
}

Search Core::search(const Selection& selection) const {
    Search search;
    for (const Package& package : packages_) {
        search.add_package(package.offers, package.base);
    }
    for (const std::size_t index : selection) {
        search.add_fact(items_[index].terms, items_[index].fact);
    }
    return search;
}

Search Core::search() const {
    Selection all(items_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return search(all);
}

std::optional<Core::Selection> Core::refute(const Selection& selection) {
    Search search = this->search(selection);
    effort_ += selection.size() + packages_.size();
    while (search.settle()) {
        const std::optional<PackageId> next = search.solution().next_undecided();
        if (!next || effort_ > most_effort) {
            return std::nullopt;
        }
        effort_ += selection.size();
        const StateSet& known = search.solution().known(*next);
        search.decide(*next, StateSet::only(known.offers(), known.highest()));
    }
    Selection result;
    for (const ClauseId clause : search.refutation()) {
        if (clause < selection.size()) {
            result.push_back(selection[clause]);
        }
    }
    return result;
}

/// Tries to do without each run of `length` items, the latest (that is, the deepest) first.
Core::Selection Core::without_slices(Selection selection, std::size_t length) {
    std::size_t end = selection.size();
    while (end > 0 && effort_ <= most_effort) {
        const std::size_t begin = end > length ? end - length : 0;
        Selection rest = selection;
        rest.erase(
            rest.begin() + static_cast<std::ptrdiff_t>(begin),
            rest.begin() + static_cast<std::ptrdiff_t>(end)
        );
        if (std::optional<Selection> smaller = refute(rest)) {
            selection = *std::move(smaller);
        }
        end = std::min(begin, selection.size());
    }
    return selection;
}

void Core::minimise() {
    Selection selection(items_.size());
    std::iota(selection.begin(), selection.end(), std::size_t{0});
    for (std::size_t length = selection.size() / 2; length > 0; length /= 2) {
        selection = without_slices(std::move(selection), length);
    }
    std::vector<Item> kept;
    for (const std::size_t index : selection) {
        kept.push_back(std::move(items_[index]));
    }
    items_ = std::move(kept);
}

}  // namespace wheelforge::resolve
