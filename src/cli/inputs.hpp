// SPDX-License-Identifier: Apache-2.0
// From the words on the command line to a request to the engine: files are read, pip's
// configuration and the settings merged, the interpreter asked.
#pragma once

#include <string>
#include <vector>

#include "engine/request.hpp"

namespace CLI {
class App;
}

namespace wheelforge::cli {

/// Options that say what to build from what; several commands share them.
struct InputOptions {
    std::vector<std::string> requirements;              ///< REQ...
    std::vector<std::string> requirement_files;         ///< -r
    std::vector<std::string> constraint_files;          ///< -c
    std::vector<std::string> runtime_constraint_files;  ///< --runtime-constraint
    std::vector<std::string> build_constraint_files;    ///< --build-constraint
    std::vector<std::string> previous;                  ///< -p GRAPH
    std::string exclude_newer;
    std::string min_release_age;
    std::string resolution = "highest";
    bool backtrack_builds = false;
    bool no_config = false;
    std::vector<std::string> variants = {"cpu"};
    std::vector<std::string> archs;  ///< --arch LIST
    std::string policy;              ///< --policy
    std::string output;              ///< -o
    std::string python;
    unsigned jobs = 0;  ///< -j; 0: what the machine has
    std::vector<std::string> pre_built;
    std::vector<std::string> host_environments;  ///< --host-environment
    std::string settings_file;
    std::string settings_dir;
    std::string patches_dir;
    bool no_plugins = false;
    std::string cache_dir;
    std::vector<std::string> passed_variables;  ///< --env
    std::string index_url;
    std::vector<std::string> extra_index_urls;
    std::vector<std::string> find_links;
    bool no_index = false;
    bool require_hashes = false;
    bool prereleases = false;
    bool offline = false;
    bool refresh = false;
    std::string rebuild = "strong";  ///< --rebuild
    bool replace = false;            ///< --replace
};

void add_input_options(CLI::App& command, InputOptions& options);
/// Those of them that say where distributions come from.
void add_index_options(CLI::App& command, InputOptions& options);

/// Those of commands that publish wheels: when one is built again, and may take another's name.
void add_rebuild_options(CLI::App& command, InputOptions& options);

/// What a command does with the interpreter: builds need one that is there.
enum class Interpreter { must_be_there, may_be_absent };

/// Throws Error{usage} for anything that cannot be read or understood.
[[nodiscard]] engine::BootstrapRequest
make_request(const InputOptions& options, Interpreter need = Interpreter::must_be_there);
/// One for each variant, in the order given; of --arch each gets what its family has. Throws also
/// Error{usage} "bad-usage" for more than one from make_request().
[[nodiscard]] std::vector<engine::BootstrapRequest> make_requests(const InputOptions& options);

}  // namespace wheelforge::cli
