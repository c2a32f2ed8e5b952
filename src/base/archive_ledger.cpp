// SPDX-License-Identifier: Apache-2.0
#include "base/archive_ledger.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/archive_limits.hpp"
#include "base/archive_rules.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelforge {

std::vector<std::string> ArchiveLedger::accept(const SourceMember& member) {
    auto parts = member_parts(member.name);
    if (!parts) {
        throw member_refused("archive-name", member.name, parts.error().message);
    }
    const bool git_comment =
        parts->size() == 1 && member.kind == Kind::file && parts->front() == "pax_global_header";
    const bool current_folder = parts->empty() && member.kind == Kind::directory;
    if (git_comment || current_folder) {
        return {};
    }
    check_root(member, *parts);
    check_link(member, *parts);
    add_parents(member, *parts);
    newest_mtime_ = std::max(newest_mtime_, member.mtime);
    auto path = join_parts(*parts);
    if (const auto before = seen_.find(path);
        before != seen_.end() && before->second == Kind::file && member.kind == Kind::file) {
        repeated_.insert(std::move(path));
        return {};
    }
    add(member, std::move(path), member.kind);
    return std::move(*parts);
}

std::vector<std::string> ArchiveLedger::notices() const {
    auto notices = collisions_.notices();
    for (const auto& path : repeated_) {
        notices.push_back(
            "\"" + printable(path) + "\" is listed more than once, the same each time"
        );
    }
    return notices;
}

const std::string& ArchiveLedger::root() const {
    if (root_.empty()) {
        throw Error{ExitCode::refused, "archive-roots", "the archive holds no folder"};
    }
    return root_;
}

void ArchiveLedger::check_root(const SourceMember& member, const std::vector<std::string>& parts) {
    if (parts.empty() || (parts.size() == 1 && member.kind != Kind::directory)) {
        throw member_refused("archive-roots", member.name, "no root folder above it");
    }
    if (root_.empty()) {
        root_ = parts.front();
    } else if (root_ != parts.front()) {
        throw member_refused(
            "archive-roots", member.name, "another root folder than \"" + printable(root_) + "\""
        );
    }
}

void ArchiveLedger::check_link(const SourceMember& member, const std::vector<std::string>& parts)
    const {
    if (member.kind == Kind::special) {
        throw member_refused(
            "archive-special", member.name, "a type that no source needs (device, fifo or socket)"
        );
    }
    if (member.kind == Kind::symlink && !link_stays_inside(parts, member.target)) {
        throw member_refused(
            "archive-link",
            member.name,
            "a link to \"" + printable(member.target) + "\", outside the root folder"
        );
    }
    if (member.kind == Kind::hardlink) {
        const auto target = member_parts(member.target);
        const auto found = target ? seen_.find(join_parts(*target)) : seen_.end();
        if (found == seen_.end()
            || (found->second != Kind::file && found->second != Kind::hardlink)) {
            throw member_refused(
                "archive-link",
                member.name,
                "a hard link to \"" + printable(member.target) + "\", which is no file before it"
            );
        }
    }
}

void ArchiveLedger::add_parents(const SourceMember& member, const std::vector<std::string>& parts) {
    for (std::size_t count = 1; count < parts.size(); ++count) {
        add(member, join_parts(std::span(parts).first(count)), Kind::directory);
    }
}

void ArchiveLedger::add(const SourceMember& member, std::string path, Kind kind) {
    const auto [place, fresh] = seen_.emplace(std::move(path), kind);
    if (!fresh && kind == Kind::directory && place->second == Kind::symlink) {
        throw member_refused("archive-link", member.name, "a path that leads through a link");
    }
    if (!fresh && (kind != Kind::directory || place->second != Kind::directory)) {
        throw member_refused(
            "archive-duplicate", member.name, "a name that another member has already"
        );
    }
    if (fresh) {
        collisions_.add(place->first);
    }
    if (seen_.size() > most_files_) {
        throw limit_exceeded(
            "the archive holds more than " + std::to_string(most_files_) + " files"
        );
    }
}

}  // namespace wheelforge
