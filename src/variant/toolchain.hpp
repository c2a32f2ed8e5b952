// SPDX-License-Identifier: Apache-2.0
// The toolchain of a variant: where it is looked for, how its version is read, which versions will
// do, what stands for it in a build's inputs. As a definition says it; toolchain_probe.hpp looks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/yaml.hpp"
#include "pep/specifier.hpp"
#include "pep/version.hpp"

namespace wheelforge::variant {

/// One place to look for the root of a toolchain.
struct RootRule {
    enum class Kind {
        variable,  ///< the value of an environment variable
        program,   ///< `up` folders above the real path of a program on PATH
        path,      ///< a folder; '*' and '?' stand for parts of names, the highest version first
        python     ///< what a command prints that a package installed into the interpreter's `bin`
    };
    Kind kind = Kind::path;
    std::string text;                  ///< variable, program or path
    std::vector<std::string> command;  ///< of Kind::python
    /// Of Kind::python: a build that requires one of these has the toolchain in its environment,
    /// where the command tells its root. Normalised names.
    std::vector<std::string> distributions;
    unsigned up = 2;
};

/// Text that holds a version: a file below the root, or what a command prints.
struct VersionReader {
    std::string file;                  ///< relative to the root
    std::vector<std::string> command;  ///< the program relative to the root if it has a slash
    /// Groups, joined by dots, are the version.
    std::string pattern;
};

/// Commands whose first program that exists is asked which architectures it compiles for.
struct AcceptsRule {
    std::vector<std::vector<std::string>> commands;
    std::string pattern;  ///< group 0 of each match
};

struct ToolchainRule {
    std::string name;  ///< "ROCm"
    std::vector<RootRule> roots;
    std::vector<std::string> marker;  ///< a folder with one of these files is a root
    std::vector<VersionReader> version;
    std::optional<pep::Version> minimum;
    std::optional<pep::Version> below;
    std::string because;                        ///< of minimum and below
    std::vector<std::string> device_libraries;  ///< candidates, relative to the root
    AcceptsRule accepts;
    std::vector<std::string> path;               ///< folders below the root for PATH of builds
    std::vector<std::string> fingerprint_files;  ///< globs below the root
    std::vector<std::vector<std::string>> fingerprint_commands;
    std::vector<std::string> mend;  ///< what to do when it is not there
    std::string origin;

    [[nodiscard]] bool empty() const noexcept { return roots.empty(); }
};

/// A program of the system that builds of a variant rely on.
struct ProgramRule {
    std::string program;
    VersionReader version;
    std::optional<pep::Version> minimum;
    std::optional<pep::Version> below;
    VersionReader at_most;        ///< the highest major version, as a file of the toolchain says
    pep::SpecifierSet toolchain;  ///< holds for these versions of the toolchain only
    bool required = true;
    bool system_only = false;  ///< one that pip installed must not stand before it
    std::string because;
    std::string apt;
    std::string dnf;
    std::string mend;
    std::string origin;
};

/// Lays the keys of `node` over `rule`, each replacing what stood there.
void read_toolchain(const yaml::Node& node, ToolchainRule& rule);
[[nodiscard]] ProgramRule read_program(const std::string& program, const yaml::Node& node);

}  // namespace wheelforge::variant
