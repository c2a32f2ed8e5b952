// SPDX-License-Identifier: Apache-2.0
// A Recipe is how one package goes from a pin to a raw wheel: four hooks, source, prepare, env and
// build. DefaultRecipe does the standard way; a plugin overrides hook by hook and may call the
// default one from inside. Recipes are const and thread-safe: all state is in the arguments.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "base/process.hpp"
#include "build/environment.hpp"
#include "build/hooks.hpp"
#include "build/interpreter.hpp"
#include "build/sandbox.hpp"
#include "config/settings.hpp"
#include "index/index.hpp"
#include "pep/metadata.hpp"
#include "source/cargo.hpp"
#include "source/sdist.hpp"
#include "store/store.hpp"

namespace wheelforge::plugin {

struct PackageId {
    std::string name;  ///< normalised
    pep::Version version;
    [[nodiscard]] std::string text() const { return name + " " + version.text(); }
    [[nodiscard]] std::string key() const { return name + "==" + version.text(); }
    auto operator<=>(const PackageId&) const = default;
};

/// What every recipe may use. References outlive the run.
struct Toolbox {
    index::PackageIndex& index;
    store::Store& store;
    const build::Interpreter& interpreter;
    const build::SandboxProbe& sandbox;
    const Environment& callers_environment;
    const std::vector<std::string>& passed_variables;  ///< --env NAME[=V]
    bool offline = false;                              ///< nothing may be fetched
    std::function<void(const std::string&)> notify{};  ///< a line for the user, from any thread
};

/// A source archive on disk, hash-checked.
struct SourceArchive {
    std::filesystem::path path;
    std::string filename;
    std::string sha256;
    std::string url;  ///< without credentials
};

/// A source before it is unpacked. References outlive the call.
struct SourceView {
    const PackageId& id;
    const index::DistributionFile& file;
    const std::string& sha256;
    const source::SdistFacts& facts;
    const config::PackageSettings& settings;
};

/// What a source needs beyond itself.
struct Supplement {
    struct Input {
        std::string kind;
        std::string name;
        std::string value;
    };
    std::map<std::string, std::string> files;  ///< path below the root of the source -> text
    std::vector<Input> inputs;                 ///< of the plan key
};

/// An unpacked tree, private to one build.
struct SourceTree {
    std::filesystem::path root;
    std::int64_t newest_mtime = 0;
};

/// A variable of the build environment and who set it.
struct BuildVariable {
    std::string name;
    std::string value;
    std::string origin;
};

/// A toolchain that is part of the build environment. What only that environment knows of it has a
/// placeholder in variables and paths until it is there.
struct OwnToolchain {
    static constexpr std::string_view root = "@toolchain.root@";
    /// All names that may stand in place of something, and what they stand for.
    static constexpr std::array<std::string_view, 4> placeholders = {
        root, "@toolchain.version@", "@toolchain.release@", "@toolchain.digits@"
    };
    std::vector<std::string> command;        ///< prints its root there; empty: there is none
    std::vector<std::string> distributions;  ///< one of these brings it
    std::map<std::string, std::string, std::less<>> values;  ///< of placeholders, as far as known
};

/// All a build needs. Written down before it starts; const while it runs.
struct BuildOrder {
    PackageId id;
    SourceArchive source;
    std::shared_ptr<const source::SdistFacts> facts;
    config::PackageSettings settings;
    std::vector<BuildVariable> variables;
    std::map<std::string, std::string> added_files;  ///< of the Supplement
    std::vector<build::InstalledWheel> environment;
    /// Of the toolchain it uses: folders for PATH, and what the sandbox shows besides the system.
    std::vector<std::filesystem::path> toolchain_path;
    std::vector<build::ShownFolder> toolchain_folders;
    std::vector<std::vector<std::string>> setup;  ///< run once in a copy of such an environment
    OwnToolchain own_toolchain;
    /// Answer of get_requires_for_build_wheel when it is known; the hook is then not called.
    std::optional<std::vector<std::string>> known_requires;
    /// That answer is wanted before anything is built, even where it changes nothing.
    bool answer_first = false;
    /// What prepare_metadata_for_build_wheel answers will do; a wheel is built where the backend
    /// has no such hook.
    bool metadata_first = false;
    /// Says whether a requirement is met by `environment` (or by a system tool).
    std::function<bool(const pep::Requirement&)> is_provided;
    unsigned cores = 1;  ///< compile jobs that may run at once
    std::filesystem::path log;
    std::filesystem::path scratch;  ///< private to this build; removed by the caller
};

/// A source that `hipify:` made or changed.
struct TranslatedFile {
    std::string path;  ///< below the root of the source
    std::string sha256;
};

struct StepMeasure {
    std::string
        step;  ///< "prepare", "environment", "requires", "metadata", "build", ... (docs/formats)
    double wall_seconds = 0;
    double cpu_seconds = 0;
    std::uint64_t peak_rss_bytes = 0;
    std::uint64_t disk_bytes = 0;
};

struct RawWheel {
    std::filesystem::path path;
    std::filesystem::path source_tree;  ///< as the build left it; gone with the scratch folder
    Environment environment;            ///< all variables the build saw
    std::vector<std::string> dynamic_requires;
    std::vector<source::Crate> crates;  ///< fetched before the build
    std::vector<StepMeasure> steps;
    std::vector<TranslatedFile> translated;  ///< sorted by path
};
/// The backend asked for requirements that the environment does not have.
struct NeedsRequirements {
    std::vector<std::string> dynamic_requires;
};
/// Instead of a wheel, with BuildOrder::metadata_first: what its METADATA will say.
struct PreparedMetadata {
    std::string text;
    pep::Metadata metadata;  ///< of the name and version that were ordered
    std::vector<std::string> dynamic_requires;
    std::vector<StepMeasure> steps;
};
struct BuildFailure {
    std::string hook;     ///< which hook failed, "" when the wheel itself was at fault
    std::string message;  ///< one sentence
    int exit_code = 0;
    bool cancelled = false;
    std::string id = "build-failed";
};
/// BuildFailure::hook when that answer cannot be had; a wheel may be built all the same.
inline constexpr const char* metadata_hook = "prepare_metadata_for_build_wheel";
using BuildOutcome = std::variant<RawWheel, NeedsRequirements, PreparedMetadata, BuildFailure>;

/// Downloads and waits: for workers.
[[nodiscard]] index::PackageIndex::Download fetch(
    index::PackageIndex& index,
    const index::DistributionFile& file,
    const std::filesystem::path& folder
);

class Recipe {
public:
    virtual ~Recipe() = default;
    [[nodiscard]] virtual SourceArchive source(
        const PackageId& id, const index::DistributionFile& file, const Toolbox& tools
    ) const = 0;
    /// Settles what is not in the source and not left to chance: for workers, may fetch.
    [[nodiscard]] virtual Supplement
    supplement(const SourceView& source, const Toolbox& tools) const = 0;
    [[nodiscard]] virtual SourceTree
    prepare(const BuildOrder& order, const std::filesystem::path& destination) const = 0;
    /// Pure: the answer is part of the plan key. Templates are expanded here.
    [[nodiscard]] virtual std::vector<BuildVariable>
    env(const PackageId& id, const config::PackageSettings& settings) const = 0;
    [[nodiscard]] virtual BuildOutcome
    build(const BuildOrder& order, const Toolbox& tools, std::stop_token stop) const = 0;
    /// What the backend needs beyond [build-system]; nothing is built.
    [[nodiscard]] virtual std::variant<NeedsRequirements, BuildFailure>
    requirements(const BuildOrder& order, const Toolbox& tools, std::stop_token stop) const = 0;
    /// Runs a program where build() would have run the backend: same tree, environment, variables
    /// and sandbox, our terminal. @returns its exit code
    [[nodiscard]] virtual int enter(
        const BuildOrder& order,
        const Toolbox& tools,
        const std::vector<std::string>& argv,
        std::stop_token stop
    ) const = 0;
};

class DefaultRecipe : public Recipe {
public:
    [[nodiscard]] SourceArchive source(
        const PackageId& id, const index::DistributionFile& file, const Toolbox& tools
    ) const override;
    [[nodiscard]] Supplement
    supplement(const SourceView& source, const Toolbox& tools) const override;
    [[nodiscard]] SourceTree
    prepare(const BuildOrder& order, const std::filesystem::path& destination) const override;
    [[nodiscard]] std::vector<BuildVariable>
    env(const PackageId& id, const config::PackageSettings& settings) const override;
    [[nodiscard]] BuildOutcome
    build(const BuildOrder& order, const Toolbox& tools, std::stop_token stop) const override;
    [[nodiscard]] std::variant<NeedsRequirements, BuildFailure> requirements(
        const BuildOrder& order, const Toolbox& tools, std::stop_token stop
    ) const override;
    [[nodiscard]] int enter(
        const BuildOrder& order,
        const Toolbox& tools,
        const std::vector<std::string>& argv,
        std::stop_token stop
    ) const override;
};

/// The one place that knows whether a package has a recipe of its own.
class Registry {
public:
    [[nodiscard]] const Recipe& recipe_for(std::string_view name) const;

private:
    DefaultRecipe default_;
};

}  // namespace wheelforge::plugin
