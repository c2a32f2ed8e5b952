// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "engine/graph_answers.hpp"
#include "engine/graph_read.hpp"

namespace wheelforge::cli {
namespace {

using engine::AnswerFormat;

struct GraphOptions {
    std::string file = "out/graph.json";
    std::vector<std::string> variants;
    std::string format = "text";
    std::vector<std::string> names;
    bool runtime_only = false;
    bool dependencies_only = false;
    bool dependents_only = false;

    [[nodiscard]] AnswerFormat answer() const {
        return format == "json" ? AnswerFormat::json : AnswerFormat::text;
    }
};

engine::ReadGraph load(const GraphOptions& options) {
    auto read = engine::load_graph(options.file);
    read.graph = engine::of_variants(std::move(read.graph), options.variants);
    return read;
}

/// What speaks of one stack needs one: two variants may pin a name differently.
engine::ReadGraph load_one_variant(const GraphOptions& options) {
    auto read = load(options);
    if (read.graph.targets.size() > 1) {
        Error error(
            ExitCode::usage, "several-variants", "the graph has several variants, and one is needed"
        );
        for (const auto& target : read.graph.targets) {
            error.advise("--variant " + target.variant);
        }
        throw error;
    }
    return read;
}

int why(const GraphOptions& options) {
    const auto read = load(options);
    std::vector<std::string> keys;
    for (const auto& name : options.names) {
        const auto meant = engine::nodes_meant(read.graph, name);
        keys.insert(keys.end(), meant.begin(), meant.end());
    }
    std::cout << engine::why_answer(read.graph, keys, options.answer());
    return 0;
}

int dot(const GraphOptions& options) {
    std::cout << engine::dot_of(load(options).graph, !options.runtime_only);
    return 0;
}

int subset(const GraphOptions& options) {
    auto read = load(options);
    const auto grow = options.dependencies_only ? engine::Grow::dependencies
                      : options.dependents_only ? engine::Grow::dependents
                                                : engine::Grow::both;
    read.graph = engine::subset_of(read.graph, options.names, grow);
    std::cout << engine::write_graph(read);
    return 0;
}

int diff(const GraphOptions& options) {
    if (options.names.size() == 2 && options.variants.size() < 2) {
        const auto load_side = [&](const std::string& file) {
            return engine::of_variants(engine::load_graph(file).graph, options.variants);
        };
        std::cout << engine::diff_answer(
            engine::difference(load_side(options.names[0]), load_side(options.names[1])),
            options.answer()
        );
        return 0;
    }
    if (!options.names.empty() || options.variants.size() != 2) {
        throw Error(ExitCode::usage, "bad-usage", "graph diff compares two graphs")
            .advise("two files: wheelforge graph diff before.json after.json")
            .advise("two variants of one: wheelforge graph diff --variant cuda --variant rocm");
    }
    const auto graph = engine::load_graph(options.file).graph;
    std::cout << engine::diff_answer(
        engine::difference(
            engine::of_variants(graph, {options.variants[0]}),
            engine::of_variants(graph, {options.variants[1]})
        ),
        options.answer()
    );
    return 0;
}

int duplicates(const GraphOptions& options) {
    std::cout << engine::duplicates_answer(load(options).graph, options.answer());
    return 0;
}

/// Constraints with a name left out would be worse than none: with conflicts only JSON is written.
int to_constraints(const GraphOptions& options) {
    const auto read = load_one_variant(options);
    const auto pins = engine::pins_of(read.graph);
    if (pins.conflicts.empty() || options.answer() == AnswerFormat::json) {
        std::cout << engine::pins_answer(pins, options.answer());
    }
    if (!pins.conflicts.empty()) {
        std::cout.flush();
        throw Error(
            ExitCode::unsatisfiable,
            "conflicting-pins",
            engine::conflicts_prose(pins, read.graph) + "so the graph gives no constraints"
        );
    }
    return 0;
}

int to_fromager(const GraphOptions& options) {
    std::cout << engine::fromager_graph_json(load_one_variant(options).graph);
    return 0;
}

using Options = std::shared_ptr<GraphOptions>;

void add_format(CLI::App& command, const Options& options) {
    command.add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}));
}

void add_common(CLI::App& command, const Options& options) {
    command.add_option("--graph", options->file, "a graph of ours or of Fromager")
        ->type_name("FILE")
        ->capture_default_str();
    command.add_option("--variant", options->variants, "only what this variant needs")
        ->allow_extra_args(false)
        ->type_name("NAME");
}

using Act = int (*)(const GraphOptions&);

CLI::App&
add(CLI::App& graph, const char* name, const char* about, Act act, int& exit_code, Options options
) {
    auto* command = graph.add_subcommand(name, about);
    add_common(*command, options);
    command->callback([options, act, &exit_code] { exit_code = act(*options); });
    return *command;
}

}  // namespace

void register_graph(CLI::App& app, int& exit_code) {
    auto* graph = app.add_subcommand("graph", "Ask a graph why, and turn it into something else");
    graph->require_subcommand(1);
    const auto command = [&](const char* name, const char* about, Act act) {
        auto options = std::make_shared<GraphOptions>();
        return std::pair<CLI::App&, Options>(
            add(*graph, name, about, act, exit_code, options), options
        );
    };
    auto [why_app, why_options] = command("why", "who needs a package, from the roots on", why);
    why_app.add_option("NAME", why_options->names, "NAME or NAME==VERSION")->required();
    add_format(why_app, why_options);
    auto [dot_app, dot_options] = command("dot", "as Graphviz draws it", dot);
    dot_app.add_flag("--runtime-only", dot_options->runtime_only, "without the builds");
    auto [subset_app, subset_options] =
        command("subset", "packages, what they need and what needs them", subset);
    subset_app.add_option("NAME", subset_options->names, "NAME or NAME==VERSION")->required();
    auto* down = subset_app.add_flag(
        "--dependencies-only", subset_options->dependencies_only, "only what they need"
    );
    subset_app
        .add_flag("--dependents-only", subset_options->dependents_only, "only what needs them")
        ->excludes(down);
    auto [diff_app, diff_options] = command("diff", "what differs between two graphs", diff);
    diff_app.add_option("A B", diff_options->names, "two files")->expected(0, 2);
    add_format(diff_app, diff_options);
    auto [twice_app, twice_options] =
        command("duplicates", "names with several nodes, and who wants each", duplicates);
    add_format(twice_app, twice_options);
    auto [pins_app, pins_options] =
        command("to-constraints", "the runtime set, pinned", to_constraints);
    add_format(pins_app, pins_options);
    static_cast<void>(command("to-fromager", "as graph.json of Fromager", to_fromager));
}

}  // namespace wheelforge::cli
