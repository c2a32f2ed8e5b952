// SPDX-License-Identifier: Apache-2.0
// The members an archive has shown so far, and whether the next one may join them.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/archive_members.hpp"
#include "base/name_collisions.hpp"

namespace wheelforge {

class ArchiveLedger {
public:
    explicit ArchiveLedger(std::uint64_t most_files) : most_files_(most_files) {}

    /// Judges a member by its name, type, link target and the members before it. @returns its
    /// parts, the first one the root folder; empty for one that is to be passed over ("./", git's
    /// "pax_global_header" where a tool has unpacked it to a file, a file listed again). Throws
    /// Error{refused} "archive-*".
    std::vector<std::string> accept(const SourceMember& member);
    /// Name of the single root folder. Throws "archive-roots" when there was none.
    [[nodiscard]] const std::string& root() const;
    /// Files listed more than once, parts joined: their bytes are still to be compared.
    [[nodiscard]] const std::set<std::string>& repeated() const noexcept { return repeated_; }
    /// What a person should know of members that were accepted all the same, a line each.
    [[nodiscard]] std::vector<std::string> notices() const;
    [[nodiscard]] std::int64_t newest_mtime() const noexcept { return newest_mtime_; }

private:
    using Kind = SourceMember::Kind;
    void check_root(const SourceMember& member, const std::vector<std::string>& parts);
    void add_parents(const SourceMember& member, const std::vector<std::string>& parts);
    void add(const SourceMember& member, std::string path, Kind kind);
    void check_link(const SourceMember& member, const std::vector<std::string>& parts) const;

    std::uint64_t most_files_;
    std::string root_;
    std::unordered_map<std::string, Kind> seen_;
    std::set<std::string> repeated_;
    NameCollisions collisions_;
    std::int64_t newest_mtime_ = 0;
};

}  // namespace wheelforge
