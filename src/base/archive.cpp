// SPDX-License-Identifier: Apache-2.0
#include "base/archive.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <utility>

#include "base/archive_ledger.hpp"
#include "base/archive_members.hpp"
#include "base/archive_repeats.hpp"
#include "base/archive_rules.hpp"
#include "base/archive_tar.hpp"
#include "base/archive_zip.hpp"
#include "base/beneath.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

namespace wheelforge {
namespace {

using Kind = SourceMember::Kind;

class Unpacker {
public:
    Unpacker(const fs::path& archive, const fs::path& destination, const ArchiveLimits& limits)
        : archive_(archive), limits_(limits), source_(open_members(archive, limits)),
          ledger_(limits.files), destination_(destination), folder_(destination) {}

    UnpackedArchive run() {
        while (const auto member = source_->next()) {
            const auto parts = ledger_.accept(*member);
            if (!parts.empty()) {
                unpack(*member, parts);
            }
        }
        result_.root = destination_ / ledger_.root();
        result_.newest_mtime = ledger_.newest_mtime();
        check_links();
        require_equal_repeats(archive_, limits_, ledger_.repeated());
        result_.notices = ledger_.notices();
        return std::move(result_);
    }

private:
    void unpack(const SourceMember& member, const std::vector<std::string>& parts) {
        if (member.kind == Kind::directory) {
            folder_.make_folder(parts);
            return;
        }
        ++result_.files;
        if (member.kind == Kind::file) {
            write_file(member, parts);
        } else if (member.kind == Kind::symlink) {
            folder_.make_symlink(parts, member.target);
            links_.push_back(join_parts(parts));
        } else {
            folder_.make_hard_link(member_parts(member.target).value(), parts);
        }
    }

    void write_file(const SourceMember& member, const std::vector<std::string>& parts) {
        const Descriptor file = folder_.create_file(parts, member.executable);
        source_->content([&](std::string_view bytes) {
            write_all(file, bytes, member.name);
            result_.bytes += bytes.size();
        });
        const std::array<timespec, 2> times = {{{member.mtime, 0}, {member.mtime, 0}}};
        ::futimens(file.get(), times.data());
    }

    /// A link may pass the check of its text and still lead out through another link ("a/x" with
    /// x -> "." and then "a/x/../.."), so each is followed once everything is there.
    void check_links() const {
        const fs::path root = fs::canonical(result_.root);
        for (const std::string& link : links_) {
            std::error_code error;
            const fs::path target = fs::weakly_canonical(destination_ / link, error);
            const auto [end, rest] =
                std::mismatch(root.begin(), root.end(), target.begin(), target.end());
            if (error || end != root.end()) {
                throw member_refused(
                    "archive-link", link, "a link that leads outside or in circles"
                );
            }
        }
    }

    fs::path archive_;
    ArchiveLimits limits_;
    std::unique_ptr<MemberSource> source_;
    ArchiveLedger ledger_;
    fs::path destination_;
    Beneath folder_;
    UnpackedArchive result_;
    std::vector<std::string> links_;
};

void require_empty(const fs::path& destination) {
    std::error_code error;
    if (!fs::is_empty(destination, error) || error) {
        throw Error{
            ExitCode::bug,
            "archive-destination",
            "the folder to unpack into is not empty: " + printable(destination.native())
        };
    }
}

/// After a refusal nothing of the archive stays.
void clear(const fs::path& destination, bool made_here) {
    std::error_code ignored;
    if (made_here) {
        fs::remove_all(destination, ignored);
        return;
    }
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(destination, ignored)) {
        entries.push_back(entry.path());
    }
    for (const fs::path& entry : entries) {
        fs::remove_all(entry, ignored);
    }
}

}  // namespace

std::unique_ptr<MemberSource> open_members(const fs::path& archive, const ArchiveLimits& limits) {
    const ArchiveKind kind = archive_kind(archive);
    return kind == ArchiveKind::zip ? open_zip(archive, limits) : open_tar(archive, kind, limits);
}

UnpackedArchive
unpack_archive(const fs::path& archive, const fs::path& destination, const ArchiveLimits& limits) {
    const bool made_here = !fs::exists(destination);
    make_directories(destination);
    require_empty(destination);
    try {
        return Unpacker(archive, destination, limits).run();
    } catch (Error& error) {
        clear(destination, made_here);
        throw std::move(error.doing("unpacking " + printable(archive.filename().native())));
    } catch (...) {
        clear(destination, made_here);
        throw;
    }
}

}  // namespace wheelforge
