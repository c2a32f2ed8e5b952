// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/archive.hpp"
#include "base/archive_ledger.hpp"
#include "base/archive_members.hpp"
#include "base/archive_repeats.hpp"
#include "base/archive_rules.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelforge {
namespace {

using Kind = SourceMember::Kind;
using Wanted = std::function<bool(std::string_view)>;

constexpr std::uint64_t largest_member = 16U << 20U;

/// One pass over an archive.
struct Pass {
    ArchivePeek peek;
    std::map<std::string, std::string> links;  ///< wanted names that are links -> what they name
};

std::string without_root(const std::vector<std::string>& parts) {
    return join_parts(std::span(parts).subspan(std::min<std::size_t>(1, parts.size())));
}

/// What a link says it names, read as text (ArchiveLedger has made sure that it is inside).
std::string link_target(const SourceMember& member, std::vector<std::string> parts) {
    if (member.kind == Kind::hardlink) {
        return without_root(member_parts(member.target).value());
    }
    parts.pop_back();
    for (const auto part : split(member.target, '/')) {
        if (part == "..") {
            parts.pop_back();
        } else if (!part.empty() && part != ".") {
            parts.emplace_back(part);
        }
    }
    return without_root(parts);
}

std::string content_of(MemberSource& source) {
    std::string content;
    source.content([&](std::string_view bytes) { content += bytes; });
    return content;
}

std::string read_member(MemberSource& source, const SourceMember& member) {
    if (member.size > largest_member) {
        throw member_refused(
            "archive-limit", member.name, human_bytes(member.size) + ", too much to read"
        );
    }
    return content_of(source);
}

Pass read_once(
    const std::filesystem::path& archive,
    const Wanted& wanted,
    const std::vector<std::string>& stop_when_seen
) {
    const ArchiveLimits limits;
    const auto source = open_members(archive, limits);
    ArchiveLedger ledger(limits.files);
    std::set<std::string> missing(stop_when_seen.begin(), stop_when_seen.end());
    const bool to_the_end = missing.empty();
    Pass pass;
    while (to_the_end || !missing.empty()) {
        const auto member = source->next();
        if (!member) {
            break;
        }
        const auto parts = ledger.accept(*member);
        if (parts.empty() || member->kind == Kind::directory) {
            continue;
        }
        const std::string name = without_root(parts);
        missing.erase(name);
        if (!wanted(name)) {
            continue;
        }
        if (member->kind == Kind::file) {
            pass.peek.members.push_back({name, read_member(*source, *member)});
        } else {
            pass.links.emplace(name, link_target(*member, parts));
        }
    }
    pass.peek.root = ledger.root();
    pass.peek.newest_mtime = ledger.newest_mtime();
    require_equal_repeats(archive, limits, ledger.repeated());
    pass.peek.notices = ledger.notices();
    return pass;
}

/// Reads what wanted links name; a link to nothing, or to another link, stays unread.
void follow_links(const std::filesystem::path& archive, Pass& pass) {
    std::set<std::string> targets;
    for (const auto& [name, target] : pass.links) {
        targets.insert(target);
    }
    const auto wanted = [&](std::string_view name) { return targets.contains(std::string(name)); };
    const Pass second = read_once(archive, wanted, {targets.begin(), targets.end()});
    for (const auto& [name, target] : pass.links) {
        for (const ArchiveMember& member : second.peek.members) {
            if (member.name == target) {
                pass.peek.members.push_back({name, member.content});
            }
        }
    }
}

std::string looking_into(const std::filesystem::path& archive) {
    return "looking into " + printable(archive.filename().native());
}

}  // namespace

void read_files(
    const std::filesystem::path& archive,
    std::uint64_t largest,
    const Wanted& wanted,
    const std::function<void(std::string_view, std::string)>& take
) {
    while_doing(
        [&] { return looking_into(archive); },
        [&] {
            const ArchiveLimits limits;
            const auto source = open_members(archive, limits);
            ArchiveLedger ledger(limits.files);
            while (const auto member = source->next()) {
                const auto parts = ledger.accept(*member);
                if (parts.empty() || member->kind != Kind::file || member->size > largest) {
                    continue;
                }
                if (const auto name = without_root(parts); wanted(name)) {
                    take(name, content_of(*source));
                }
            }
            require_equal_repeats(archive, limits, ledger.repeated());
        }
    );
}

ArchivePeek peek_archive(
    const std::filesystem::path& archive,
    const Wanted& wanted,
    const std::vector<std::string>& stop_when_seen
) {
    return while_doing(
        [&] { return looking_into(archive); },
        [&] {
            Pass pass = read_once(archive, wanted, stop_when_seen);
            if (!pass.links.empty()) {
                follow_links(archive, pass);
            }
            return std::move(pass.peek);
        }
    );
}

}  // namespace wheelforge
