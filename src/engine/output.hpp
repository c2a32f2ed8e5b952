// SPDX-License-Identifier: Apache-2.0
// The output folder: <variant>/{wheels,build-wheels,simple,sdists,sboms,records,logs,
// constraints.txt}, graph.json and report.json. Every file appears whole or not at all.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/graph.hpp"
#include "engine/job.hpp"
#include "engine/past.hpp"
#include "engine/report.hpp"

namespace wheelforge::engine {

class OutputTree {
public:
    /// Makes the folders. Throws Error{surroundings} "output-not-writable".
    /// @param provided  distributions that others bring: what is done for them is not published
    OutputTree(
        std::filesystem::path root, std::string variant, std::set<std::string> provided = {}
    );

    [[nodiscard]] std::filesystem::path variant_folder() const { return root_ / variant_; }
    /// Path of a published wheel below the root: "cpu/wheels/x.whl".
    [[nodiscard]] std::string wheel_path(const Job& job, bool runtime) const;

    /// Puts the wheel, SBOM, record and (when it lies in `sources`) the sdist of a published job
    /// in place.
    void publish(const Job& job, bool runtime, const std::filesystem::path& sources);
    /// Takes the wheel of a published job out of wheels/ again; with `aside` into refused/.
    void withdraw(const Job& job, bool aside);
    /// Writes constraints.txt, simple/ and graph.json, and removes what an earlier run of ours put
    /// into wheels/ and build-wheels/ for nodes that are gone. Files of others stay.
    void finish(
        const resolve::Resolution& runtime,
        const std::map<plugin::PackageId, Job>& jobs,
        const Graph& graph
    ) const;
    void write_report(const Report& report) const;
    [[nodiscard]] std::optional<Graph> last_graph() const;
    /// What this variant's wheels were when the last run that succeeded ended.
    [[nodiscard]] Past past(const std::optional<Graph>& last) const;

private:
    void keep_record(const Published& published) const;
    void write_simple_index(
        const std::map<plugin::PackageId, Job>& jobs, const std::set<plugin::PackageId>& runtime
    ) const;
    void prune(const std::set<std::string>& wheels) const;

    std::filesystem::path root_;
    std::string variant_;
    std::set<std::string> placed_;  ///< wheels of this run, as the manifest names them
    std::set<std::string> provided_;
};

}  // namespace wheelforge::engine
