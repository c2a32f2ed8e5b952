// SPDX-License-Identifier: Apache-2.0
// Small worlds drawn by lot, checked against trying every combination.
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "support/scenario.hpp"

namespace wheelforge::resolve {
namespace {

struct World {
    Problem problem;
    test::Universe universe;
};

constexpr unsigned packages = 5;
constexpr unsigned versions = 3;

std::string name(unsigned package) {
    return std::string(1, static_cast<char>('a' + package));
}

/// "c", "c>=2", "c[x]!=1", ...
std::string requirement_text(std::mt19937& random) {
    static const std::vector<std::string> operators{"==", ">=", "<=", "!=", "<", ">"};
    std::string text = name(static_cast<unsigned>(random() % packages));
    if (random() % 4 == 0) {
        text += "[x]";
    }
    if (random() % 4 != 0) {
        text += operators[random() % operators.size()] + std::to_string(1 + random() % versions);
    }
    return text;
}

World draw(unsigned seed) {
    std::mt19937 random(seed);
    World world;
    world.problem.target = test::target();
    for (unsigned package = 0; package < packages; ++package) {
        for (unsigned version = 1; version <= versions; ++version) {
            std::vector<std::string> requirements;
            for (unsigned count = static_cast<unsigned>(random() % 3); count > 0; --count) {
                const std::string extra = random() % 4 == 0 ? "; extra == 'x'" : "";
                requirements.push_back(requirement_text(random) + extra);
            }
            if (random() % 5 != 0) {
                world.universe.add(name(package), std::to_string(version), requirements);
            }
        }
    }
    for (unsigned line = 0; line < 2; ++line) {
        const Origin origin{Origin::Kind::root, "requirements.txt:" + std::to_string(line + 1)};
        world.problem.roots.push_back({test::requirement(requirement_text(random)), origin});
    }
    if (random() % 2 == 0) {
        const Origin origin{Origin::Kind::constraint, "constraints.txt:1"};
        world.problem.constraints.push_back({test::requirement(requirement_text(random)), origin});
    }
    return world;
}

struct Chosen {
    pep::Version version;
    bool extra = false;
};
using Choice = std::map<std::string, Chosen>;

bool satisfied(const Choice& choice, const pep::Requirement& requirement) {
    const auto chosen = choice.find(requirement.name);
    return chosen != choice.end() && requirement.specifier.contains(chosen->second.version)
           && (requirement.extras.empty() || chosen->second.extra);
}

bool valid(const World& world, const Choice& choice) {
    for (const Wanted& root : world.problem.roots) {
        if (!satisfied(choice, root.requirement)) {
            return false;
        }
    }
    for (const Wanted& line : world.problem.constraints) {
        const auto chosen = choice.find(line.requirement.name);
        if (chosen != choice.end()
            && !line.requirement.specifier.contains(chosen->second.version)) {
            return false;
        }
    }
    for (const auto& [package, chosen] : choice) {
        const auto& release = world.universe.packages().at(package).at(chosen.version);
        for (const pep::Requirement& requirement : release.dependencies.requires_dist) {
            const bool counts = chosen.extra || !requirement.marker;
            if (counts && !satisfied(choice, requirement)) {
                return false;
            }
        }
    }
    return true;
}

/// With extras everywhere or nowhere there is no need to try each: all that is forbidden is too
/// little, so the extra is tried both ways for every package.
bool any_valid(const World& world, unsigned package, Choice& choice) {
    if (package == packages) {
        return valid(world, choice);
    }
    if (any_valid(world, package + 1, choice)) {
        return true;
    }
    const auto found = world.universe.packages().find(name(package));
    if (found == world.universe.packages().end()) {
        return false;
    }
    for (const auto& [version, release] : found->second) {
        for (const bool extra : {false, true}) {
            choice[name(package)] = {version, extra};
            if (any_valid(world, package + 1, choice)) {
                return true;
            }
        }
    }
    choice.erase(name(package));
    return false;
}

TEST(RandomWorlds, AreSolvedExactlyWhenSomeCombinationFits) {
    unsigned conflicts = 0;
    for (unsigned seed = 0; seed < 250; ++seed) {
        World world = draw(seed);
        const Outcome outcome = solve(world.problem, world.universe);
        Choice choice;
        if (const auto* resolution = std::get_if<Resolution>(&outcome)) {
            for (const Pin& pin : resolution->pins) {
                choice[pin.name] = {pin.version, !pin.extras.empty()};
            }
            EXPECT_TRUE(valid(world, choice)) << "seed " << seed << "\n" << test::describe(outcome);
        } else {
            ++conflicts;
            EXPECT_FALSE(any_valid(world, 0, choice)) << "seed " << seed;
        }
    }
    EXPECT_GT(conflicts, 50U);
    EXPECT_LT(conflicts, 200U);
}

TEST(RandomWorlds, DoNotDependOnTheOrderOfAnswers) {
    for (unsigned seed = 0; seed < 150; ++seed) {
        World world = draw(seed);
        const Outcome expected = solve(world.problem, world.universe);
        Resolver shuffled(world.problem);
        const Outcome outcome = test::solve_shuffled(shuffled, world.universe, seed);
        EXPECT_EQ(test::describe(outcome), test::describe(expected)) << "seed " << seed;
    }
}

/// What a conflict names must be enough for one: with all other lines gone it is still there.
TEST(RandomWorlds, ConflictsNeedNoOtherLinesThanTheyName) {
    for (unsigned seed = 0; seed < 150; ++seed) {
        World world = draw(seed);
        const Outcome outcome = solve(world.problem, world.universe);
        const auto* conflict = std::get_if<Conflict>(&outcome);
        if (conflict == nullptr) {
            continue;
        }
        Problem smaller = world.problem;
        smaller.roots.clear();
        smaller.constraints.clear();
        for (const UserLine& line : conflict->lines) {
            if (line.constraint) {
                smaller.constraints.push_back(world.problem.constraints[line.index]);
            } else {
                smaller.roots.push_back(world.problem.roots[line.index]);
            }
        }
        const Outcome again = solve(smaller, world.universe);
        EXPECT_TRUE(std::holds_alternative<Conflict>(again)) << "seed " << seed;
    }
}

}  // namespace
}  // namespace wheelforge::resolve
