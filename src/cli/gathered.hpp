// SPDX-License-Identifier: Apache-2.0
// What the command line, the files it names and wheelforge.yaml say together.
#pragma once

#include <string>
#include <vector>

#include "base/process.hpp"
#include "cli/inputs.hpp"
#include "config/requirements_file.hpp"

namespace wheelforge::cli {

struct Gathered {
    std::vector<config::RequirementLine> roots;
    std::vector<config::RequirementLine> constraints;
    std::vector<config::RequirementLine> runtime_constraints;
    std::vector<config::RequirementLine> build_constraints;
    std::vector<std::string> index_urls;
    std::vector<std::string> extra_index_urls;
    std::vector<std::string> find_links;
    std::vector<std::string> trusted_hosts;
    std::vector<std::string> only_binary;
    bool no_index = false;
    bool prereleases = false;
    bool require_hashes = false;
    std::string settings;
    std::string output;
    std::vector<std::string> archs;
};

/// Reads them all; files may be behind http(s) URLs. Throws Error{usage}, and what HTTP throws.
[[nodiscard]] Gathered gather(const InputOptions& options);

/// The variables that pip's configuration is read from.
[[nodiscard]] Environment environment_for_pip(Environment environment, bool no_config);

}  // namespace wheelforge::cli
