// SPDX-License-Identifier: Apache-2.0
#include "build/hooks.hpp"

#include <chrono>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/resources.hpp"
#include "base/text.hpp"
#include "build/hook_process.hpp"

namespace wheelforge::build {
namespace {

constexpr int protocol = 1;
constexpr std::size_t requirement_count_limit = 10'000;
constexpr std::size_t requirement_length_limit = 64U << 10U;
constexpr std::size_t file_name_limit = 255;
constexpr std::size_t exception_limit = 600;
constexpr std::string_view runner_name = "hook_runner.py";

/// One value stays a string, several become a list, as pip passes them on.
Json settings_json(const std::map<std::string, std::vector<std::string>>& settings) {
    if (settings.empty()) {
        return nullptr;
    }
    Json object = Json::object();
    for (const auto& [name, values] : settings) {
        object[name] = values.size() == 1 ? Json(values.front()) : Json(values);
    }
    return object;
}

/// A message of the backend on one line, without anything a terminal would obey.
std::string one_line(std::string_view message) {
    std::string text;
    for (const auto line : lines(message)) {
        if (const auto part = trim(line); !part.empty()) {
            text += (text.empty() ? "" : " ") + std::string(part);
        }
    }
    return printable(text.substr(0, exception_limit));
}

double number_or_zero(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number()) {
        return 0;
    }
    const auto number = found->get<double>();
    return std::isfinite(number) && number > 0 ? number : 0;
}

HookFailure failure_of(const std::string& hook, const Json& told) {
    HookFailure failure;
    failure.hook = hook;
    failure.exit_code = 1;
    if (const auto text = told.find("exception"); text != told.end() && text->is_string()) {
        failure.exception = one_line(text->get_ref<const std::string&>());
    }
    if (const auto code = told.find("exit_code"); code != told.end() && code->is_number_integer()) {
        failure.exit_code = code->get<int>();
    }
    const auto missing = told.find("backend_missing");
    failure.backend_missing =
        missing != told.end() && missing->is_boolean() && missing->get<bool>();
    return failure;
}

HookFailure nonsense(const std::string& hook, const std::string& what) {
    return {hook, "the backend answered " + what, 1, false};
}

bool is_requirement(const Json& value) {
    return value.is_string()
           && value.get_ref<const std::string&>().size() <= requirement_length_limit
           && value.get_ref<const std::string&>().find('\0') == std::string::npos;
}

bool is_file_name(const Json& value) {
    if (!value.is_string()) {
        return false;
    }
    const auto& name = value.get_ref<const std::string&>();
    return !name.empty() && name.size() <= file_name_limit && name != "." && name != ".."
           && name.find_first_of(std::string_view("/\0\n", 3)) == std::string::npos;
}

Launch launch_of(const HookSessionRequest& request) {
    Launch launch = request.base;
    launch.argv = {
        request.python.string(),
        request.runner.string(),
        std::to_string(HookProcess::request_descriptor),
        std::to_string(HookProcess::answer_descriptor),
    };
    return launch;
}

}  // namespace

struct HookSession::State {
    using Clock = std::chrono::steady_clock;

    State(const HookSessionRequest& request, std::stop_token stop)
        : settings(settings_json(request.config_settings)), timeout(request.base.timeout),
          process(launch_of(request), request.sandbox, request.scratch, std::move(stop)) {}

    void open(const pep::BuildSystem& system) {
        const auto answer = exchange(
            "",
            {{"protocol", protocol},
             {"backend", system.backend},
             {"backend_path", system.backend_path}}
        );
        if (!answer) {
            broken = answer.error();
        } else if (answer->value("protocol", Json()) != protocol) {
            broken = nonsense("", "another protocol");
        }
    }

    HookResult<Json> call(const std::string& hook, Json arguments) {
        if (broken) {
            broken->hook = hook;
            return tl::unexpected(*broken);
        }
        arguments["config_settings"] = settings;
        auto answer = exchange(hook, {{"hook", hook}, {"arguments", std::move(arguments)}});
        if (!answer) {
            return tl::unexpected(answer.error());
        }
        if (!answer->contains("result")) {
            return tl::unexpected(nonsense(hook, "nothing"));
        }
        return std::move(answer->at("result"));
    }

