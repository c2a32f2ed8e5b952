// SPDX-License-Identifier: Apache-2.0
#include "pep/filename.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.hpp"
#include "pep/characters.hpp"
#include "pep/name.hpp"

namespace wheelforge::pep {

namespace {

constexpr std::string_view wheel_extension = ".whl";
// What file systems take; it also bounds the work that a hostile name can cause.
constexpr std::size_t longest_filename = 255;
constexpr const char* too_long = "a file name has at most 255 bytes";
constexpr std::array<std::string_view, 5> sdist_extensions{
    ".tar.gz", ".zip", ".tar.bz2", ".tar.xz", ".tgz"
};

std::size_t offset_of(std::string_view whole, std::string_view part) {
    return static_cast<std::size_t>(part.data() - whole.data());
}

/// A name escaped for a file name has no '-' and no "__".
Parsed<std::string> parse_escaped_name(std::string_view name) {
    const std::size_t doubled = name.find("__");
    if (doubled != std::string_view::npos) {
        return parse_error("a name in a wheel's file name has no two '_' in a row", doubled);
    }
    return parse_name(name);
}

using BuildTag = std::pair<std::uint64_t, std::string>;

Parsed<BuildTag> parse_build_tag(std::string_view text) {
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc::result_out_of_range) {
        return parse_error("the number of this build tag is too large");
    }
    if (error != std::errc()) {
        return parse_error("a build tag starts with a digit");
    }
    return BuildTag(number, std::string(rest, end));
}

/// Moves an error's offset from a part to the whole text.
tl::unexpected<ParseError> at(std::size_t offset, ParseError error) {
    return parse_error(std::move(error.message), offset + error.offset);
}

}  // namespace

Parsed<WheelFilename> WheelFilename::parse(std::string_view filename) {
    if (filename.size() > longest_filename) {
        return parse_error(too_long, longest_filename);
    }
    if (!filename.ends_with(wheel_extension)) {
        return parse_error("a wheel's file name ends in .whl", filename.size());
    }
    const auto parts = split(filename.substr(0, filename.size() - wheel_extension.size()), '-');
    if (parts.size() != 5 && parts.size() != 6) {
        return parse_error("a wheel's file name has five or six parts between '-'");
    }
    WheelFilename wheel;
    auto name = parse_escaped_name(parts[0]);
    if (!name) {
        return tl::unexpected(std::move(name).error());
    }
    auto version = Version::parse(parts[1]);
    if (!version) {
        return at(offset_of(filename, parts[1]), version.error());
    }
    if (parts.size() == 6) {
        auto build = parse_build_tag(parts[2]);
        if (!build) {
            return at(offset_of(filename, parts[2]), build.error());
        }
        wheel.build = *std::move(build);
    }
    const std::size_t tag_offset = offset_of(filename, parts[parts.size() - 3]);
    wheel.tag_set =
        filename.substr(tag_offset, filename.size() - wheel_extension.size() - tag_offset);
    auto tags = parse_tag_set(wheel.tag_set);
    if (!tags) {
        return at(tag_offset, tags.error());
    }
    wheel.name = *std::move(name);
    wheel.written_name = parts[0];
    wheel.version = *std::move(version);
    wheel.written_version = parts[1];
    wheel.tags = *std::move(tags);
    return wheel;
}

namespace {

std::string_view sdist_extension(std::string_view filename) {
    const auto* const found = std::find_if(
        sdist_extensions.begin(),
        sdist_extensions.end(),
        [&](std::string_view extension) { return filename.ends_with(extension); }
    );
    return found == sdist_extensions.end() ? std::string_view() : *found;
}

/// Where '-' may divide name and version, the likeliest first: versions of today hold no '-', so
/// the last one; a project's own name settles the others.
Parsed<SdistFilename> divide(std::string_view stem, const std::string& project) {
    ParseError last{"an sdist's file name is NAME-VERSION", 0};
    for (std::size_t dash = stem.rfind('-'); dash != std::string_view::npos && dash > 0;
         dash = stem.rfind('-', dash - 1)) {
        auto name = parse_name(stem.substr(0, dash));
        const bool other_project = !project.empty() && (!name || *name != project);
        if (!name || other_project) {
            last = name ? ParseError{"this file belongs to another project", 0} : name.error();
        } else if (auto version = Version::parse(stem.substr(dash + 1))) {
            return SdistFilename{*std::move(name), *std::move(version), ""};
        } else {
            last = {version.error().message, dash + 1 + version.error().offset};
        }
        if (project.empty()) {
            break;
        }
    }
    return tl::unexpected(std::move(last));
}

}  // namespace

Parsed<SdistFilename> SdistFilename::parse(std::string_view filename, std::string_view project) {
    if (filename.size() > longest_filename) {
        return parse_error(too_long, longest_filename);
    }
    const std::string_view extension = sdist_extension(filename);
    if (extension.empty()) {
        return parse_error(
            "an sdist's file name ends in .tar.gz, .zip, .tar.bz2, .tar.xz or .tgz", filename.size()
        );
    }
    auto sdist =
        divide(filename.substr(0, filename.size() - extension.size()), normalize_name(project));
    if (sdist) {
        sdist->extension = extension;
    }
    return sdist;
}

}  // namespace wheelforge::pep
