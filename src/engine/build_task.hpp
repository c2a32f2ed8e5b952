// SPDX-License-Identifier: Apache-2.0
// What a worker does for one package: build, seal, judge, publish. Const inputs, a value back; the
// coordinator is not touched.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "engine/job.hpp"
#include "engine/request.hpp"
#include "engine/sources.hpp"
#include "plugin/recipe.hpp"
#include "store/inputs.hpp"

namespace wheelforge::engine {

/// A wheel of the build environment, with what the record and the SBOM say of it.
struct EnvironmentWheel {
    plugin::PackageId id;
    std::string filename;
    std::string sha256;
    std::string payload;
    std::filesystem::path path;
    bool matched = false;  ///< a strong input: matched at run time, or it brings the toolchain
};

struct BuildTask {
    SourcePtr source;
    Solution scope;
    std::vector<EnvironmentWheel> environment;  ///< sorted by name
    std::vector<InstalledTool> tools;           ///< system tools the scope relies on
    std::vector<std::string> host_inputs;       ///< "kind name value" facts of this machine
    std::optional<std::vector<std::string>> dynamic_requires;
    bool metadata_first = false;  ///< what it requires is wanted, a wheel only if need be
    unsigned cores = 1;
    std::filesystem::path log;
    const Judgement* judgement = nullptr;  ///< the request's
    bool compiled_upstream = false;        ///< its project publishes wheels for platforms
    bool extends_python = false;           ///< its sdist surely compiles against Python.h
    bool pure_upstream = false;            ///< its project publishes a wheel for any platform
    std::filesystem::path refused_folder;  ///< where a refused wheel is set aside
    Rebuild rebuild = Rebuild::strong;
    std::string last_key;             ///< of this name and version in the last graph
    std::filesystem::path published;  ///< the wheel whose name must keep its bytes; may be empty
};

/// Key and inputs once the dynamic requirements are known.
[[nodiscard]] store::Inputs
build_inputs(const BuildTask& task, const std::vector<std::string>& dynamic_requires);

/// The task as a recipe wants it. @param scratch  private to this build
[[nodiscard]] plugin::BuildOrder order_of(
    const BuildTask& task,
    const plugin::SourceArchive& archive,
    const plugin::Toolbox& tools,
    const std::filesystem::path& scratch
);

struct BuildDone {
    Outcome outcome = Outcome::built;  ///< reused when another process was faster
    store::Entry entry;
    pep::Metadata metadata;
    std::vector<wheel::Finding> findings;
    std::vector<plugin::StepMeasure> steps;
    std::vector<std::string> dynamic_requires;
    std::vector<std::string> drift;  ///< of a reused wheel (engine/reuse.hpp)
};
using BuildResult =
    std::variant<BuildDone, plugin::NeedsRequirements, plugin::PreparedMetadata, Failure>;

/// Never throws an Error: it becomes a Failure with its code.
[[nodiscard]] BuildResult run_build(
    const BuildTask& task,
    const plugin::Recipe& recipe,
    const plugin::Toolbox& tools,
    std::stop_token stop
);

}  // namespace wheelforge::engine
