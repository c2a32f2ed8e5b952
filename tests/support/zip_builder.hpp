// SPDX-License-Identifier: Apache-2.0
// Zip files byte by byte, good and hostile, for tests: every field of the headers can be made to
// lie. What is left unset tells the truth.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <libdeflate.h>

namespace wheelforge::support {

struct ZipEntry {
    std::string name = {};
    std::string content = {};
    bool deflate = false;
    std::uint16_t mode = 0100644;
    std::uint16_t flags = 0;
    std::uint32_t dos_date = 0x21;  ///< 1980-01-01; the time of day is 0

    bool descriptor = false;    ///< sizes only behind the data (flag bit 3)
    bool descriptor64 = false;  ///< with sizes of 8 bytes
    bool descriptor_signed = true;
    std::optional<std::string> local_name = {};
    std::optional<std::uint16_t> local_method = {};
    std::optional<std::uint16_t> local_flags = {};
    std::optional<std::uint32_t> local_size = {};
    std::optional<std::uint16_t> method = {};
    std::optional<std::uint32_t> crc = {};
    std::optional<std::uint32_t> size = {};
    std::optional<std::uint32_t> packed_size = {};
    std::optional<std::uint32_t> offset = {};
    std::string local_extra = {};
    std::string central_extra = {};
    std::string junk_after = {};  ///< bytes between this member and the next header
};

template <typename Integer>
void put_le(std::string& out, Integer value) {
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
        out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xffU));
    }
}

class ZipBuilder {
public:
    ZipBuilder& add(ZipEntry entry) {
        entries_.push_back(std::move(entry));
        return *this;
    }
    ZipBuilder& add(const std::string& name, const std::string& content) {
        return add(ZipEntry{.name = name, .content = content});
    }
    ZipBuilder& prefix(std::string bytes) {
        prefix_ = std::move(bytes);
        return *this;
    }
    ZipBuilder& comment(std::string text) {
        comment_ = std::move(text);
        return *this;
    }
    /// Bytes between the last member and the central directory's end record.
    ZipBuilder& before_end(std::string bytes) {
        before_end_ = std::move(bytes);
        return *this;
    }
    ZipBuilder& claim_entries(std::uint16_t count) {
        claimed_ = count;
        return *this;
    }
    ZipBuilder& claim_directory_offset(std::uint32_t offset) {
        directory_offset_ = offset;
        return *this;
    }
    /// Adds a zip64 end record and its locator.
    ZipBuilder& zip64_end(std::uint64_t claimed_entries) {
        zip64_entries_ = claimed_entries;
        return *this;
    }

    [[nodiscard]] std::string bytes() const {
        std::string out = prefix_;
        std::string directory;
        for (const ZipEntry& entry : entries_) {
            add_member(out, directory, entry);
        }
        const std::size_t start = out.size();
        out += directory;
        const std::size_t end = out.size();
        out += before_end_;
        if (zip64_entries_) {
            add_end64(out, start, end - start);
        }
        add_end(out, start, end - start);
        return out;
    }

private:
    static std::string packed(const ZipEntry& entry) {
        if (!entry.deflate) {
            return entry.content;
        }
        libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
        std::string out(libdeflate_deflate_compress_bound(compressor, entry.content.size()), '\0');
        out.resize(libdeflate_deflate_compress(
            compressor, entry.content.data(), entry.content.size(), out.data(), out.size()
        ));
        libdeflate_free_compressor(compressor);
        return out;
    }

