// SPDX-License-Identifier: Apache-2.0
#include "engine/impact.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "engine/graph_read.hpp"
#include "engine/record_read.hpp"
#include "pep/name.hpp"
#include "pep/version.hpp"

namespace wheelforge::engine {
namespace {

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// Whether `word` stands in `text` by itself: "rocm" in "ROCM_PATH" and "/opt/rocm-7.1", not in
/// "rocmlir". Letters are compared without case.
bool mentions(const std::string& text, const std::string& word) {
    const auto lower = to_lower(text);
    for (auto at = lower.find(word); at != std::string::npos; at = lower.find(word, at + 1)) {
        const bool begins = at == 0 || !is_word_character(lower[at - 1]);
        const auto end = at + word.size();
        if (begins && (end == lower.size() || !is_word_character(lower[end]))) {
            return true;
        }
    }
    return false;
}

/// The line of its inputs that the change is about; "" if none is. Its name, version and build
/// environment are no toolchain, whatever they are called.
std::string line_about(const Record& record, const std::string& subject) {
    for (const auto& line : record.inputs) {
        const auto kind = line.substr(0, line.find(' '));
        const bool can_be = kind != "environment" && kind != "name" && kind != "plan"
                            && !kind.starts_with("build-requires") && kind != "source";
        if (can_be && mentions(line, subject)) {
            return line;
        }
    }
    return "";
}

/// What happens in one variant.
class Spreading {
public:
    Spreading(Graph graph, const fs::path& records) : graph_(std::move(graph)) {
        for (auto& record : records_in(records, "")) {
            records_.emplace(record.build_key, std::move(record));
        }
    }

    Impact of(const PlannedChange& change) {
        if (change.is_package) {
            start_with_package(change);
        } else {
            start_with_toolchain(change);
        }
        spread();
        impact_.untouched = graph_.nodes.size() - touched_.size();
        return std::move(impact_);
    }

private:
    [[nodiscard]] const Record* record_of(const GraphNode& node) const {
        const auto record = records_.find(node.inputs);
        return record == records_.end() ? nullptr : &record->second;
    }

    void touch(const std::string& key, std::string why, bool strong) {
        if (!touched_.emplace(key, strong).second) {
            return;
        }
        const auto& node = graph_.nodes.at(key);
        const auto* record = record_of(node);
        impact_.affected.push_back(
            {node.name,
             node.version,
             std::move(why),
             strong,
             record == nullptr ? std::nullopt : record->seconds}
        );
        order_.push_back(key);
    }

    void start_with_package(const PlannedChange& change) {
        for (const auto& key : nodes_meant(graph_, change.subject)) {
            const auto& node = graph_.nodes.at(key);
            if (node.version != change.value) {
                touch(key, "it becomes " + change.value, true);
            }
        }
        std::vector<std::string> matching;
        for (const auto& [key, record] : records_) {
            if (record.matched.contains(change.subject)) {
                matching.push_back(record.name);
            }
        }
        impact_.new_stack = !matching.empty() && !touched_.empty();
        impact_.because = impact_.new_stack ? join(matching, ", ") + " must match " + change.subject
                                                  + " at run time"
                                            : "no wheel was built against " + change.subject
                                                  + " that must match it at run time";
    }

    void start_with_toolchain(const PlannedChange& change) {
        for (const auto& [key, node] : graph_.nodes) {
            const auto* record = record_of(node);
            const auto line = record == nullptr ? "" : line_about(*record, change.subject);
            if (!line.empty()) {
                touch(key, "its inputs name " + change.subject + ": " + line, true);
            }
        }
        impact_.new_stack = !touched_.empty();
        impact_.because = touched_.empty() ? "no recorded input names " + change.subject
                                           : "wheels of two toolchains do not mix";
    }

    /// Whoever is built with something that changes has other inputs.
    void spread() {
        std::map<std::string, std::vector<std::string>> built_with;
        for (const auto& [key, node] : graph_.nodes) {
            for (const auto& edge : node.edges) {
                if (edge.type != "runtime") {
                    built_with[edge.to].push_back(key);
                }
            }
        }
        // Strong effects first: a wheel that is reused in spite of its tools changes nobody else.
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const auto cause = order_[i];
            const auto& name = graph_.nodes.at(cause).name;
            for (const auto& key : built_with[cause]) {
                const auto* record = record_of(graph_.nodes.at(key));
                if (record != nullptr && record->matched.contains(name)) {
                    touch(key, "it is built with " + name + " and must match it", true);
                }
            }
        }
        const auto strong = order_;
        for (const auto& cause : strong) {
            for (const auto& key : built_with[cause]) {
                touch(key, "it is built with " + graph_.nodes.at(cause).name, false);
            }
        }
    }

