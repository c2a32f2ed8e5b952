// SPDX-License-Identifier: Apache-2.0
// Python environments made of unpacked wheels.
//
// Each wheel is unpacked once per interpreter into a tree laid out like a venv (bin/,
// lib/pythonX.Y/site-packages/, include/, share/), cached by payload digest. An environment is the
// stack of those trees over a base tree (pyvenv.cfg, bin/python): overlayfs lower layers, or
// copies where overlayfs is refused. Builds never write into a cached tree.
#pragma once

#include <filesystem>
#include <string>
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
    /// @param prefix  the path environments have where they are used (BuildPaths::environment);
    ///                scripts carry it in their first line, so it is part of a tree's key
    TreeCache(std::filesystem::path folder, const Interpreter& interpreter, std::filesystem::path prefix);
    /// The base tree of a venv.
    [[nodiscard]] std::filesystem::path base() const;
    /// The tree of a wheel, unpacked now if it is not there yet: RECORD order, .data schemes,
    /// console scripts, INSTALLER; hostile wheels are refused before a byte is written outside;
    /// .pyc compiled (unchecked-hash) so that backends start warm.
    [[nodiscard]] std::filesystem::path tree(const InstalledWheel& wheel) const;

private:
    std::filesystem::path folder_;
    Interpreter interpreter_;
    std::filesystem::path prefix_;
};

/// The environment as a mount (overlay), or, where `probe` says no overlay, copied into
/// `paths.environment` / a scratch folder and bound read-write. Layers are ordered by name; two
/// wheels that own the same file are Error{refused} "file-conflict" unless contents are equal.
[[nodiscard]] Mount provide_environment(
    const TreeCache& cache, const std::vector<InstalledWheel>& wheels, const SandboxProbe& probe,
    const BuildPaths& paths, const std::filesystem::path& scratch
);

}  // namespace wheelforge::build
