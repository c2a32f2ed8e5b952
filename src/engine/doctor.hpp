// SPDX-License-Identifier: Apache-2.0
// Whether this machine can build for a variant: toolchain, programs, Python, sandbox, disk, index.
// Nothing is changed; what is missing says the command that mends it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "build/interpreter.hpp"
#include "build/sandbox.hpp"
#include "engine/environment.hpp"
#include "index/index.hpp"

namespace wheelforge::engine {

enum class Health {
    ok,
    note,    ///< worth knowing; builds go on
    missing  ///< builds for this variant will fail
};

struct Diagnosis {
    std::string area;  ///< "toolchain", "programs", "python", "machine", "index"
    std::string subject;
    Health health = Health::ok;
    std::string found;
    std::vector<std::string> mend;  ///< commands, or words where no command would do
};

/// What is looked at. `here` is looked up already; the rest is looked at by examine().
struct DoctorQuestion {
    const VariantHere& here;
    const config::Settings& settings;
    std::vector<std::string> packages;  ///< whose needs count too; also folders and sdists
    std::optional<build::Interpreter> interpreter;
    std::string no_interpreter;  ///< why there is none
    std::vector<std::string> no_interpreter_mend;
    build::SandboxProbe sandbox;
    std::filesystem::path cache;
    std::filesystem::path output;
    index::IndexSettings index;
};

/// In the order in which they are worth reading. Takes about a second at most.
[[nodiscard]] std::vector<Diagnosis> examine(const DoctorQuestion& question);

/// The parts of examine().
[[nodiscard]] std::vector<Diagnosis> examine_toolchain(const VariantHere& here);
[[nodiscard]] std::vector<Diagnosis> examine_programs(const VariantHere& here);
[[nodiscard]] std::vector<Diagnosis> examine_machine(const DoctorQuestion& question);

/// What a source (a folder or an sdist) says it needs of the system, in [external] (PEP 725).
[[nodiscard]] std::vector<Diagnosis>
examine_externals(const std::filesystem::path& source, const VariantHere& here);

[[nodiscard]] bool is_fit(const std::vector<Diagnosis>& diagnoses);
/// A table, each line that is not well followed by what mends it; or JSON
/// (docs/formats/doctor.schema.json).
[[nodiscard]] std::string
render_diagnoses(const VariantHere& here, const std::vector<Diagnosis>& diagnoses, bool json);

}  // namespace wheelforge::engine
