// SPDX-License-Identifier: Apache-2.0
#include "engine/why_rebuilt.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "engine/graph_read.hpp"
#include "engine/record_read.hpp"

namespace wheelforge::engine {
namespace {

constexpr const char* previous_folder = "previous";

fs::file_time_type written(const Record& record) {
    std::error_code absent;
    return fs::last_write_time(record.origin, absent);
}

std::vector<Record> all_records(const fs::path& folder, const std::string& name) {
    auto records = records_in(folder, name);
    auto previous = records_in(folder / previous_folder, name);
    records.insert(
        records.end(),
        std::make_move_iterator(previous.begin()),
        std::make_move_iterator(previous.end())
    );
    return records;
}

/// Records of one variant's output, and what was told already.
class Teller {
public:
    Teller(fs::path folder, std::string variant, std::set<std::string> keys)
        : folder_(std::move(folder)), variant_(std::move(variant)), keys_(std::move(keys)) {}

    RebuildReason tell(const Record& now, const std::optional<Record>& before) {
        RebuildReason rebuild;
        rebuild.name = now.name;
        rebuild.version = now.version;
        rebuild.variant = variant_;
        told_.insert(now.build_key);
        if (!before) {
            return rebuild;
        }
        rebuild.previous_version = before->version;
        auto matched = now.matched;
        matched.insert(before->matched.begin(), before->matched.end());
        rebuild.changes = changes_between(before->inputs, now.inputs, matched);
        for (const auto& change : rebuild.changes) {
            if (change.rebuilt) {
                follow(change, rebuild);
            }
        }
        return rebuild;
    }

    [[nodiscard]] std::optional<Record> before(const Record& now) const {
        return record_before(folder_, now, keys_);
    }

private:
    /// Into the wheel of the environment that changed: its builds are those with the payloads that
    /// the inputs name ("3.6.0 <payload>").
    void follow(const InputChange& change, RebuildReason& rebuild) {
        const auto payload = [](const std::string& value) {
            return value.substr(std::min(value.size(), value.find(' ') + 1));
        };
        std::optional<Record> now;
        std::optional<Record> earlier;
        for (auto& record : all_records(folder_, change.name)) {
            if (record.payload == payload(change.after)) {
                now = std::move(record);
            } else if (record.payload == payload(change.before)) {
                earlier = std::move(record);
            }
        }
        if (now && earlier && !told_.contains(now->build_key)) {
            rebuild.because_of.push_back(tell(*now, earlier));
        }
    }

    fs::path folder_;
    std::string variant_;
    std::set<std::string> keys_;
    std::set<std::string> told_;
};

std::string headline(const RebuildReason& rebuild) {
    const auto name = rebuild.name + " " + rebuild.version;
    if (rebuild.previous_version.empty()) {
        return name + ": no earlier build is recorded here";
    }
    if (rebuild.changes.empty()) {
        return name + ": built again from the same inputs";
    }
    return name + ": " + because(rebuild.changes);
}

void tell_text(std::string& text, const RebuildReason& rebuild, const std::string& indent) {
    text += indent + headline(rebuild)
            + (indent.empty() ? " (" + printable(rebuild.variant) + ")" : std::string()) + "\n";
    for (const bool strong : {true, false}) {
        const bool any =
            std::any_of(rebuild.changes.begin(), rebuild.changes.end(), [&](const auto& change) {
                return change.strong == strong;
            });
        if (!any) {
            continue;
        }
        text +=
            indent + (strong ? "  strong inputs:\n" : "  weak inputs, no reason of their own:\n");
        for (const auto& change : rebuild.changes) {
            if (change.strong == strong) {
                text += indent + "    " + printable(change.words) + "\n";
            }
        }
    }
    for (const auto& inner : rebuild.because_of) {
        tell_text(text, inner, indent + "  ");
    }
}

Json rebuild_json(const RebuildReason& rebuild) {
    Json changes = changes_json(rebuild.changes);
    Json inner = Json::array();
    for (const auto& each : rebuild.because_of) {
        inner.push_back(rebuild_json(each));
    }
    return {
        {"name", rebuild.name},
        {"version", rebuild.version},
        {"variant", rebuild.variant},
        {"previous_version",
         rebuild.previous_version.empty() ? Json(nullptr) : Json(rebuild.previous_version)},
        {"changes", std::move(changes)},
        {"because_of", std::move(inner)},
    };
}

}  // namespace

std::optional<Record> record_before(
    const fs::path& folder, const Record& now, const std::set<std::string>& current_keys
) {
    std::optional<Record> found;
    const auto is_better = [&](const Record& record) {
        if (!found) {
            return true;
        }
        const bool same = record.version == now.version;
        const bool found_same = found->version == now.version;
        return same != found_same ? same : written(record) > written(*found);
    };
    for (auto& record : all_records(folder, now.name)) {
        if (!current_keys.contains(record.build_key) && is_better(record)) {
            found = std::move(record);
        }
    }
    return found;
}

std::vector<RebuildReason> why_rebuilt(const fs::path& output, const std::string& name) {
    const auto graph = load_graph(output / "graph.json").graph;
    const auto meant = nodes_meant(graph, name);
    std::vector<RebuildReason> rebuilds;
    for (const auto& target : graph.targets) {
        const auto own = of_variants(graph, {target.variant});
        std::set<std::string> keys;
        for (const auto& [key, node] : own.nodes) {
            keys.insert(node.inputs);
        }
        const auto folder = output / target.variant / "records";
        for (const auto& key : meant) {
            const auto node = own.nodes.find(key);
            if (node == own.nodes.end()) {
                continue;
            }
            for (const auto& record : records_in(folder, node->second.name)) {
                if (record.build_key == node->second.inputs) {
                    Teller teller(folder, target.variant, keys);
                    rebuilds.push_back(teller.tell(record, teller.before(record)));
                }
            }
        }
    }
    return rebuilds;
}

std::string rebuilt_answer(const std::vector<RebuildReason>& rebuilds, AnswerFormat format) {
    if (format == AnswerFormat::json) {
        Json array = Json::array();
        for (const auto& rebuild : rebuilds) {
            array.push_back(rebuild_json(rebuild));
        }
        return dump_json(Json{{"rebuilds", std::move(array)}});
    }
    std::string text;
    for (const auto& rebuild : rebuilds) {
        tell_text(text, rebuild, "");
    }
    return text.empty() ? "it is taken as a wheel: nothing of it is built here\n" : text;
}

}  // namespace wheelforge::engine
