// SPDX-License-Identifier: Apache-2.0
// Tar archives byte by byte, good and hostile, for tests.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>

namespace wheelforge::support {

struct TarHeader {
    std::string name;
    char type = '0';
    std::string target;
    std::uint64_t size = 0;
    unsigned mode = 0644;
    std::uint64_t mtime = 1'600'000'000;
};

class TarBuilder {
public:
    static constexpr std::size_t block = 512;

    TarBuilder& file(const std::string& name, const std::string& content, unsigned mode = 0644) {
        return member({name, '0', "", content.size(), mode}, content);
    }
    TarBuilder& file_at(const std::string& name, std::uint64_t mtime) {
        return member({name, '0', "", 0, 0644, mtime}, "");
    }
    TarBuilder& folder(const std::string& name) { return member({name, '5', "", 0, 0755}, ""); }
    TarBuilder& symlink(const std::string& name, const std::string& target) {
        return member({name, '2', target}, "");
    }
    TarBuilder& hard_link(const std::string& name, const std::string& target) {
        return member({name, '1', target}, "");
    }
    TarBuilder& special(const std::string& name, char type) { return member({name, type, ""}, ""); }
    /// Extension records for the next member ('x') or for all ('g').
    TarBuilder&
    pax(const std::vector<std::pair<std::string, std::string>>& records, char type = 'x') {
        std::string text;
        for (const auto& [key, value] : records) {
            text += pax_record(key + "=" + value + "\n");
        }
        return member({"PaxHeader", type, "", text.size()}, text);
    }
    TarBuilder& gnu_long_name(const std::string& name) {
        const std::string text = name + '\0';
        return member({"././@LongLink", 'L', "", text.size()}, text);
    }
    TarBuilder& member(const TarHeader& header, const std::string& content) {
        bytes_ += encode(header);
        bytes_ += content;
        bytes_.resize((bytes_.size() + block - 1) / block * block, '\0');
        return *this;
    }
    TarBuilder& raw(const std::string& bytes) {
        bytes_ += bytes;
        return *this;
    }

    [[nodiscard]] const std::string& unfinished() const { return bytes_; }
    [[nodiscard]] std::string finished() const { return bytes_ + std::string(2 * block, '\0'); }

private:
    static std::string pax_record(const std::string& body) {
        std::size_t length = body.size() + 2;
        while (std::to_string(length).size() + 1 + body.size() != length) {
            length = std::to_string(length).size() + 1 + body.size();
        }
        return std::to_string(length) + " " + body;
    }
    static void put(std::string& at, std::size_t offset, const std::string& text) {
        at.replace(offset, text.size(), text);
    }
    static std::string octal(std::uint64_t value, std::size_t digits) {
        std::array<char, 24> text{};
        const int length = std::snprintf(
            text.data(),
            text.size(),
            "%0*llo",
            static_cast<int>(digits),
            static_cast<unsigned long long>(value)
        );
        return {text.data(), static_cast<std::size_t>(length)};
    }
    static std::string encode(const TarHeader& header) {
        std::string out(block, '\0');
        put(out, 0, header.name.substr(0, 100));
        put(out, 100, octal(header.mode, 7));
        put(out, 108, octal(0, 7));
        put(out, 116, octal(0, 7));
        put(out, 124, octal(header.size, 11));
        put(out, 136, octal(header.mtime, 11));
        put(out, 148, "        ");
        out[156] = header.type;
        put(out, 157, header.target.substr(0, 100));
        put(out,
            257,
            std::string(
                "ustar\0"
                "00",
                8
            ));
        const auto sum = std::accumulate(out.begin(), out.end(), 0U, [](unsigned so_far, char c) {
            return so_far + static_cast<unsigned char>(c);
        });
        put(out, 148, octal(sum, 6) + std::string("\0 ", 2));
        return out;
    }

    std::string bytes_;
};

/// `filter`: ARCHIVE_FILTER_GZIP, _BZIP2 or _XZ.
inline std::string compress(const std::string& bytes, int filter) {
    std::vector<char> buffer(bytes.size() + (1U << 20U));
    std::size_t used = 0;
    archive* writer = archive_write_new();
    archive_entry* entry = archive_entry_new();
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_set_format_raw(writer);
    archive_write_set_bytes_in_last_block(writer, 1);
    const bool good =
        archive_write_add_filter(writer, filter) == ARCHIVE_OK
        && archive_write_open_memory(writer, buffer.data(), buffer.size(), &used) == ARCHIVE_OK
        && archive_write_header(writer, entry) == ARCHIVE_OK
        && archive_write_data(writer, bytes.data(), bytes.size())
               == static_cast<la_ssize_t>(bytes.size())
        && archive_write_close(writer) == ARCHIVE_OK;
    archive_entry_free(entry);
    archive_write_free(writer);
    if (!good) {
        throw std::runtime_error("cannot compress");
    }
    return {buffer.data(), used};
}

inline std::string gzip(const std::string& bytes) {
    return compress(bytes, ARCHIVE_FILTER_GZIP);
}

}  // namespace wheelforge::support
