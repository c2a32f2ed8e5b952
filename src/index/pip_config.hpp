// SPDX-License-Identifier: Apache-2.0
// pip's own configuration, read as pip reads it: files (global, user, site, $PIP_CONFIG_FILE),
// PIP_* variables, .netrc ($NETRC), user info in URLs; later sources win in pip's order.
//
// Where we differ from pip, to be safe: a credential belongs to one origin (scheme, host, port), so
// two indexes on one origin share the first; an entry of .netrc is for the default ports of its
// host and for the ports of configured locations on it, and `default` for configured locations
// only; keyring is not asked.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/process.hpp"
#include "index/index.hpp"

namespace wheelforge::index {

struct PipConfigInput {
    Environment env;  ///< the caller's
    std::filesystem::path
        interpreter;  ///< its sys.prefix/pip.conf counts, and its pip's default index
    std::vector<std::string> index_urls;        ///< command line: --index-url, the last one counts
    std::vector<std::string> extra_index_urls;  ///< --extra-index-url, after the configured ones
    std::vector<std::string> find_links;        ///< --find-links, after the configured ones
    std::vector<std::string> trusted_hosts;     ///< --trusted-host, after the configured ones
    bool no_index = false;
};

/// Without a configured index-url pip's own default is asked from the interpreter's pip (or the
/// pip bundled with ensurepip), since no host stands in our code. Throws Error{usage}
/// "no-index-configured" when none can be found.
[[nodiscard]] IndexSettings pip_index_settings(const PipConfigInput& input);

}  // namespace wheelforge::index
