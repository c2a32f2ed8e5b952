// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/text.hpp"
#include "cli/live_progress.hpp"
#include "engine/report.hpp"

namespace wheelforge::cli {
namespace {

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// "; warnings: native-code, rpath (see report.json)", or nothing.
std::string warnings_of(const engine::PackageRow& row) {
    std::set<std::string> ids;
    for (const auto& finding : row.findings) {
        if (finding.level == wheel::Level::warn) {
            ids.insert(finding.id);
        }
    }
    const std::vector<std::string> names(ids.begin(), ids.end());
    return names.empty() ? "" : "; warnings: " + join(names, ", ") + " (see report.json)";
}

std::string what_became_of(const engine::PackageRow& row) {
    if (row.failure) {
        return row.outcome + ": " + printable(first_line(row.failure->message));
    }
    if (!row.blocked_by.empty()) {
        return "blocked by " + join(row.blocked_by, ", ");
    }
    if (row.outcome == "built") {
        return "built in " + human_seconds(row.seconds) + warnings_of(row);
    }
    return row.outcome == "pre_built" ? "taken pre-built" + warnings_of(row) : row.outcome;
}

}  // namespace

std::string ProgressLines::timed(const std::string& line) const {
    const auto elapsed =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    return fmt::format("[{:7.1f}] {}", elapsed, line);
}

void ProgressLines::say(const std::string& line) {
    fmt::print(stderr, "{}\n", timed(line));
}

void ProgressLines::run_started(const engine::RunInfo& info) {
    say(fmt::format(
        "variant {}, Python {}, {} cores, output {}",
        info.variant,
        info.python,
        info.cores,
        printable(info.output)
    ));
}

void ProgressLines::resolved(std::string_view scope, std::size_t packages) {
    if (scope == "the runtime set") {
        say(fmt::format("resolved {}: {} package{}", scope, packages, packages == 1 ? "" : "s"));
    }
}

void ProgressLines::step_started(const engine::Job& job, std::string_view step) {
    if (step == "build") {
        say(job.id.text() + ": building");
    } else if (step == "metadata") {
        say(job.id.text() + ": asking its backend what it requires");
    }
}

void ProgressLines::package_done(const engine::Job& job, bool runtime) {
    say(job.id.text() + ": " + what_became_of(engine::row_of(job, runtime)));
}

void ProgressLines::notice(std::string_view line) {
    say("note: " + printable(line));
}

void ProgressNotices::notice(std::string_view line) {
    fmt::print(stderr, "note: {}\n", printable(line));
}

struct EventsFile::Line {
    Line(const EventsFile& events, const char* event)
        : file(events.file_.get()),
          json(
              {{"v", 1},
               {"t",
                std::chrono::duration<double>(std::chrono::steady_clock::now() - events.started_)
                    .count()},
               {"event", event}}
          ) {}
    ~Line() {
        fmt::print(file, "{}\n", dump_json_line(json));
        std::fflush(file);
    }
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    std::FILE* file;
    Json json;
};

EventsFile::EventsFile(const std::filesystem::path& path) : file_(std::fopen(path.c_str(), "ae")) {
    if (!file_) {
        throw Error(
            ExitCode::surroundings,
            "events-not-writable",
            "the events file " + path.string() + " cannot be written"
        );
    }
}

void EventsFile::run_started(const engine::RunInfo& info) {
    Line line(*this, "run-started");
    line.json["variant"] = info.variant;
    line.json["python"] = info.python;
    line.json["output"] = info.output;
    line.json["cores"] = info.cores;
}

void EventsFile::resolved(std::string_view scope, std::size_t packages) {
    Line line(*this, "resolved");
    line.json["scope"] = scope;
    line.json["packages"] = packages;
}

void EventsFile::step_started(const engine::Job& job, std::string_view step) {
    Line line(*this, "step-started");
    line.json["package"] = job.id.key();
    line.json["step"] = step;
}

void EventsFile::step_finished(
    const engine::Job& job, const plugin::StepMeasure& measure, bool ok
) {
    Line line(*this, "step-finished");
    line.json["package"] = job.id.key();
    line.json["step"] = measure.step;
    line.json["ok"] = ok;
    line.json["wall_seconds"] = measure.wall_seconds;
    line.json["cpu_seconds"] = measure.cpu_seconds;
    line.json["peak_rss_bytes"] = measure.peak_rss_bytes;
    line.json["disk_bytes"] = measure.disk_bytes;
}

void EventsFile::package_done(const engine::Job& job, bool runtime) {
    const auto row = engine::row_of(job, runtime);
    const auto* published = job.published();
    Line line(*this, "package-done");
    line.json["package"] = job.id.key();
    line.json["scope"] = runtime ? "runtime" : "build";
    line.json["outcome"] = row.outcome;
    line.json["wheel"] = published != nullptr ? Json(published->entry.filename) : Json(nullptr);
    line.json["error"] = row.failure ? Json(row.failure->id) : Json(nullptr);
}

void EventsFile::notice(std::string_view text) {
    Line line(*this, "notice");
    line.json["message"] = text;
}

void EventsFile::run_finished(ExitCode code, const std::map<std::string, int>& counts) {
    Line line(*this, "run-finished");
    line.json["exit_code"] = static_cast<int>(code);
    line.json["counts"] = counts;
}

Watching::Watching(const std::string& events, engine::Observer* also) {
    if (can_draw_live()) {
        all_.push_back(std::make_unique<LiveProgress>());
    } else {
        all_.push_back(std::make_unique<ProgressLines>());
    }
    if (!events.empty()) {
        all_.push_back(std::make_unique<EventsFile>(events));
    }
    std::vector<engine::Observer*> watching;
    for (const auto& each : all_) {
        watching.push_back(each.get());
    }
    if (also != nullptr) {
        watching.push_back(also);
    }
    observers_ = std::make_unique<engine::Observers>(std::move(watching));
}

}  // namespace wheelforge::cli
