// SPDX-License-Identifier: Apache-2.0
#include "engine/smoke.hpp"

#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "base/text.hpp"
#include "build/diagnosis.hpp"
#include "engine/environment_report.hpp"
#include "wheel/verify/plugin_expectations.hpp"
#include "wheel/verify/verify.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::engine {
namespace {

/// An import of a large library takes its time; one that hangs must not hold up a pipeline.
constexpr std::chrono::minutes patience{5};
constexpr std::size_t evidence_lines = 5;

/// Argument of the interpreter, so that no module's name is ever read as code.
constexpr const char* import_program =
    "import importlib, sys; importlib.import_module(sys.argv[1])";

std::vector<pep::Requirement>
required_by(const pep::Metadata& metadata, const pep::MarkerEnvironment& markers) {
    std::vector<pep::Requirement> required;
    for (const auto& requirement : metadata.requires_dist) {
        if (!requirement.marker || requirement.marker->evaluate(markers)) {
            required.push_back(requirement);
        }
    }
    return required;
}

/// One environment, used by every import and command of a wheel.
class Trial {
public:
    Trial(const build::Interpreter& interpreter, const Environment& variables)
        : interpreter_(interpreter), variables_(variables),
          folder_(fs::temp_directory_path(), "wheelforge-smoke-"),
          probe_(build::probe_sandbox(folder_.path())),
          paths_(build::build_paths(probe_.level, folder_.path())) {}

    void install(const std::vector<build::InstalledWheel>& wheels) {
        mounts_ = build::build_mounts(probe_, folder_.path(), build::roots_of(interpreter_));
        const build::TreeCache trees(folder_.path() / "trees", interpreter_);
        mounts_.push_back(build::provide_environment(trees, wheels, probe_, paths_, folder_.path())
        );
    }

    [[nodiscard]] wheel::SmokeOutcome import(const std::string& module) const {
        const auto python = (paths_.environment / "bin/python").string();
        return outcome_of("import " + module, {python, "-c", import_program, module});
    }

    [[nodiscard]] wheel::SmokeOutcome command(const std::string& line) const {
        return outcome_of(line, {"/bin/sh", "-c", line});
    }

private:
    [[nodiscard]] wheel::SmokeOutcome
    outcome_of(std::string what, std::vector<std::string> argv) const {
        Launch launch;
        launch.argv = std::move(argv);
        launch.env = build::base_environment(current_environment(), paths_, {});
        for (const auto& [name, value] : variables_) {
            launch.env[name] = value;
        }
        launch.cwd = paths_.output;
        launch.mounts = mounts_;
        launch.log = folder_.path() / "log";
        launch.timeout = patience;
        std::error_code ignored;
        fs::remove(launch.log, ignored);
        const auto log = launch.log;
        const auto result = build::run_enclosed(std::move(launch), probe_, folder_.path());
        wheel::SmokeOutcome outcome{std::move(what), result.exit_code == 0, ""};
        if (!outcome.passed) {
            auto said = join(build::last_lines(build::log_tail(log), evidence_lines), " | ");
            outcome.evidence = result.timed_out ? "did not end within 5 minutes"
                               : said.empty()   ? "exit code " + std::to_string(result.exit_code)
                                                : printable(said);
        }
        return outcome;
    }

    const build::Interpreter& interpreter_;
    const Environment& variables_;
    TempDir folder_;
    build::SandboxProbe probe_;
    build::BuildPaths paths_;
    std::vector<Mount> mounts_;
};

}  // namespace

SmokeTest::SmokeTest(
    build::Interpreter interpreter, const std::vector<fs::path>& wheels, Environment variables
)
    : interpreter_(std::move(interpreter)), variables_(std::move(variables)) {
    for (const auto& path : wheels) {
        const auto name = pep::WheelFilename::parse(path.filename().string());
        if (name && interpreter_.target.rank(name->tags) >= 0) {
            wheels_.insert_or_assign(name->name, path);
        }
    }
}

std::vector<build::InstalledWheel> SmokeTest::closure_of(const fs::path& wheel) const {
    std::vector<build::InstalledWheel> installed;
    std::set<std::string> seen;
    std::vector<fs::path> left = {wheel};
    while (!left.empty()) {
        const wheel::WheelFile file(left.back());
        left.pop_back();
        if (!seen.insert(file.filename().name).second) {
            continue;
        }
        installed.push_back({file.path(), wheel::payload_digest(file)});
        for (const auto& requirement : required_by(file.metadata(), interpreter_.target.markers)) {
            const auto found = wheels_.find(requirement.name);
            if (found != wheels_.end() && !seen.contains(requirement.name)) {
                left.push_back(found->second);
            }
        }
    }
    return installed;
}

std::vector<wheel::SmokeOutcome> SmokeTest::run(const wheel::SmokeRequest& request) const {
    const auto name = pep::WheelFilename::parse(request.wheel.filename().string());
    if (!name || interpreter_.target.rank(name->tags) < 0) {
        return {
            {"installing it",
             false,
             "the wheel is not for " + interpreter_.executable.string() + " (CPython "
                 + interpreter_.target.python.text() + ")"}
        };
    }
    Trial trial(interpreter_, variables_);
    trial.install(closure_of(request.wheel));
    std::vector<wheel::SmokeOutcome> outcomes;
    for (const auto& module : request.imports) {
        outcomes.push_back(trial.import(module));
    }
    for (const auto& line : request.commands) {
        outcomes.push_back(trial.command(line));
    }
    return outcomes;
}

std::map<fs::path, std::vector<wheel::Finding>>
try_out(const BootstrapRequest& request, const std::vector<fs::path>& wheels) {
    Environment variables;
    for (const auto& variable : runtime_variables(request.here)) {
        variables[variable.name] = variable.value;
    }
    const SmokeTest smoke(request.interpreter, wheels, std::move(variables));
    wheel::VerifyRequest verify;
    verify.inputs = wheels;
    verify.policy = request.judgement.policy;
    verify.plugins = wheel::plugin_expectations();
    verify.only = {"smoke"};
    verify.smoke = [&smoke](const wheel::SmokeRequest& wanted) { return smoke.run(wanted); };
    std::map<fs::path, std::vector<wheel::Finding>> refused;
    for (auto& verdict : wheel::verify(verify).wheels) {
        if (wheel::has_errors(verdict.findings)) {
            refused.emplace(verdict.path, std::move(verdict.findings));
        }
    }
    return refused;
}

}  // namespace wheelforge::engine
