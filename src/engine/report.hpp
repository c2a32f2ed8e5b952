// SPDX-License-Identifier: Apache-2.0
// What a run did (docs/formats/report.schema.json): a value first, JSON second.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/job.hpp"
#include "engine/request.hpp"

namespace wheelforge::engine {

struct PackageRow {
    std::string name;
    std::string version;  ///< as built
    bool runtime = false;
    std::string
        outcome;        ///< built, reused, pre_built, failed, blocked, refused, cancelled, planned
    std::string key;    ///< build key, "" if none
    std::string wheel;  ///< path below the output folder, "" if none
    std::string sha256;
    double seconds = 0;
    std::string log;  ///< path below the output folder, "" if none
    std::vector<wheel::Finding> findings;
    std::optional<Failure> failure;
    std::vector<std::string> blocked_by;
    std::vector<std::string> drift;  ///< of a reused wheel: weak inputs that are others today
};

struct MissingTool {
    std::string name;
    std::vector<std::string> needed_by;
    std::string advice;
};

struct Report {
    std::string variant;
    pep::Target target;
    ExitCode exit_code = ExitCode::ok;
    double seconds = 0;
    std::optional<Failure> error;      ///< what ended the run as a whole
    std::vector<PackageRow> packages;  ///< sorted by name, version, runtime first
    std::vector<MissingTool> missing_tools;
    std::vector<std::string> notices;
    std::string first_action;  ///< "" after success

    [[nodiscard]] std::map<std::string, int> counts() const;
};

/// What became of a job; paths are the caller's to fill in.
[[nodiscard]] PackageRow row_of(const Job& job, bool runtime);
/// The one thing to do first; "" when nothing went wrong.
[[nodiscard]] std::string first_action(const Report& report);

[[nodiscard]] std::string report_json(const Report& report);

/// After a run for several variants: <variant>/report.json each, and report.json is that of the one
/// that ended worst, with `runs` naming all. Throws Error{surroundings} where it cannot be written.
void write_reports(const std::filesystem::path& output, const std::vector<Report>& reports);
/// The exit code of them all.
[[nodiscard]] ExitCode exit_code_of(const std::vector<Report>& reports);

}  // namespace wheelforge::engine
