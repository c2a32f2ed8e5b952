// SPDX-License-Identifier: Apache-2.0
#include "base/archive_repeats.hpp"

#include <map>

#include "base/archive_members.hpp"
#include "base/archive_rules.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"

namespace wheelforge {

void require_equal_repeats(
    const std::filesystem::path& archive,
    const ArchiveLimits& limits,
    const std::set<std::string>& paths
) {
    if (paths.empty()) {
        return;
    }
    const auto source = open_members(archive, limits);
    std::map<std::string, std::string> digests;
    while (const auto member = source->next()) {
        const auto parts = member_parts(member->name);
        const auto path = parts ? join_parts(*parts) : std::string();
        if (!paths.contains(path)) {
            continue;
        }
        Hasher hasher;
        hasher.update(member->executable ? "x" : "-");
        source->content([&](std::string_view bytes) { hasher.update(bytes); });
        const auto digest = hasher.finish();
        if (digests.emplace(path, digest).first->second != digest) {
            throw member_refused(
                "archive-duplicate", path, "different bytes, or modes, each time it is listed"
            );
        }
    }
}

}  // namespace wheelforge
