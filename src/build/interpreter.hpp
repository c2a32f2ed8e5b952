// SPDX-License-Identifier: Apache-2.0
// The Python that builds and for which is built, asked once by running it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pep/tags.hpp"

namespace wheelforge::build {

struct Interpreter {
    std::filesystem::path executable;  ///< the real program, shims and venvs resolved to base
    std::filesystem::path base_prefix;
    std::filesystem::path stdlib;
    std::string site_packages;      ///< relative to a venv: "lib/python3.12/site-packages"
    std::string digest;             ///< sha256 of sys.version and sysconfig variables
    bool has_headers = false;       ///< Python.h is there
    std::filesystem::path include;  ///< where it would be
    pep::Target target;
};

/// @param wanted  "3.12" (looked up as python3.12 on PATH), a path, or "" (python3)
/// Throws Error{usage} "python-not-found", "python-unsupported" (not CPython, older than 3.8).
[[nodiscard]] Interpreter
probe_interpreter(const std::string& wanted, const std::string& path_variable);

/// The folders and files without which it does not run, for system_mounts.
[[nodiscard]] std::vector<std::filesystem::path> roots_of(const Interpreter& interpreter);

}  // namespace wheelforge::build
