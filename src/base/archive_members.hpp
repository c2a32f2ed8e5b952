// SPDX-License-Identifier: Apache-2.0
// The members of a source archive one after another, whatever its format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/archive.hpp"

namespace wheelforge {

struct SourceMember {
    enum class Kind { file, directory, symlink, hardlink, special };
    std::string name;    ///< raw: judge it by member_parts
    std::string target;  ///< of a link
    Kind kind = Kind::file;
    std::uint64_t size = 0;
    bool executable = false;
    std::int64_t mtime = 0;  ///< clamped
};

/// Enforces ArchiveLimits on bytes and ratio while it decompresses; counting files is the
/// reader's. All failures are Error{refused} "archive-*" or "zip-*".
class MemberSource {
public:
    MemberSource() = default;
    MemberSource(const MemberSource&) = delete;
    MemberSource& operator=(const MemberSource&) = delete;
    virtual ~MemberSource() = default;
    /// nullopt after the last, once the end of the archive was found whole and nothing after it.
    virtual std::optional<SourceMember> next() = 0;
    /// Content of the member last returned, in pieces; at most once.
    virtual void content(const std::function<void(std::string_view)>& sink) = 0;
};

[[nodiscard]] std::unique_ptr<MemberSource>
open_members(const std::filesystem::path& archive, const ArchiveLimits& limits);

}  // namespace wheelforge