    void add_member(std::string& out, std::string& directory, const ZipEntry& entry) const {
        const std::string data = packed(entry);
        const std::uint32_t crc =
            entry.crc.value_or(libdeflate_crc32(0, entry.content.data(), entry.content.size()));
        const auto size = static_cast<std::uint32_t>(entry.content.size());
        const auto packed_size = static_cast<std::uint32_t>(data.size());
        const std::uint16_t method = entry.method.value_or(entry.deflate ? 8 : 0);
        const auto flags =
            static_cast<std::uint16_t>(entry.flags | (entry.descriptor ? 1U << 3U : 0U));
        const std::size_t offset = out.size();
        const std::string local_name = entry.local_name.value_or(entry.name);
        put_le<std::uint32_t>(out, 0x04034b50);
        put_le<std::uint16_t>(out, 20);
        put_le<std::uint16_t>(out, entry.local_flags.value_or(flags));
        put_le<std::uint16_t>(out, entry.local_method.value_or(method));
        put_le<std::uint32_t>(out, entry.dos_date << 16U);
        put_le<std::uint32_t>(out, entry.descriptor ? 0 : crc);
        put_le<std::uint32_t>(out, entry.descriptor ? 0 : entry.packed_size.value_or(packed_size));
        put_le<std::uint32_t>(
            out, entry.descriptor ? 0 : entry.local_size.value_or(entry.size.value_or(size))
        );
        put_le(out, static_cast<std::uint16_t>(local_name.size()));
        put_le(out, static_cast<std::uint16_t>(entry.local_extra.size()));
        out += local_name + entry.local_extra + data;
        if (entry.descriptor) {
            add_descriptor(out, entry, crc, data.size());
        }
        out += entry.junk_after;

        put_le<std::uint32_t>(directory, 0x02014b50);
        put_le<std::uint16_t>(directory, 3U << 8U | 20U);
        put_le<std::uint16_t>(directory, 20);
        put_le<std::uint16_t>(directory, flags);
        put_le<std::uint16_t>(directory, method);
        put_le<std::uint32_t>(directory, entry.dos_date << 16U);
        put_le<std::uint32_t>(directory, crc);
        put_le<std::uint32_t>(directory, entry.packed_size.value_or(packed_size));
        put_le<std::uint32_t>(directory, entry.size.value_or(size));
        put_le(directory, static_cast<std::uint16_t>(entry.name.size()));
        put_le(directory, static_cast<std::uint16_t>(entry.central_extra.size()));
        directory.append(6, '\0');
        put_le<std::uint16_t>(directory, 0);
        put_le<std::uint16_t>(directory, entry.mode);
        put_le(directory, entry.offset.value_or(static_cast<std::uint32_t>(offset)));
        directory += entry.name + entry.central_extra;
    }

    static void add_descriptor(
        std::string& out, const ZipEntry& entry, std::uint32_t crc, std::size_t packed_size
    ) {
        if (entry.descriptor_signed) {
            put_le<std::uint32_t>(out, 0x08074b50);
        }
        put_le(out, crc);
        if (entry.descriptor64) {
            put_le<std::uint64_t>(out, packed_size);
            put_le<std::uint64_t>(out, entry.content.size());
        } else {
            put_le(out, static_cast<std::uint32_t>(packed_size));
            put_le(out, static_cast<std::uint32_t>(entry.content.size()));
        }
    }

    void add_end64(std::string& out, std::size_t start, std::size_t size) const {
        const std::size_t position = out.size();
        put_le<std::uint32_t>(out, 0x06064b50);
        put_le<std::uint64_t>(out, 44);
        put_le<std::uint16_t>(out, 45);
        put_le<std::uint16_t>(out, 45);
        put_le<std::uint64_t>(out, 0);
        put_le<std::uint64_t>(out, *zip64_entries_);
        put_le<std::uint64_t>(out, *zip64_entries_);
        put_le<std::uint64_t>(out, size);
        put_le<std::uint64_t>(out, start);
        put_le<std::uint32_t>(out, 0x07064b50);
        put_le<std::uint32_t>(out, 0);
        put_le<std::uint64_t>(out, position);
        put_le<std::uint32_t>(out, 1);
    }

    void add_end(std::string& out, std::size_t start, std::size_t size) const {
        const auto count = claimed_.value_or(static_cast<std::uint16_t>(entries_.size()));
        put_le<std::uint32_t>(out, 0x06054b50);
        put_le<std::uint32_t>(out, 0);
        put_le(out, count);
        put_le(out, count);
        put_le(out, static_cast<std::uint32_t>(size));
        put_le(out, directory_offset_.value_or(static_cast<std::uint32_t>(start)));
        put_le(out, static_cast<std::uint16_t>(comment_.size()));
        out += comment_;
    }

    std::vector<ZipEntry> entries_;
    std::string prefix_;
    std::string comment_;
    std::string before_end_;
    std::optional<std::uint16_t> claimed_;
    std::optional<std::uint32_t> directory_offset_;
    std::optional<std::uint64_t> zip64_entries_;
};

}  // namespace wheelforge::support
