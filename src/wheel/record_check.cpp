// SPDX-License-Identifier: Apache-2.0
#include "wheel/record_check.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "base/hash.hpp"
#include "base/text.hpp"

namespace wheelforge::wheel {
namespace {

constexpr const char* rebuild = "have the build backend write RECORD anew";

bool is_strong(std::string_view algorithm) {
    constexpr std::array<std::string_view, 7> strong = {
        "sha256", "sha384", "sha512", "sha3_256", "sha3_384", "sha3_512", "blake2b"
    };
    return std::find(strong.begin(), strong.end(), algorithm) != strong.end();
}

std::string
digest_of(const WheelFile& wheel, const FileDigest& file, const std::string& algorithm) {
    if (algorithm == "sha256") {
        return hex_to_base64url(file.sha256);
    }
    Hasher hasher(algorithm);
    wheel.zip().stream(*wheel.zip().find(file.name), [&](std::string_view bytes) {
        hasher.update(bytes);
    });
    return hasher.finish_base64url();
}

class RecordCheck {
public:
    RecordCheck(const WheelFile& wheel, FindingList& findings)
        : wheel_(wheel), findings_(findings) {}

    void run(const std::vector<RecordEntry>& record, const std::vector<FileDigest>& files) {
        for (const RecordEntry& entry : record) {
            const auto [place, fresh] = entries_.emplace(entry.path, &entry);
            if (!fresh) {
                repeated(entry, *place->second);
            }
        }
        for (const FileDigest& file : files) {
            check_file(file);
        }
        for (const auto& [path, entry] : entries_) {
            if (wheel_.zip().find(path) == nullptr && !is_record_file(path, wheel_.dist_info())) {
                find("record-absent", std::string(path), "is listed in RECORD, but is not there");
            }
        }
    }

private:
    void find(const char* id, const std::string& file, std::string evidence) {
        findings_.add({id, Level::error, file, std::move(evidence), rebuild});
    }

    /// The same row twice is only untidy.
    void repeated(const RecordEntry& entry, const RecordEntry& first) {
        const bool same = entry.algorithm == first.algorithm && entry.digest == first.digest
                          && entry.size == first.size;
        findings_.add(
            {"record-duplicate",
             same ? Level::warn : Level::error,
             entry.path,
             same ? "is listed twice in RECORD" : "is listed twice in RECORD, differently",
             rebuild}
        );
    }

    void check_file(const FileDigest& file) {
        if (is_record_file(file.name, wheel_.dist_info())) {
            return;
        }
        const auto found = entries_.find(file.name);
        if (found == entries_.end()) {
            find("record-unlisted", file.name, "is not listed in RECORD");
            return;
        }
        const RecordEntry& entry = *found->second;
        if (!is_strong(entry.algorithm)) {
            find(
                "record-weak-hash",
                file.name,
                entry.algorithm.empty() ? "is listed in RECORD without a digest"
                                        : "is listed in RECORD by " + printable(entry.algorithm)
            );
        } else if (digest_of(wheel_, file, entry.algorithm) != entry.digest) {
            find("record-mismatch", file.name, "has another digest than RECORD says");
        } else if (!entry.size.empty() && entry.size != std::to_string(file.size)) {
            find(
                "record-mismatch",
                file.name,
                "has " + std::to_string(file.size) + " bytes, RECORD says " + printable(entry.size)
            );
        }
    }

    const WheelFile& wheel_;
    FindingList& findings_;
    std::map<std::string_view, const RecordEntry*> entries_;
};

}  // namespace

void check_record(
    const WheelFile& wheel, const std::vector<FileDigest>& files, FindingList& findings
) {
    const auto record = wheel.record();
    if (!record) {
        findings.add({"record-missing", Level::error, "", "there is no RECORD", rebuild});
        return;
    }
    RecordCheck(wheel, findings).run(*record, files);
}

}  // namespace wheelforge::wheel
