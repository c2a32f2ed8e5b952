// SPDX-License-Identifier: Apache-2.0
// One build in its sandbox, from an order to a raw wheel: tree and environment are provided, then
// the backend's hooks (or pip) run, and what they left is checked and handed over.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>

#include "plugin/recipe.hpp"
#include "plugin/rust_source.hpp"

namespace wheelforge::plugin {

class IsolatedBuild {
public:
    /// References must outlive the object.
    IsolatedBuild(const BuildOrder& order, const Toolbox& tools, std::stop_token stop);

    /// Puts the source tree (by `prepare`) and the Python environment in place.
    void provide(const std::function<SourceTree(const std::filesystem::path&)>& prepare);
    [[nodiscard]] BuildOutcome run_backend();
    [[nodiscard]] BuildOutcome run_pip();
    /// Only get_requires_for_build_wheel.
    [[nodiscard]] std::variant<NeedsRequirements, BuildFailure> ask_backend();
    /// Runs a program instead, on our terminal; its exit code.
    [[nodiscard]] int run_attached(const std::vector<std::string>& argv);

private:
    [[nodiscard]] Launch launch() const;
    void run_setup();
    void find_toolchain();
    [[nodiscard]] std::optional<std::string> filled_in(std::string value) const;
    [[nodiscard]] std::vector<build::ShownFolder> toolchain_folders() const;
    [[nodiscard]] std::optional<BuildFailure> translate();
    [[nodiscard]] bool compiles_in_parallel() const;
    [[nodiscard]] build::HookSessionRequest session_request() const;
    [[nodiscard]] std::vector<std::filesystem::path> toolchain_path() const;
    [[nodiscard]] Environment environment() const;
    [[nodiscard]] std::filesystem::path
    on_host(const char* name, const std::filesystem::path& inside) const;
    [[nodiscard]] std::filesystem::path build_folder() const;
    [[nodiscard]] std::optional<std::vector<std::string>>
    ask_requires(build::HookSession& session, BuildOutcome& failed);
    [[nodiscard]] std::optional<BuildOutcome> ask_metadata(build::HookSession& session);
    [[nodiscard]] BuildOutcome build_wheel(build::HookSession& session);
    [[nodiscard]] BuildOutcome collect(const std::string& returned);
    [[nodiscard]] BuildFailure failure_of(const build::HookFailure& failure) const;
    void measure(const char* step, std::chrono::steady_clock::time_point since);
    void measure_hooks(
        const char* step, const build::HookMeasure& before, const build::HookMeasure& now
    );

    const BuildOrder& order_;
    const Toolbox& tools_;
    std::stop_token stop_;
    build::BuildPaths paths_;
    SourceTree tree_;
    std::optional<RustProvision> rust_;
    Mount python_environment_;
    /// What placeholders stand for, the root once the environment's own toolchain was asked.
    std::map<std::string, std::string, std::less<>> toolchain_values_;
    std::vector<std::string> dynamic_requires_;
    std::vector<StepMeasure> steps_;
    std::vector<TranslatedFile> translated_;
};

}  // namespace wheelforge::plugin