    Graph graph_;
    std::map<std::string, Record> records_;
    Impact impact_;
    std::map<std::string, bool> touched_;
    std::vector<std::string> order_;
};

/// Time of those that --rebuild strong builds, and how many of them have no time.
struct Cost {
    double seconds = 0;
    std::size_t unknown = 0;
    std::size_t builds = 0;
};

Cost cost_of(const Impact& impact) {
    Cost cost;
    for (const auto& each : impact.affected) {
        if (each.strong) {
            ++cost.builds;
            cost.seconds += each.seconds.value_or(0);
            cost.unknown += each.seconds ? 0 : 1;
        }
    }
    return cost;
}

std::string impact_text(const Impact& impact) {
    const auto cost = cost_of(impact);
    std::string text = printable(impact.variant) + ": ";
    if (impact.affected.empty()) {
        return text + "nothing has to be built again; " + printable(impact.because) + "\n";
    }
    text += fmt::format(
        "{}, since {}\n{} to build, {} reused in spite of other tools, {} untouched\n",
        impact.new_stack ? "a new stack" : "an update",
        printable(impact.because),
        cost.builds,
        impact.affected.size() - cost.builds,
        impact.untouched
    );
    text += "time of one after the other, from the records: " + human_seconds(cost.seconds);
    text += cost.unknown == 0 ? "\n" : fmt::format(", and {} of unknown length\n", cost.unknown);
    for (const auto& each : impact.affected) {
        text += fmt::format(
            "  {} {} {}: {}{}\n",
            each.strong ? "build" : "reuse",
            printable(each.name),
            printable(each.version),
            printable(each.why),
            !each.strong   ? ""
            : each.seconds ? " (" + human_seconds(*each.seconds) + ")"
                           : " (time unknown)"
        );
    }
    return text;
}

Json impact_json(const Impact& impact) {
    const auto cost = cost_of(impact);
    Json affected = Json::array();
    for (const auto& each : impact.affected) {
        affected.push_back(
            {{"name", each.name},
             {"version", each.version},
             {"why", each.why},
             {"strong", each.strong},
             {"seconds", each.seconds ? Json(*each.seconds) : Json(nullptr)}}
        );
    }
    return {
        {"variant", impact.variant},
        {"verdict",
         impact.affected.empty() ? "nothing"
         : impact.new_stack      ? "new-stack"
                                 : "update"},
        {"because", impact.because},
        {"untouched", impact.untouched},
        {"seconds", cost.seconds},
        {"unknown_times", cost.unknown},
        {"affected", std::move(affected)},
    };
}

}  // namespace

PlannedChange PlannedChange::parse(const std::string& text) {
    PlannedChange change;
    const auto equal = text.find('=');
    change.is_package = equal != std::string::npos && text.substr(equal, 2) == "==";
    if (equal != std::string::npos) {
        change.subject = text.substr(0, equal);
        change.value = text.substr(equal + (change.is_package ? 2 : 1));
    }
    const bool is_name = pep::is_valid_name(change.subject);
    const auto version = pep::Version::parse(change.value);
    if (!is_name || change.value.empty() || (change.is_package && !version)) {
        throw Error(
            ExitCode::usage,
            "bad-usage",
            "'" + printable(text) + "' is no change that can be judged"
        )
            .advise("a part of the toolchain: --change rocm=7.2")
            .advise("or a version of a package: --change torch==2.11.0");
    }
    change.subject =
        change.is_package ? pep::normalize_name(change.subject) : to_lower(change.subject);
    if (change.is_package) {
        change.value = version->text();
    }
    return change;
}

std::vector<Impact> impact_of(
    const fs::path& output, const std::vector<std::string>& variants, const PlannedChange& change
) {
    const auto graph = of_variants(load_graph(output / "graph.json").graph, variants);
    if (change.is_package) {
        static_cast<void>(nodes_meant(graph, change.subject));
    }
    std::vector<Impact> impacts;
    for (const auto& target : graph.targets) {
        auto own = of_variants(graph, {target.variant});
        const bool has_it =
            !change.is_package
            || std::any_of(own.nodes.begin(), own.nodes.end(), [&](const auto& node) {
                   return node.second.name == change.subject;
               });
        if (has_it) {
            Spreading spreading(std::move(own), output / target.variant / "records");
            impacts.push_back(spreading.of(change));
            impacts.back().variant = target.variant;
        }
    }
    return impacts;
}

std::string impact_answer(const std::vector<Impact>& impacts, AnswerFormat format) {
    if (format == AnswerFormat::json) {
        Json array = Json::array();
        for (const auto& impact : impacts) {
            array.push_back(impact_json(impact));
        }
        return dump_json(Json{{"variants", std::move(array)}});
    }
    std::string text;
    for (const auto& impact : impacts) {
        text += impact_text(impact);
    }
    return text;
}

}  // namespace wheelforge::engine
