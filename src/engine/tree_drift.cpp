// SPDX-License-Identifier: Apache-2.0
#include "engine/tree_drift.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace wheelforge::engine {
namespace {

using Mentions = std::vector<wheel::Mention>;
using Json = nlohmann::ordered_json;

bool by_text(const wheel::Mention& a, const wheel::Mention& b) {
    return a.text < b.text;
}

/// Each name once, with the place where it is read first; build scripts before other code.
Mentions variables(const wheel::TreeFacts& facts) {
    Mentions result;
    for (const bool steering : {true, false}) {
        for (const wheel::VariableRead& read : facts.reads) {
            const bool known = std::any_of(result.begin(), result.end(), [&](const auto& other) {
                return other.text == read.name;
            });
            if (!known && facts.build_scripts.contains(read.file) == steering) {
                result.push_back({read.name, read.file, read.line});
            }
        }
    }
    return result;
}

Mentions without(Mentions from, Mentions others) {
    std::sort(from.begin(), from.end(), by_text);
    std::sort(others.begin(), others.end(), by_text);
    Mentions rest;
    std::set_difference(
        from.begin(), from.end(), others.begin(), others.end(), std::back_inserter(rest), by_text
    );
    return rest;
}

DriftOf compare(std::string kind, const Mentions& before, const Mentions& after) {
    return {std::move(kind), without(after, before), without(before, after)};
}

/// Words that two names share, of all words of both: 1 for the same words in another order.
double likeness(const std::string& a, const std::string& b) {
    const auto words = [](const std::string& name) {
        const auto parts = split(name, '_');
        return std::set<std::string_view>(parts.begin(), parts.end());
    };
    const auto of_a = words(a);
    const auto of_b = words(b);
    std::set<std::string_view> all = of_a;
    all.insert(of_b.begin(), of_b.end());
    const std::size_t shared = of_a.size() + of_b.size() - all.size();
    return static_cast<double>(shared) / static_cast<double>(all.size());
}

std::vector<RenameCandidate> renames_of(const DriftOf& variables) {
    constexpr double alike = 0.5;
    std::vector<RenameCandidate> renames;
    for (const wheel::Mention& gone : variables.went) {
        std::vector<std::string> names;
        const wheel::Mention* best = nullptr;
        for (const wheel::Mention& fresh : variables.came) {
            names.push_back(fresh.text);
            const double score = likeness(gone.text, fresh.text);
            if (score >= alike && (best == nullptr || score > likeness(gone.text, best->text))) {
                best = &fresh;
            }
        }
        const auto near = nearest(gone.text, names, 1);
        if (best != nullptr || !near.empty()) {
            renames.push_back({gone.text, best != nullptr ? best->text : near.front()});
        }
    }
    return renames;
}

Json mentions_json(const Mentions& mentions) {
    Json list = Json::array();
    for (const wheel::Mention& mention : mentions) {
        list.push_back({{"text", mention.text}, {"file", mention.file}, {"line", mention.line}});
    }
    return list;
}

void add_lines(std::string& text, char sign, const Mentions& mentions) {
    for (const wheel::Mention& mention : mentions) {
        text += fmt::format(
            "  {} {}  ({}:{})\n",
            sign,
            printable(mention.text),
            printable(mention.file),
            mention.line
        );
    }
}

}  // namespace

bool Drift::empty() const noexcept {
    return std::all_of(kinds.begin(), kinds.end(), [](const DriftOf& kind) {
        return kind.came.empty() && kind.went.empty();
    });
}

Drift drift(const wheel::TreeFacts& before, const wheel::TreeFacts& after) {
    Drift result;
    result.kinds = {
        compare("variables", variables(before), variables(after)),
        compare("build requirements", before.build_requires, after.build_requires),
        compare("submodules", before.submodules, after.submodules),
        compare("downloads", before.downloads, after.downloads),
        compare("archs", before.archs, after.archs),
    };
    result.renames = renames_of(result.kinds.front());
    return result;
}

std::string drift_text(const Drift& drift) {
    std::string text;
    for (const DriftOf& kind : drift.kinds) {
        if (!kind.came.empty() || !kind.went.empty()) {
            text += kind.kind + "\n";
            add_lines(text, '-', kind.went);
            add_lines(text, '+', kind.came);
        }
    }
    if (!drift.renames.empty()) {
        text += "perhaps renamed\n";
    }
    for (const RenameCandidate& rename : drift.renames) {
        text += fmt::format("  {} -> {}\n", printable(rename.from), printable(rename.to));
    }
    return text.empty() ? "nothing that steers the build changed\n" : text;
}

std::string drift_json(
    const Drift& drift, const std::string& name, const std::string& from, const std::string& to
) {
    Json root = {{"format", "wheelforge drift 1"}, {"name", name}, {"from", from}, {"to", to}};
    for (const DriftOf& kind : drift.kinds) {
        root[replace_all(kind.kind, " ", "_")] = {
            {"came", mentions_json(kind.came)}, {"went", mentions_json(kind.went)}
        };
    }
    root["rename_candidates"] = Json::array();
    for (const RenameCandidate& rename : drift.renames) {
        root["rename_candidates"].push_back({{"from", rename.from}, {"to", rename.to}});
    }
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace wheelforge::engine
