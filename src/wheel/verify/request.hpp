// SPDX-License-Identifier: Apache-2.0
// What `verify` is asked to judge, and against what.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "wheel/verify/expectation.hpp"
#include "wheel/verify/kernels_lock.hpp"
#include "wheel/verify/policy.hpp"

namespace wheelforge::wheel {

/// The machine that a variant's wheels have to run on.
struct TargetFloor {
    std::string glibc;      ///< "2.34"; "" for not declared
    std::string libstdcxx;  ///< newest GLIBCXX version, "3.4.29"
    std::string cpu;        ///< "x86-64-v3"
};

/// What a variant says that wheels can be held to. Empty values are not checked.
struct VariantFacts {
    std::string name;
    std::string family;         ///< "cuda", "rocm", "cpu", ...
    std::string toolkit;        ///< version of CUDA or ROCm, "13.0"
    std::string oldest_driver;  ///< CUDA version the oldest supported driver implements, "13.0"
    std::vector<Arch> archs;
    TargetFloor target;
    std::vector<std::string> provided;  ///< distributions and globs of libraries that are there
};

/// How a wheel came to be, when we built it.
struct BuildFacts {
    std::filesystem::path source_tree;  ///< empty when it is gone
    std::map<std::string, std::string> environment;
    std::filesystem::path log;               ///< what it wrote
    std::vector<std::string> private_paths;  ///< folders of the build that must not show up inside
    /// What was found when the tree was there; stands for tree and log where that is gone.
    std::vector<Finding> recorded;
};

struct SmokeRequest {
    std::filesystem::path wheel;
    std::vector<std::string> imports;
    std::vector<std::string> commands;
};
struct SmokeOutcome {
    std::string what;  ///< "import xformers.ops"
    bool passed = false;
    std::string evidence;  ///< end of the output
};
/// Installs a wheel (with the closure) into a clean environment and tries it, in a sandbox.
using SmokeRunner = std::function<std::vector<SmokeOutcome>(const SmokeRequest&)>;

struct VerifyRequest {
    std::vector<std::filesystem::path> inputs;   ///< wheels, and folders of wheels
    std::vector<std::filesystem::path> closure;  ///< further folders: there to resolve against
    std::vector<Arch> archs;                     ///< asked for by name; instead of the variant's
    std::optional<VariantFacts> variant;
    Policy policy;
    std::map<std::string, PackageExpectation> plugins;  ///< by normalised name
    std::optional<KernelsLock> baseline;
    std::string baseline_origin;               ///< for texts
    std::map<std::string, BuildFacts> builds;  ///< by file name of the wheel
    std::set<std::string> compiled_upstream;   ///< projects of which platform wheels are published
    SmokeRunner smoke;                         ///< empty: no smoke test
    std::set<std::string> only;                ///< ids of the checks to run; empty: all
};

/// Wheels of a Fromager output tree: wheels-repo/downloads and wheels-repo/prebuilt.
/// Throws Error{usage} "file-not-found" if there is no wheels-repo.
[[nodiscard]] std::vector<std::filesystem::path> fromager_folders(const std::filesystem::path& tree
);

/// The baseline as a lock: from a kernels.lock, a wheel, or a folder of wheels.
[[nodiscard]] KernelsLock load_baseline(const std::filesystem::path& path);

}  // namespace wheelforge::wheel
