// SPDX-License-Identifier: Apache-2.0
#include "wheel/wheel_file.hpp"

#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "wheel/entry_points.hpp"

namespace wheelforge::wheel {
namespace {

constexpr std::uint64_t largest_text = 64U << 20U;
constexpr std::string_view dist_info_suffix = ".dist-info";

Error bad_wheel(std::string message) {
    return {ExitCode::refused, "bad-wheel", std::move(message)};
}

pep::WheelFilename filename_of(const std::filesystem::path& path) {
    const std::string name = path.filename().native();
    auto parsed = pep::WheelFilename::parse(name);
    if (!parsed) {
        throw bad_wheel(
            "\"" + printable(name) + "\" is no name of a wheel: " + parsed.error().message
        );
    }
    return *std::move(parsed);
}

std::string find_dist_info(const ZipReader& zip) {
    std::set<std::string_view> folders;
    for (const ZipMember& member : zip.members()) {
        const std::string_view name = member.name;
        const auto slash = name.find('/');
        if (slash != std::string_view::npos && name.substr(0, slash).ends_with(dist_info_suffix)) {
            folders.insert(name.substr(0, slash));
        }
    }
    if (folders.empty()) {
        throw bad_wheel("it has no .dist-info folder");
    }
    if (folders.size() > 1) {
        throw bad_wheel(
            "it has two .dist-info folders: " + printable(*folders.begin()) + " and "
            + printable(*std::next(folders.begin()))
        );
    }
    return std::string(*folders.begin());
}

std::string read_dist_info(const ZipReader& zip, const std::string& folder, const char* file) {
    const std::string name = folder + "/" + file;
    const ZipMember* member = zip.find(name);
    if (member == nullptr) {
        throw bad_wheel("it has no " + printable(name));
    }
    return zip.read(*member, largest_text);
}

pep::Metadata parse_metadata(std::string_view text) {
    auto parsed = pep::Metadata::parse(text);
    if (!parsed) {
        throw bad_wheel(
            "its METADATA is unreadable at byte " + std::to_string(parsed.error().offset) + ": "
            + parsed.error().message
        );
    }
    return *std::move(parsed);
}

WheelInfo parse_info(std::string_view text) {
    WheelInfo info;
    for (const auto line : lines(text)) {
        const auto colon = line.find(':');
        if (colon == std::string_view::npos) {
            continue;
        }
        const std::string field = to_lower(trim(line.substr(0, colon)));
        const std::string value(trim(line.substr(colon + 1)));
        if (field == "wheel-version") {
            info.wheel_version = value;
        } else if (field == "generator") {
            info.generator = value;
        } else if (field == "root-is-purelib") {
            info.root_is_purelib = to_lower(value) == "true";
        } else if (field == "tag") {
            info.tags.push_back(value);
        } else if (field == "build") {
            info.build = value;
        }
    }
    return info;
}

WheelInfo checked_info(std::string_view text) {
    WheelInfo info = parse_info(text);
    const std::string_view version = info.wheel_version;
    if (version != "1" && !version.starts_with("1.")) {
        throw bad_wheel(
            version.empty() ? "its WHEEL file gives no Wheel-Version"
                            : "its Wheel-Version is " + printable(version) + ", not 1.x"
        );
    }
    return info;
}

}  // namespace

// `path` is copied, not moved, so that the handler can still name it.
WheelFile::WheelFile(std::filesystem::path path) try
    : path_(path), filename_(filename_of(path_)), zip_(path_), dist_info_(find_dist_info(zip_)),
      metadata_text_(read_dist_info(zip_, dist_info_, "METADATA")),
      info_(checked_info(read_dist_info(zip_, dist_info_, "WHEEL"))) {
    metadata_ = parse_metadata(metadata_text_);
} catch (Error& error) {
    error.doing("opening the wheel " + printable(path.filename().native()));
    throw;
}

std::optional<std::vector<RecordEntry>> WheelFile::record() const {
    const ZipMember* member = zip_.find(dist_info_ + "/RECORD");
    if (member == nullptr) {
        return std::nullopt;
    }
    return parse_record(zip_.read(*member, largest_text));
}

std::map<std::string, std::string> WheelFile::entry_point_scripts() const {
    const ZipMember* member = zip_.find(dist_info_ + "/entry_points.txt");
    return member == nullptr ? EntryPoints{}
                             : parse_entry_point_scripts(zip_.read(*member, largest_text));
}

}  // namespace wheelforge::wheel
