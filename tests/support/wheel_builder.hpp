// SPDX-License-Identifier: Apache-2.0
// Wheels for tests: right unless told otherwise.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "support/plain_file.hpp"
#include "support/zip_builder.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::support {

class WheelBuilder {
public:
    explicit WheelBuilder(
        const std::string& name = "pkg",
        const std::string& version = "1.0",
        const std::string& tag = "py3-none-any"
    )
        : filename_(name + "-" + version + "-" + tag + ".whl"),
          dist_info_(name + "-" + version + ".dist-info") {
        file(name + "/__init__.py", "value = 1\n");
        info("METADATA", "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n");
        info(
            "WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: " + tag + "\n"
        );
    }

    WheelBuilder&
    file(const std::string& name, const std::string& content, bool executable = false) {
        files_[name] = {content, executable};
        return *this;
    }
    WheelBuilder& info(const std::string& name, const std::string& content) {
        return file(dist_info_ + "/" + name, content);
    }
    WheelBuilder& without(const std::string& name) {
        files_.erase(name);
        return *this;
    }
    WheelBuilder& filename(std::string name) {
        filename_ = std::move(name);
        return *this;
    }
    /// RECORD as given instead of the right one; "" for none.
    WheelBuilder& record(std::string text) {
        record_ = std::move(text);
        return *this;
    }
    /// The zip file in another order, at another time, with folders; the content is the same.
    WheelBuilder& shuffled() {
        shuffled_ = true;
        return *this;
    }

    [[nodiscard]] const std::string& dist_info() const { return dist_info_; }
    [[nodiscard]] std::string right_record() const {
        std::string text;
        for (const auto& [name, file] : files_) {
            text += wheel::record_line(name, sha256(file.content), file.content.size());
        }
        return text + dist_info_ + "/RECORD,,\n";
    }
    [[nodiscard]] std::string bytes() const {
        std::vector<ZipEntry> entries;
        for (const auto& [name, file] : files_) {
            entries.push_back(
                {.name = name,
                 .content = file.content,
                 .deflate = file.content.size() > 20,
                 .mode = static_cast<std::uint16_t>(file.executable ? 0100755 : 0100644)}
            );
        }
        const std::string record = record_.value_or(right_record());
        if (!record.empty()) {
            entries.push_back({.name = dist_info_ + "/RECORD", .content = record});
        }
        return pack(std::move(entries));
    }
    [[nodiscard]] std::filesystem::path save(const std::filesystem::path& folder) const {
        return support::save(folder / filename_, bytes());
    }

private:
    struct File {
        std::string content;
        bool executable = false;
    };

    [[nodiscard]] std::string pack(std::vector<ZipEntry> entries) const {
        ZipBuilder zip;
        if (shuffled_) {
            zip.add({.name = dist_info_ + "/", .mode = 040755});
        }
        for (std::size_t i = 0; i < entries.size(); ++i) {
            ZipEntry& entry = entries[shuffled_ ? entries.size() - 1 - i : i];
            entry.dos_date = shuffled_ ? 0x5a21 : 0x21;
            entry.descriptor = shuffled_;
            zip.add(entry);
        }
        return zip.bytes();
    }

    std::string filename_;
    std::string dist_info_;
    std::map<std::string, File> files_;
    std::optional<std::string> record_;
    bool shuffled_ = false;
};

}  // namespace wheelforge::support
