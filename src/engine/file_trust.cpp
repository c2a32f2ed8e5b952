// SPDX-License-Identifier: Apache-2.0
#include "engine/file_trust.hpp"

#include <algorithm>

#include "base/descriptor.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "index/hashes.hpp"

namespace wheelforge::engine {
namespace {

constexpr std::size_t block_bytes = 1U << 20U;

std::string digest_by(const std::string& algorithm, const std::filesystem::path& path) {
    Hasher hasher(algorithm);
    const auto file = open_for_reading(path);
    std::string block(block_bytes, '\0');
    while (const auto got = read_some(file, block, path)) {
        hasher.update({block.data(), got});
    }
    return hasher.finish();
}

/// Whether it has this digest, as --hash writes it: "sha384:...".
bool has_digest(
    const std::string& wanted,
    const std::string& sha256,
    const std::function<std::filesystem::path()>& archive
) {
    const auto algorithm = wanted.substr(0, wanted.find(':'));
    const auto digest = algorithm == "sha256" ? sha256 : digest_by(algorithm, archive());
    return wanted == algorithm + ":" + digest;
}

}  // namespace

FileTrust trust_in(const BootstrapRequest& request, const std::string& name) {
    const auto hashes = request.required_hashes.find(name);
    return {
        hashes == request.required_hashes.end() ? std::set<std::string>() : hashes->second,
        request.require_hashes
    };
}

void check_trust(
    const FileTrust& trust,
    const index::DistributionFile& file,
    const std::string& sha256,
    const plugin::Toolbox& tools,
    const std::function<std::filesystem::path()>& archive
) {
    const auto name = printable(file.filename);
    if (!trust.hashes.empty()) {
        if (std::none_of(trust.hashes.begin(), trust.hashes.end(), [&](const auto& wanted) {
                return has_digest(wanted, sha256, archive);
            })) {
            throw Error(
                ExitCode::refused,
                "hash-mismatch",
                name + " has sha256 " + sha256 + ", which is none of those that --hash allows"
            )
                .advise("add --hash=sha256:" + sha256 + " if this is the file you mean");
        }
        return;
    }
    if (index::has_strong_hash(file.hashes)) {
        return;
    }
    if (trust.required) {
        throw Error(
            ExitCode::refused,
            "hash-missing",
            "nobody says by a strong digest what " + name
                + " has to be, and --require-hashes asks for that"
        )
            .advise(
                "add --hash=sha256:" + sha256 + " to its requirement, if this is the file you mean"
            );
    }
    if (tools.notify && !file.url.starts_with("file:")) {
        tools.notify(
            "the index states no digest of " + name + " that proves anything; it has sha256 "
            + sha256 + ", which is recorded"
        );
    }
}

}  // namespace wheelforge::engine
