// SPDX-License-Identifier: Apache-2.0
#include "engine/run_state.hpp"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <set>
#include <sys/file.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "engine/json_place.hpp"
#include "pep/name.hpp"

namespace wheelforge::engine {
namespace {

constexpr std::uint64_t journal_limit = 256U << 20U;

std::vector<fs::path> variant_folders(const fs::path& output) {
    std::vector<fs::path> folders;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(output, absent)) {
        if (fs::is_directory(entry.path() / "logs")) {
            folders.push_back(entry.path());
        }
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

struct Log {
    fs::path path;
    std::string name;
    std::string version;
};

std::vector<Log> all_logs(const fs::path& output) {
    std::vector<Log> logs;
    for (const auto& folder : variant_folders(output)) {
        std::error_code absent;
        for (const auto& entry : fs::directory_iterator(folder / "logs", absent)) {
            const auto stem = entry.path().stem().string();
            const auto dash = stem.rfind('-');
            if (entry.path().extension() == ".log" && dash != std::string::npos) {
                logs.push_back({entry.path(), stem.substr(0, dash), stem.substr(dash + 1)});
            }
        }
    }
    return logs;
}

/// Takes one event after the other; what it does not know it passes over.
class Reader {
public:
    explicit Reader(RunState& state) : state_(state) {}

    void take(const JsonPlace& event) {
        time_ = event.at("t").real();
        state_.seconds = std::max(state_.seconds, time_);
        const auto& kind = event.at("event").text();
        if (kind == "step-started") {
            started_[event.at("package").text()] = {event.at("step").text(), time_};
        } else if (kind == "package-done") {
            done(event);
        } else if (kind == "run-finished") {
            state_.exit_code = static_cast<int>(event.at("exit_code").number());
        }
    }

    /// @param now  seconds since the start of the run
    void end(double now) {
        for (const auto& [package, step] : started_) {
            state_.active.push_back({package, step.first, std::max(0.0, now - step.second)});
        }
    }

private:
    void done(const JsonPlace& event) {
        const auto& package = event.at("package").text();
        started_.erase(package);
        ++state_.outcomes[event.at("outcome").text()];
        if (const auto error = event.text_or_empty("error"); !error.empty()) {
            state_.failed.push_back(package + ": " + error);
        }
    }

    RunState& state_;
    double time_ = 0;
    std::map<std::string, std::pair<std::string, double>> started_;
};

double seconds_since(const fs::path& file) {
    std::error_code error;
    const auto written = fs::last_write_time(file, error);
    const std::chrono::duration<double> passed = fs::file_time_type::clock::now() - written;
    return error ? 0 : std::max(0.0, passed.count());
}

/// How long builds wrote to their logs after the last event: until the run was killed.
double seconds_logged_after(const fs::path& journal) {
    std::error_code error;
    const auto last_event = fs::last_write_time(journal, error);
    auto last_line = last_event;
    for (const auto& entry : fs::directory_iterator(journal.parent_path() / "logs", error)) {
        std::error_code gone;
        const auto written = fs::last_write_time(entry.path(), gone);
        last_line = gone ? last_line : std::max(last_line, written);
    }
    return std::chrono::duration<double>(last_line - last_event).count();
}

RunState state_of(const fs::path& folder) {
    const auto journal = folder / journal_file;
    RunState state;
    state.variant = folder.filename().string();
    state.running = is_running(folder);
    Reader reader(state);
    const auto text = read_file(journal, journal_limit);
    for (const auto line : lines(text)) {
        const auto event = parse_json(line);
        if (!event) {
            continue;  // the last one, half-written
        }
        try {
            reader.take(JsonPlace(*event));
        } catch (const WrongDocument&) {
            // an event of a later version
        }
    }
    if (state.running) {
        state.seconds += seconds_since(journal);
    } else if (!state.exit_code) {
        state.seconds += seconds_logged_after(journal);
    }
    reader.end(state.seconds);
    return state;
}

std::string counted(const std::map<std::string, int>& outcomes) {
    std::vector<std::string> parts;
    for (const auto& [outcome, count] : outcomes) {
        parts.push_back(std::to_string(count) + " " + printable(outcome));
    }
    return parts.empty() ? "nothing done" : join(parts, ", ");
}

std::string state_text(const RunState& state) {
    std::string text = printable(state.variant) + ": ";
    if (state.running) {
        text += "running for " + human_seconds(state.seconds);
    } else if (state.exit_code) {
        text +=
            fmt::format("ended with {} after {}", *state.exit_code, human_seconds(state.seconds));
    } else {
        text += "was killed after " + human_seconds(state.seconds)
                + "; the same command goes on where it was";
    }
    text += "; " + counted(state.outcomes) + "\n";
    for (const auto& active : state.active) {
        text += "  " + printable(active.package) + "  " + printable(active.step) + "  "
                + human_seconds(active.seconds) + "\n";
    }
    for (const auto& failed : state.failed) {
        text += "  failed: " + printable(failed) + "\n";
    }
    return text;
}

Json state_json(const RunState& state) {
    Json active = Json::array();
    for (const auto& each : state.active) {
        active.push_back({{"package", each.package}, {"step", each.step}, {"seconds", each.seconds}}
        );
    }
    return {
        {"variant", state.variant},
        {"running", state.running},
        {"seconds", state.seconds},
        {"exit_code", state.exit_code ? Json(*state.exit_code) : Json(nullptr)},
        {"outcomes", state.outcomes},
        {"active", std::move(active)},
        {"failed", state.failed},
    };
}

}  // namespace

bool is_running(const fs::path& variant_folder) {
    const Descriptor file(::open((variant_folder / journal_file).c_str(), O_RDONLY | O_CLOEXEC));
    return file.valid() && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0;
}

std::vector<RunState> run_states(const fs::path& output) {
    std::vector<RunState> states;
    for (const auto& folder : variant_folders(output)) {
        if (fs::exists(folder / journal_file)) {
            states.push_back(state_of(folder));
        }
    }
    if (states.empty()) {
        throw Error(
            ExitCode::usage, "no-runs", "no run has written to " + printable(output.string())
        )
            .advise("name the output folder of a run: wheelforge status DIR");
    }
    return states;
}

std::string states_answer(const std::vector<RunState>& states, AnswerFormat format) {
    if (format == AnswerFormat::json) {
        Json array = Json::array();
        for (const auto& state : states) {
            array.push_back(state_json(state));
        }
        return dump_json(Json{{"runs", std::move(array)}});
    }
    std::string text;
    for (const auto& state : states) {
        text += state_text(state);
    }
    return text;
}

bool any_running(const fs::path& output) {
    const auto folders = variant_folders(output);
    return std::any_of(folders.begin(), folders.end(), is_running);
}

std::vector<fs::path> find_logs(const fs::path& output, const std::string& name_or_pin) {
    const auto equal = name_or_pin.find("==");
    const auto name = pep::normalize_name(name_or_pin.substr(0, equal));
    const auto version = equal == std::string::npos ? "" : name_or_pin.substr(equal + 2);
    std::vector<fs::path> found;
    for (const auto& log : all_logs(output)) {
        if (log.name == name && (version.empty() || log.version == version)) {
            found.push_back(log.path);
        }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        std::error_code ignored;
        return std::pair(fs::last_write_time(a, ignored), a)
               < std::pair(fs::last_write_time(b, ignored), b);
    });
    return found;
}

std::vector<fs::path> logs_of(const fs::path& output, const std::string& name_or_pin) {
    auto found = find_logs(output, name_or_pin);
    if (!found.empty()) {
        return found;
    }
    Error error(
        ExitCode::usage,
        "no-log",
        "there is no build log of " + printable(name_or_pin) + " in " + printable(output.string())
    );
    std::set<std::string> names;
    for (const auto& log : all_logs(output)) {
        names.insert(log.name);
    }
    const std::vector<std::string> all(names.begin(), names.end());
    const auto name = pep::normalize_name(name_or_pin.substr(0, name_or_pin.find("==")));
    for (const auto& near : nearest(name, all)) {
        error.advise("did you mean " + near + "?");
    }
    throw error.advise("a wheel that was reused has no log here: it was built elsewhere");
}

}  // namespace wheelforge::engine
