// SPDX-License-Identifier: Apache-2.0
#include "plugin/unpack.hpp"

#include <algorithm>
#include <cerrno>
#include <set>
#include <span>
#include <sys/stat.h>
#include <system_error>

#include "base/archive.hpp"
#include "base/archive_rules.hpp"
#include "base/beneath.hpp"
#include "base/descriptor.hpp"
#include "base/files.hpp"
#include "base/name_collisions.hpp"
#include "base/text.hpp"
#include "base/zip.hpp"
#include "source/sdist.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::plugin {
namespace {

void require_absent_or_empty(const fs::path& folder) {
    std::error_code error;
    const auto status = fs::symlink_status(folder, error);
    if (!fs::exists(status)) {
        return;
    }
    if (!fs::is_directory(status) || !fs::is_empty(folder, error) || error) {
        throw Error(
            ExitCode::usage,
            "folder-not-empty",
            printable(folder.string()) + " exists and is no empty folder"
        )
            .advise("name a folder that does not exist yet");
    }
}

/// The identity among those of the file's name that the root confirms.
source::SdistIdentity identity_of(const fs::path& archive, const std::string& root) {
    const auto filename = archive.filename().string();
    const auto stem = source::sdist_stem(filename);
    const auto named = source::identities_of(stem.value_or(""));
    if (named.empty()) {
        throw Error(
            ExitCode::usage,
            "not-a-distribution",
            printable(filename) + " is not called as an sdist (NAME-VERSION.tar.gz) or a wheel is"
        );
    }
    const auto said = source::identities_of(root);
    const auto both = std::find_if(named.begin(), named.end(), [&](const auto& each) {
        return std::find(said.begin(), said.end(), each) != said.end();
    });
    const auto& identity = both == named.end() ? named.front() : *both;
    source::require_root(root, filename, identity);
    return identity;
}

/// Its own word on what it is must agree with its name; what it says beyond is not judged here.
void check_identity(const fs::path& archive, const std::string& root) {
    const auto identity = identity_of(archive, root);
    try {
        static_cast<void>(source::inspect_sdist(archive, identity.name, identity.version));
    } catch (const Error& error) {
        if (error.code() == ExitCode::refused) {
            throw;
        }
    }
}

Unpacked unpack_sdist(const fs::path& archive, const fs::path& folder, const UnpackLimits& limits) {
    ArchiveLimits allowed;
    allowed.unpacked_bytes = limits.bytes.value_or(allowed.unpacked_bytes);
    allowed.files = limits.files.value_or(allowed.files);
    const auto made = unpack_archive(archive, folder, allowed);
    check_identity(archive, made.root.filename().string());
    return {made.root.filename(), made.files, made.bytes, made.notices};
}

/// @returns what is odd about it, but no reason to refuse it
std::vector<std::string> require_sound(const wheel::WheelFile& wheel) {
    std::vector<std::string> oddities;
    for (const auto& finding : wheel::check_structure(wheel)) {
        const auto told = finding.id + ": " + printable(finding.file)
                          + (finding.file.empty() ? "" : ": ") + printable(finding.evidence);
        if (finding.level == wheel::Level::error) {
            throw Error(
                ExitCode::refused,
                "bad-wheel",
                "the wheel " + printable(wheel.path().filename().string()) + " has " + told
            )
                .advise("wheelforge verify tells all that is wrong with it");
        }
        oddities.push_back(told);
    }
    return oddities;
}

Unpacked unpack_members(const ZipReader& zip, const fs::path& folder) {
    Unpacked made;
    NameCollisions collisions;
    std::set<std::string> noted;
    const auto note_name = [&](const std::vector<std::string>& parts) {
        for (std::size_t count = 1; count <= parts.size(); ++count) {
            auto path = join_parts(std::span(parts).first(count));
            if (noted.insert(path).second) {
                collisions.add(path);
            }
        }
    };
    Beneath below(folder);
    for (const ZipMember& member : zip.members()) {
        const auto parts = member_parts(member.name);
        if (!parts) {
            throw member_refused("zip-name", member.name, parts.error().message);
        }
        note_name(*parts);
        if (member.is_directory()) {
            below.make_folder(*parts);
            continue;
        }
        const Descriptor file = below.create_file(*parts, member.is_executable());
        zip.stream(member, [&](std::string_view bytes) { write_all(file, bytes, member.name); });
        ++made.files;
        made.bytes += member.size;
    }
    made.notices = collisions.notices();
    return made;
}

Unpacked unpack_wheel(const fs::path& archive, const fs::path& folder, const UnpackLimits& limits) {
    ZipLimits allowed;
    allowed.unpacked_bytes = limits.bytes.value_or(allowed.unpacked_bytes);
    allowed.members = limits.files.value_or(allowed.members);
    const ZipReader zip(archive, allowed);  // before anything in it is inflated
    auto oddities = require_sound(wheel::WheelFile(archive));
    auto made = unpack_members(zip, folder);
    made.notices.insert(made.notices.begin(), oddities.begin(), oddities.end());
    return made;
}

}  // namespace

Unpacked
unpack_distribution(const fs::path& archive, const fs::path& folder, const UnpackLimits& limits) {
    const auto target = fs::absolute(folder).lexically_normal();
    require_absent_or_empty(target);
    const auto place = target.has_filename() ? target : target.parent_path();
    TempDir beside(place.parent_path(), ".unpack-");
    auto made = archive.extension() == ".whl" ? unpack_wheel(archive, beside.path(), limits)
                                              : unpack_sdist(archive, beside.path(), limits);
    fs::permissions(beside.path(), fs::perms(0755));
    std::error_code error;
    fs::rename(beside.path(), place, error);
    if (error) {
        throw file_error(FileAction::write, place.string(), error.value());
    }
    static_cast<void>(beside.release());
    made.tree = made.tree.empty() ? folder : folder / made.tree;
    return made;
}

}  // namespace wheelforge::plugin
