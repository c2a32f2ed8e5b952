// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/text.hpp"
#include "pep/name.hpp"
#include "wheel/contents.hpp"
#include "wheel/entry_points.hpp"
#include "wheel/finding_list.hpp"
#include "wheel/record_check.hpp"

namespace wheelforge::wheel {
namespace {

using pep::Tag;

void error(FindingList& findings, const char* id, std::string file, std::string evidence) {
    findings.add({id, Level::error, std::move(file), std::move(evidence), ""});
}

void warn(FindingList& findings, const char* id, std::string file, std::string evidence) {
    findings.add({id, Level::warn, std::move(file), std::move(evidence), ""});
}

/// "NAME-VERSION" of a .dist-info or .data folder against the file name.
bool names_this_wheel(std::string_view stem, const pep::WheelFilename& filename) {
    const auto dash = stem.rfind('-');
    if (dash == std::string_view::npos) {
        return false;
    }
    const auto version = pep::Version::parse(stem.substr(dash + 1));
    return version && *version == filename.version
           && pep::normalize_name(stem.substr(0, dash)) == filename.name;
}

void check_identity(const WheelFile& wheel, FindingList& findings) {
    const auto& filename = wheel.filename();
    const auto& metadata = wheel.metadata();
    const std::string file = wheel.dist_info() + "/METADATA";
    if (pep::normalize_name(metadata.name) != filename.name) {
        error(
            findings,
            "metadata-name",
            file,
            "says \"" + printable(metadata.name) + "\", the file name \""
                + printable(filename.written_name) + "\""
        );
    }
    if (metadata.version != filename.version) {
        error(
            findings,
            "metadata-version",
            file,
            "says \"" + printable(metadata.version_text) + "\", the file name \""
                + printable(filename.written_version) + "\""
        );
    }
    constexpr std::string_view suffix = ".dist-info";
    const std::string_view folder = wheel.dist_info();
    if (!names_this_wheel(folder.substr(0, folder.size() - suffix.size()), filename)) {
        error(
            findings, "dist-info-name", wheel.dist_info(), "belongs to another project or version"
        );
    }
    if (!is_valid_utf8(wheel.metadata_text())) {
        warn(findings, "metadata-encoding", file, "is not valid UTF-8");
    }
}

std::string texts(const std::set<Tag>& tags) {
    std::string text;
    for (const Tag& tag : tags) {
        text += (text.empty() ? "" : ", ") + printable(tag.text());
    }
    return text.empty() ? "none" : text;
}

void check_tags(const WheelFile& wheel, FindingList& findings) {
    const std::string file = wheel.dist_info() + "/WHEEL";
    std::set<Tag> inside;
    for (const std::string& line : wheel.info().tags) {
        const auto tags = pep::parse_tag_set(line);
        if (!tags) {
            error(
                findings, "wheel-tags", file, "has an unreadable Tag \"" + printable(line) + "\""
            );
            return;
        }
        inside.insert(tags->begin(), tags->end());
    }
    const std::set<Tag> named(wheel.filename().tags.begin(), wheel.filename().tags.end());
    if (inside != named) {
        error(
            findings,
            "wheel-tags",
            file,
            "says " + texts(inside) + "; the file name says " + texts(named)
        );
    }
}

void check_wheel_info(const WheelFile& wheel, FindingList& findings) {
    const WheelInfo& info = wheel.info();
    const std::string file = wheel.dist_info() + "/WHEEL";
    if (info.wheel_version != "1.0") {
        warn(
            findings,
            "wheel-version",
            file,
            "says Wheel-Version " + printable(info.wheel_version) + ", newer than 1.0"
        );
    }
    const auto& build = wheel.filename().build;
    const std::string named = build ? std::to_string(build->first) + build->second : "";
    if (info.build != named) {
        warn(
            findings,
            "wheel-build",
            file,
            "says Build \"" + printable(info.build) + "\", the file name \"" + printable(named)
                + "\""
        );
    }
}

void check_data(const WheelFile& wheel, FindingList& findings) {
    constexpr std::array<std::string_view, 5> schemes = {
        "purelib", "platlib", "headers", "scripts", "data"
    };
    constexpr std::string_view suffix = ".data";
    std::set<std::string> reported;
    for (const ZipMember& member : wheel.zip().members()) {
        const auto parts = split(member.name, '/');
        const bool inside = parts.size() > 1 && parts[0].ends_with(suffix);
        if (!inside || parts[1].empty()) {
            continue;
        }
        const auto stem = parts[0].substr(0, parts[0].size() - suffix.size());
        if (!names_this_wheel(stem, wheel.filename())
            && reported.insert(std::string(parts[0])).second) {
            error(
                findings,
                "data-folder-name",
                std::string(parts[0]),
                "belongs to another project or version"
            );
        }
        const std::string scheme = std::string(parts[0]) + '/' + std::string(parts[1]);
        const bool known = std::find(schemes.begin(), schemes.end(), parts[1]) != schemes.end();
        if ((!known || parts.size() == 2) && reported.insert(scheme).second) {
            error(
                findings,
                "data-unknown-scheme",
                scheme,
                "is none of purelib, platlib, headers, scripts, data"
            );
        }
    }
}

void check_entry_points(const WheelFile& wheel, FindingList& findings) {
    const std::string file = wheel.dist_info() + "/entry_points.txt";
    for (const auto& [name, value] : wheel.entry_point_scripts()) {
        if (!is_safe_script_name(name)) {
            error(
                findings,
                "entry-point-name",
                file,
                "names a command \"" + printable(name) + "\", which is no plain file name"
            );
        }
        if (!is_script_value(value)) {
            error(
                findings,
                "entry-point-value",
                file,
                "gives the command \"" + printable(name) + "\" as \"" + printable(value)
                    + "\", not as module:function"
            );
        }
    }
}

}  // namespace

std::vector<Finding> check_structure(const WheelFile& wheel, const std::vector<FileDigest>& files) {
    FindingList findings;
    check_identity(wheel, findings);
    check_tags(wheel, findings);
    check_wheel_info(wheel, findings);
    check_data(wheel, findings);
    check_entry_points(wheel, findings);
    check_record(wheel, files, findings);
    return findings.take();
}

std::vector<Finding> check_structure(const WheelFile& wheel) {
    return check_structure(wheel, digest_files(wheel));
}

}  // namespace wheelforge::wheel
