// SPDX-License-Identifier: Apache-2.0
#include "pep/dependency_groups.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "pep/name.hpp"

namespace wheelforge::pep {

namespace {

// A group may be included often; doubling at every step would fill the memory.
constexpr std::size_t most_requirements = 10'000;

/// One group on the way, and the next of its items.
struct Step {
    const DependencyGroup* group;
    std::size_t next = 0;
};

class GroupResolver {
public:
    explicit GroupResolver(const DependencyGroups& groups) {
        for (const DependencyGroup& group : groups.groups) {
            by_name_[normalize_name(group.name)].push_back(&group);
        }
    }

    Parsed<std::vector<Requirement>> resolve(std::string_view name) {
        auto done = enter(name);
        while (done && !way_.empty()) {
            Step& step = way_.back();
            if (step.next == step.group->items.size()) {
                way_.pop_back();
                continue;
            }
            const DependencyGroup::Item& item = step.group->items[step.next++];
            done = item.kind == DependencyGroup::Item::Kind::include ? enter(item.text)
                                                                     : add(item.text);
        }
        if (!done) {
            return tl::unexpected(std::move(done).error());
        }
        return std::move(requirements_);
    }

private:
    using Done = Parsed<void>;

    Done enter(std::string_view name) {
        const auto place = by_name_.find(normalize_name(name));
        if (place == by_name_.end()) {
            return parse_error("there is no dependency group " + printable(name));
        }
        if (place->second.size() > 1) {
            return parse_error("two dependency groups are called " + printable(place->first));
        }
        const DependencyGroup* found = place->second.front();
        if (!found->problem.empty()) {
            return parse_error(
                "the dependency group " + printable(found->name) + " " + found->problem
            );
        }
        const bool ring = std::any_of(way_.begin(), way_.end(), [&](const Step& step) {
            return step.group == found;
        });
        if (ring) {
            return parse_error(
                "the dependency group " + printable(found->name) + " includes itself"
            );
        }
        if (++entered_ > most_requirements) {
            return parse_error("dependency groups include each other too often");
        }
        way_.push_back({found, 0});
        return {};
    }

    Done add(const std::string& text) {
        auto requirement = Requirement::parse(text);
        if (!requirement) {
            return parse_error(
                "the dependency group " + printable(way_.back().group->name) + " holds '"
                + printable(text) + "': " + requirement.error().message
            );
        }
        if (requirements_.size() == most_requirements) {
            return parse_error("a dependency group is too large");
        }
        requirements_.push_back(*std::move(requirement));
        return {};
    }

    std::map<std::string, std::vector<const DependencyGroup*>> by_name_;
    std::vector<Step> way_;
    std::vector<Requirement> requirements_;
    std::size_t entered_ = 0;
};

}  // namespace

Parsed<std::vector<Requirement>> DependencyGroups::resolve(std::string_view group) const {
    return GroupResolver(*this).resolve(group);
}

}  // namespace wheelforge::pep
