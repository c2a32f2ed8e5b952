// SPDX-License-Identifier: Apache-2.0
// Whose word a downloaded file is taken on: digests that the index states are checked while it
// comes (index/download.hpp); here counts what the user says of it.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "engine/request.hpp"
#include "index/index.hpp"
#include "plugin/recipe.hpp"

namespace wheelforge::engine {

struct FileTrust {
    std::set<std::string> hashes;  ///< "sha256:..." of --hash, one of which the file must have
    bool required = false;         ///< --require-hashes
};

[[nodiscard]] FileTrust trust_in(const BootstrapRequest& request, const std::string& name);

/// Throws Error{refused} "hash-mismatch" for a file with none of the digests of --hash, and with
/// --require-hashes "hash-missing" for one that nobody vouches for by a strong digest; without,
/// the user is told of such a file when it came over the network.
/// @param sha256   of the file
/// @param archive  gives its path, for other digests
void check_trust(
    const FileTrust& trust,
    const index::DistributionFile& file,
    const std::string& sha256,
    const plugin::Toolbox& tools,
    const std::function<std::filesystem::path()>& archive
);

}  // namespace wheelforge::engine
