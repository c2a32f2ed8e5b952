// SPDX-License-Identifier: Apache-2.0
// Python environments made of unpacked wheels.
//
// Each wheel is unpacked once per interpreter into a tree laid out like a venv (bin/,
// lib/pythonX.Y/site-packages/, include/, share/), cached by payload digest. An environment is the
// stack of those trees over a base tree (pyvenv.cfg, bin/python): overlayfs lower layers, or
// copies where overlayfs is refused. Builds never write into a cached tree.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "build/interpreter.hpp"
#include "build/sandbox.hpp"

namespace wheelforge::build {

struct InstalledWheel {
    std::filesystem::path wheel;
    std::string payload;  ///< payload digest
};

class TreeCache {
public:
    /// @param folder  cache folder; shared between processes (locks inside)
    TreeCache(std::filesystem::path folder, const Interpreter& interpreter);
    /// The same; wherever environments are used, trees are made for the fixed path of a sandbox,
    /// and the copies for another path get their own first lines of scripts.
    TreeCache(std::filesystem::path folder, const Interpreter& interpreter, const std::filesystem::path&)
        : TreeCache(std::move(folder), interpreter) {}
    /// The base tree of a venv.
    [[nodiscard]] std::filesystem::path base() const;
    /// The tree of a wheel, unpacked now if it is not there yet: RECORD order, .data schemes,
    /// console scripts, INSTALLER; hostile wheels are refused before a byte is written outside;
    /// .pyc compiled (unchecked-hash) so that backends start warm.
    [[nodiscard]] std::filesystem::path tree(const InstalledWheel& wheel) const;
    /// The files of a tree that base() or tree() returned, relative to it, sorted, without .pyc.
    [[nodiscard]] static std::vector<std::string> files(const std::filesystem::path& tree);
    /// The path that trees are made for: first lines of scripts name it.
    [[nodiscard]] const std::filesystem::path& prefix() const noexcept { return prefix_; }

private:
    [[nodiscard]] std::filesystem::path publish(
        const std::string& key,
        const std::function<std::vector<std::string>(const std::filesystem::path&)>& fill
    ) const;
    std::filesystem::path folder_;
    Interpreter interpreter_;
    std::filesystem::path prefix_;
};

/// The environment as a mount (overlay), or, where `probe` says no overlay, copied into
/// `paths.environment` / a scratch folder and bound read-write (at level none the mount shows it
/// where it is anyway). Layers are ordered by name; two wheels that own the same file are
/// Error{refused} "file-conflict" unless contents are equal.
[[nodiscard]] Mount provide_environment(
    const TreeCache& cache,
    const std::vector<InstalledWheel>& wheels,
    const SandboxProbe& probe,
    const BuildPaths& paths,
    const std::filesystem::path& scratch
);

}  // namespace wheelforge::build
