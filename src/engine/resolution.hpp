// SPDX-License-Identifier: Apache-2.0
// A run that only resolves: the runtime set and every build scope, with what each pin would be
// made from. Nothing is built but what no cheaper evidence can tell.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/graph.hpp"
#include "engine/observer.hpp"
#include "engine/request.hpp"
#include "index/hashes.hpp"

namespace wheelforge::engine {

struct ResolvedPackage {
    std::string name;
    std::string version;
    std::string source;  ///< sdist, wheel, git, url, local
    std::string filename;
    std::string url;           ///< without credentials
    std::string index_url;     ///< of the index that has it; "" for what comes from elsewhere
    std::string subdirectory;  ///< of a direct reference
    bool is_folder = false;    ///< `url` is a folder of this machine
    index::Digests digests;    ///< stated or computed; of folders and git, of what we packed
    std::optional<std::uint64_t> size;
    std::string requires_python;          ///< as the index states it
    std::vector<std::string> requires_;   ///< requirements that apply
    std::vector<std::string> depends_on;  ///< names of them, sorted
    std::set<std::string> extras;
    bool exact = true;  ///< requirements are not an estimate
};

struct Resolved {
    ExitCode exit_code = ExitCode::ok;
    std::optional<Failure> failure;
    std::vector<resolve::Conflict> conflicts;  ///< of the runtime set, or of build scopes
    std::vector<std::string> suggestions;      ///< lines to relax, tried by the solver
    std::string target_python;
    std::string environment;                ///< marker that holds on the target only
    std::vector<ResolvedPackage> packages;  ///< the runtime set
    std::map<std::string, std::vector<std::string>> builds;  ///< "name==version" -> tools
    Graph graph;
    std::vector<std::string> notices;
};

struct ResolveDepth {
    bool runtime_only = false;  ///< build scopes are not looked at
    bool every_digest = false;  ///< files without a digest that proves anything are fetched for one
};
[[nodiscard]] Resolved resolve_only(
    const BootstrapRequest& request, ResolveDepth depth, Observer& observer, std::stop_token stop
);

/// docs/formats/resolve.schema.json
[[nodiscard]] std::string resolved_json(const Resolved& resolved);
/// "name==version" a line.
[[nodiscard]] std::string constraints_text(const Resolved& resolved);
/// The same of a name and its versions. Several (--multiple-versions) bound nothing; they stand in
/// a comment.
[[nodiscard]] std::string pins_text(const std::map<std::string, std::vector<std::string>>& versions
);

}  // namespace wheelforge::engine
