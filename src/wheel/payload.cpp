// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "base/hash.hpp"
#include "wheel/contents.hpp"

namespace wheelforge::wheel {
namespace {

bool is_below(std::string_view name, std::string_view dist_info, std::string_view folder) {
    return name.starts_with(dist_info) && name.substr(dist_info.size()).starts_with(folder);
}

}  // namespace

std::vector<FileDigest> digest_files(const WheelFile& wheel) {
    std::vector<FileDigest> files;
    files.reserve(wheel.zip().members().size());
    for (const ZipMember& member : wheel.zip().members()) {
        if (member.is_directory()) {
            continue;
        }
        Hasher hasher;
        wheel.zip().stream(member, [&](std::string_view bytes) { hasher.update(bytes); });
        files.push_back({member.name, hasher.finish(), member.size, member.is_executable()});
    }
    std::sort(files.begin(), files.end(), [](const FileDigest& a, const FileDigest& b) {
        return a.name < b.name;
    });
    return files;
}

bool is_record_file(std::string_view name, std::string_view dist_info) {
    constexpr std::array<std::string_view, 3> files = {"/RECORD", "/RECORD.jws", "/RECORD.p7s"};
    return name.starts_with(dist_info)
           && std::find(files.begin(), files.end(), name.substr(dist_info.size())) != files.end();
}

std::string payload_digest(const std::vector<FileDigest>& files, std::string_view dist_info) {
    Hasher hasher;
    for (const FileDigest& file : files) {
        if (is_record_file(file.name, dist_info) || is_below(file.name, dist_info, "/sboms/")
            || is_below(file.name, dist_info, "/wheelforge/")) {
            continue;
        }
        hasher.update(file.name);
        hasher.update(std::string_view("\0", 1));
        hasher.update(file.sha256);
        hasher.update(file.executable ? " x\n" : " -\n");
    }
    return hasher.finish();
}

std::string payload_digest(const WheelFile& wheel) {
    return payload_digest(digest_files(wheel), wheel.dist_info());
}

}  // namespace wheelforge::wheel
