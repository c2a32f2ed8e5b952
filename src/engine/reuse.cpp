// SPDX-License-Identifier: Apache-2.0
#include "engine/reuse.hpp"

#include <algorithm>
#include <system_error>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "engine/input_change.hpp"
#include "engine/judgement.hpp"
#include "engine/record_read.hpp"
#include "pep/filename.hpp"

namespace wheelforge::engine {
namespace {

std::set<std::string> matched_names(const BuildTask& task) {
    std::set<std::string> names;
    for (const auto& wheel : task.environment) {
        if (wheel.matched) {
            names.insert(wheel.id.name);
        }
    }
    return names;
}

std::vector<std::string> recorded_inputs(const store::Entry& entry) {
    const auto text = read_file(entry.wheel.parent_path() / "inputs.txt");
    std::vector<std::string> recorded;
    for (const auto line : lines(text)) {
        recorded.emplace_back(line);
    }
    return recorded;
}

/// The line of the build tag, which the changelogs make; "" where they have no entry.
std::string build_tag_in(const std::vector<std::string>& inputs) {
    const auto found = std::find_if(inputs.begin(), inputs.end(), [](const auto& line) {
        return line.starts_with("build-tag ");
    });
    return found == inputs.end() ? "" : *found;
}

std::vector<std::string> drift_between(
    const std::vector<std::string>& before,
    const store::Inputs& wanted,
    const std::set<std::string>& matched
) {
    std::vector<std::string> words;
    for (const auto& change : changes_between(before, wanted.lines(), matched)) {
        words.push_back(change.words);
    }
    return words;
}

fs::path record_of(const fs::path& wheel) {
    return wheel.parent_path().parent_path() / "records" / (wheel.stem().string() + ".json");
}

/// What was published, as long as it still is what was published.
std::optional<Record> published_record(const BuildTask& task) {
    std::error_code ignored;
    if (task.published.empty() || !fs::exists(task.published, ignored)) {
        return std::nullopt;
    }
    try {
        return load_record(record_of(task.published));
    } catch (const Error&) {
        return std::nullopt;  // nothing is known of it, so nothing is promised of it
    }
}

Failure taken(const BuildTask& task, const std::string& why) {
    const auto& id = task.source->id;
    Failure failure;
    failure.code = ExitCode::refused;
    failure.id = "published-wheel-differs";
    failure.message = id.text() + " is published already as " + task.published.filename().string()
                      + ", and this run would give that name other content: " + why;
    failure.advice = {
        "give the new wheel the next build tag: one more entry under changelog: {\""
            + id.version.text() + "\": [\"what changed\"]} in the settings of " + id.name,
        "or let it take the place of the old one, if nobody has that: --replace",
        "or keep both: -o another folder",
    };
    return failure;
}

std::string reasons(const BuildTask& task, const Record& record, const store::Inputs& inputs) {
    auto matched = matched_names(task);
    matched.insert(record.matched.begin(), record.matched.end());
    return because(changes_between(record.inputs, inputs.lines(), matched));
}

}  // namespace

store::Inputs
strong_inputs(const BuildTask& task, const std::vector<std::string>& dynamic_requires) {
    auto strong = task;
    std::erase_if(strong.environment, [](const auto& wheel) { return !wheel.matched; });
    auto inputs = build_inputs(strong, dynamic_requires);
    inputs.add("class", "inputs", "strong");  // never the key of a build
    return inputs;
}

std::optional<Reuse> find_reusable(const BuildTask& task, const store::Store& store) {
    const auto inputs = build_inputs(task, *task.dynamic_requires);
    const auto strong = strong_inputs(task, *task.dynamic_requires).key();
    if (auto entry = store.find(inputs.key())) {
        store.note_like(strong, entry->key);
        return Reuse{std::move(*entry), {}};
    }
    std::optional<store::Entry> like;
    if (task.rebuild == Rebuild::strong) {
        like = store.find_like(strong, task.last_key);
    } else if (task.rebuild == Rebuild::changelog && !task.last_key.empty()) {
        like = store.find(task.last_key);
    }
    if (!like || like->name != task.source->id.name) {
        return std::nullopt;
    }
    const auto before = recorded_inputs(*like);
    if (task.rebuild == Rebuild::changelog
        && build_tag_in(before) != build_tag_in(inputs.lines())) {
        return std::nullopt;
    }
    auto drift = drift_between(before, inputs, matched_names(task));
    return Reuse{std::move(*like), std::move(drift)};
}

std::optional<Failure> refuse_other_inputs(const BuildTask& task, const store::Inputs& inputs) {
    const auto record = published_record(task);
    if (!record || record->build_key == inputs.key()
        || build_tag_in(record->inputs) != build_tag_in(inputs.lines())) {
        return std::nullopt;  // another build tag is another name
    }
    return taken(task, reasons(task, *record, inputs));
}

std::optional<Failure> refuse_other_bytes(const BuildTask& task, const store::Entry& entry) {
    const auto record = published_record(task);
    std::error_code ignored;
    if (!record || task.published.filename() != entry.filename
        || fs::equivalent(task.published, entry.wheel, ignored)) {
        return std::nullopt;
    }
    const auto there = sha256_file(task.published);
    if (there == entry.sha256 || there != record->wheel_sha256) {
        return std::nullopt;  // the same, or damaged since
    }
    if (record->build_key != entry.key) {
        return taken(task, reasons(task, *record, build_inputs(task, *task.dynamic_requires)));
    }
    return taken(task, "the same inputs gave other bytes, sha256 " + entry.sha256);
}

std::optional<Failure>
refuse_reuse(const BuildTask& task, const store::Entry& entry, const store::Store& store) {
    auto refused = refuse_other_bytes(task, entry);
    return refused ? std::move(refused) : refuse_unfit(task, entry, store);
}

}  // namespace wheelforge::engine