    /// One request and its answer, which is an object without "failure".
    HookResult<Json> exchange(const std::string& hook, const Json& request) {
        const auto line = process.ask(dump_json_line(request));
        wall_seconds = std::chrono::duration<double>(Clock::now() - started).count();
        if (!line) {
            broken = death(hook);
            return tl::unexpected(*broken);
        }
        auto answer = parse_json(*line);
        if (!answer || !answer->is_object()) {
            broken = nonsense(hook, "no JSON object");
            return tl::unexpected(*broken);
        }
        if (const auto measured = answer->find("measure"); measured != answer->end()) {
            cpu_seconds = number_or_zero(*measured, "cpu_seconds");
            peak_rss_bytes =
                static_cast<std::uint64_t>(number_or_zero(*measured, "peak_rss_bytes"));
        }
        if (const auto told = answer->find("failure"); told != answer->end()) {
            return tl::unexpected(failure_of(hook, *told));
        }
        return *std::move(answer);
    }

    HookFailure death(const std::string& hook) {
        const ProcessResult& result = process.end();
        cpu_seconds = std::max(cpu_seconds, result.cpu_seconds);
        peak_rss_bytes = std::max(peak_rss_bytes, result.peak_rss_bytes);
        HookFailure failure{hook, "", result.exit_code == 0 ? 1 : result.exit_code, false};
        if (result.timed_out && timeout) {
            failure.exception = "timed out after " + std::to_string(timeout->count()) + " s";
        }
        return failure;
    }

    Json settings;
    std::optional<std::chrono::seconds> timeout;
    Clock::time_point started = Clock::now();
    HookProcess process;
    std::optional<HookFailure> broken;  ///< every later hook fails the same way
    double wall_seconds = 0;
    double cpu_seconds = 0;
    std::uint64_t peak_rss_bytes = 0;
};

HookSession::HookSession(HookSessionRequest request, std::stop_token stop)
    : state_(std::make_unique<State>(request, std::move(stop))) {
    state_->open(request.build_system);
}

HookSession::~HookSession() = default;

HookResult<std::vector<std::string>> HookSession::get_requires_for_build_wheel() {
    const std::string hook = "get_requires_for_build_wheel";
    const auto answer = state_->call(hook, Json::object());
    if (!answer) {
        return tl::unexpected(answer.error());
    }
    if (!answer->is_array() || answer->size() > requirement_count_limit
        || !std::all_of(answer->begin(), answer->end(), is_requirement)) {
        return tl::unexpected(nonsense(hook, "no list of requirements"));
    }
    return answer->get<std::vector<std::string>>();
}

HookResult<std::optional<std::string>>
HookSession::prepare_metadata_for_build_wheel(const fs::path& inside_folder) {
    const std::string hook = "prepare_metadata_for_build_wheel";
    const auto answer = state_->call(hook, {{"metadata_directory", inside_folder.string()}});
    if (!answer) {
        return tl::unexpected(answer.error());
    }
    if (answer->is_null()) {
        return std::optional<std::string>();
    }
    if (!answer->is_string()) {
        return tl::unexpected(nonsense(hook, "no text"));
    }
    return std::optional(answer->get<std::string>());
}

HookResult<std::string> HookSession::build_wheel(const fs::path& inside_folder) {
    const std::string hook = "build_wheel";
    const auto answer = state_->call(hook, {{"wheel_directory", inside_folder.string()}});
    if (!answer) {
        return tl::unexpected(answer.error());
    }
    if (!is_file_name(*answer)) {
        return tl::unexpected(nonsense(hook, "no file name"));
    }
    return answer->get<std::string>();
}

HookMeasure HookSession::measure() const {
    return {state_->wall_seconds, state_->cpu_seconds, state_->peak_rss_bytes};
}

Mount provide_runner(const BuildPaths& paths, const fs::path& scratch) {
    const fs::path folder = build_paths(SandboxLevel::none, scratch).runner;
    write_file(folder / runner_name, resource("src/build/hook_runner.py").value());
    return {Mount::Kind::read_only, {folder}, paths.runner};
}

}  // namespace wheelforge::build
