// SPDX-License-Identifier: Apache-2.0
// A wheel tried out: installed, with what it requires of the wheels at hand, into an environment of
// its own; its modules imported and its commands run without network, in the sandbox of builds.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "build/environment.hpp"
#include "build/interpreter.hpp"
#include "build/sandbox.hpp"
#include "engine/request.hpp"
#include "wheel/finding.hpp"
#include "wheel/verify/request.hpp"

namespace wheelforge::engine {

class SmokeTest {
public:
    /// @param wheels  what may be installed: wheels, one for each name (the last one counts)
    /// @param variables  what a program of this stack is run with (a variant's runtime-env)
    SmokeTest(
        build::Interpreter interpreter,
        const std::vector<std::filesystem::path>& wheels,
        Environment variables
    );

    /// An outcome for each import and command. A wheel that this interpreter could not install
    /// gives one outcome that says so. Throws Error{surroundings} when nothing can be started.
    [[nodiscard]] std::vector<wheel::SmokeOutcome> run(const wheel::SmokeRequest& request) const;

private:
    /// Transitively, markers evaluated; what is not at hand is left out.
    [[nodiscard]] std::vector<build::InstalledWheel> closure_of(const std::filesystem::path& wheel
    ) const;

    build::Interpreter interpreter_;
    std::map<std::string, std::filesystem::path> wheels_;  ///< by normalised name
    Environment variables_;
};

/// The wheels of a run, tried out one after the other with all of them at hand.
/// @returns what the policy calls errors of them, by wheel; nothing for wheels that passed
[[nodiscard]] std::map<std::filesystem::path, std::vector<wheel::Finding>>
try_out(const BootstrapRequest& request, const std::vector<std::filesystem::path>& wheels);

}  // namespace wheelforge::engine
