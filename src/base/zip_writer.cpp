// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sys/stat.h>
#include <unordered_set>

#include <libdeflate.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "base/zip.hpp"
#include "base/zip_format.hpp"

namespace wheelforge {
namespace {

using namespace zip_format;

constexpr std::uint16_t first_day = 1U << 5U | 1U;  // 1980-01-01, as MS-DOS writes it
constexpr std::uint16_t made_on_unix = 3U << 8U;
constexpr std::uint16_t needs_deflate = 20;
constexpr std::uint16_t needs_zip64 = 45;
constexpr std::uint32_t dos_directory = 0x10;
constexpr std::size_t gathered = 1U << 20U;

struct Written {
    ZipMember member;
    std::uint64_t offset = 0;
};

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x80;
    });
}

std::uint32_t capped(std::uint64_t value) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, full32));
}

bool needs_wide_sizes(const ZipMember& member) {
    return member.size >= full32 || member.compressed_size >= full32;
}

/// The fields that the local and the central header have in common.
void store_common(std::string& out, const ZipMember& member, bool wide, std::size_t extra_size) {
    store<std::uint16_t>(out, wide ? needs_zip64 : needs_deflate);
    store<std::uint16_t>(out, is_ascii(member.name) ? 0 : flag_utf8);
    store<std::uint16_t>(out, member.method);
    store<std::uint16_t>(out, 0);
    store<std::uint16_t>(out, first_day);
    store<std::uint32_t>(out, member.crc32);
    const bool wide_sizes = needs_wide_sizes(member);
    store<std::uint32_t>(out, wide_sizes ? full32 : capped(member.compressed_size));
    store<std::uint32_t>(out, wide_sizes ? full32 : capped(member.size));
    store<std::uint16_t>(out, static_cast<std::uint16_t>(member.name.size()));
    store<std::uint16_t>(out, static_cast<std::uint16_t>(extra_size));
}

std::string extra_of(std::initializer_list<std::uint64_t> values) {
    std::string extra;
    store<std::uint16_t>(extra, extra_zip64);
    store<std::uint16_t>(extra, static_cast<std::uint16_t>(values.size() * sizeof(std::uint64_t)));
    for (const std::uint64_t value : values) {
        store(extra, value);
    }
    return extra;
}

std::string local_header(const ZipMember& member) {
    const bool wide = needs_wide_sizes(member);
    const std::string extra = wide ? extra_of({member.size, member.compressed_size}) : "";
    std::string out;
    store(out, local_signature);
    store_common(out, member, wide, extra.size());
    return out + member.name + extra;
}

std::string central_extra(const Written& written) {
    const ZipMember& member = written.member;
    if (needs_wide_sizes(member)) {
        return written.offset >= full32
                   ? extra_of({member.size, member.compressed_size, written.offset})
                   : extra_of({member.size, member.compressed_size});
    }
    return written.offset >= full32 ? extra_of({written.offset}) : "";
}

std::string central_header(const Written& written) {
    const ZipMember& member = written.member;
    const std::string extra = central_extra(written);
    const bool wide = !extra.empty();
    std::string out;
    store(out, central_signature);
    store<std::uint16_t>(out, made_on_unix | (wide ? needs_zip64 : needs_deflate));
    store_common(out, member, wide, extra.size());
    store<std::uint16_t>(out, 0);  // comment
    store<std::uint16_t>(out, 0);  // disk
    store<std::uint16_t>(out, 0);  // internal attributes
    store<std::uint32_t>(out, member.mode << 16U | (member.is_directory() ? dos_directory : 0U));
    store<std::uint32_t>(out, capped(written.offset));
    return out + member.name + extra;
}

void store_end64(std::string& out, std::uint64_t count, std::uint64_t size, std::uint64_t offset) {
    store(out, end64_signature);
    store<std::uint64_t>(out, end64_size - 12);
    store<std::uint16_t>(out, made_on_unix | needs_zip64);
    store<std::uint16_t>(out, needs_zip64);
    store<std::uint32_t>(out, 0);
    store<std::uint32_t>(out, 0);
    store(out, count);
    store(out, count);
    store(out, size);
    store(out, offset);
    store(out, locator64_signature);
    store<std::uint32_t>(out, 0);
    store<std::uint64_t>(out, offset + size);
    store<std::uint32_t>(out, 1);
}

std::string end_records(std::uint64_t count, std::uint64_t size, std::uint64_t offset) {
    std::string out;
    if (count >= full16 || size >= full32 || offset >= full32) {
        store_end64(out, count, size, offset);
    }
    const auto short_count = static_cast<std::uint16_t>(std::min<std::uint64_t>(count, full16));
    store(out, end_signature);
    store<std::uint32_t>(out, 0);
    store(out, short_count);
    store(out, short_count);
    store(out, capped(size));
    store(out, capped(offset));
    store<std::uint16_t>(out, 0);
    return out;
}

struct FreeCompressor {
    void operator()(libdeflate_compressor* compressor) const {
        libdeflate_free_compressor(compressor);
    }
};

std::uint32_t plain_mode(std::uint32_t mode, bool directory) {
    if (directory) {
        return S_IFDIR | 0755U;
    }
    return S_IFREG | ((mode & 0111U) != 0 ? 0755U : 0644U);
}

}  // namespace

struct ZipWriter::State {
    explicit State(const std::filesystem::path& target)
        : file(target), compressor(libdeflate_alloc_compressor(6)) {
        if (!compressor) {
            throw std::bad_alloc();
        }
    }

    /// Small pieces are gathered: a wheel can have ten thousand members.
    void write(std::string_view bytes) {
        offset += bytes.size();
        pending += bytes.substr(0, std::min(bytes.size(), gathered));
        if (pending.size() >= gathered) {
            flush();
            file.write(bytes.substr(std::min(bytes.size(), gathered)));
        }
    }

    void flush() {
        file.write(pending);
        pending.clear();
    }

    /// Writes the header; the member's compressed bytes are to follow.
    void begin(ZipMember member) {
        if (member.name.empty() || member.name.size() > full16
            || !names.insert(member.name).second) {
            throw Error{
                ExitCode::bug,
                "zip-written-twice",
                "member \"" + printable(member.name) + "\" cannot be written to a zip file twice"
            };
        }
        const std::uint64_t start = offset;
        write(local_header(member));
        written.push_back({std::move(member), start});
    }

    AtomicFile file;
    std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor;
    std::string pending;
    std::uint64_t offset = 0;
    std::vector<Written> written;
    std::unordered_set<std::string> names;
};

ZipWriter::ZipWriter(const std::filesystem::path& target)
    : state_(std::make_unique<State>(target)) {}
ZipWriter::ZipWriter(ZipWriter&&) noexcept = default;
ZipWriter::~ZipWriter() = default;

void ZipWriter::add(std::string_view name, std::string_view content, std::uint32_t mode) {
    ZipMember member;
    member.name = name;
    member.size = content.size();
    member.crc32 = libdeflate_crc32(0, content.data(), content.size());
    member.mode = plain_mode(mode, member.is_directory());
    std::string packed(content.size(), '\0');
    const std::size_t packed_size = libdeflate_deflate_compress(
        state_->compressor.get(), content.data(), content.size(), packed.data(), packed.size()
    );
    const bool smaller = packed_size != 0 && packed_size < content.size();
    member.method = smaller ? deflated : stored;
    const auto data = smaller ? std::string_view(packed).substr(0, packed_size) : content;
    member.compressed_size = data.size();
    state_->begin(std::move(member));
    state_->write(data);
}

void ZipWriter::add_raw(const ZipReader& from, const ZipMember& member) {
    ZipMember copy = member;
    copy.mode = plain_mode(member.mode, member.is_directory());
    state_->begin(std::move(copy));
    from.stream_raw(member, [&](std::string_view bytes) { state_->write(bytes); });
}

void ZipWriter::commit() {
    const std::uint64_t directory = state_->offset;
    for (const Written& written : state_->written) {
        state_->write(central_header(written));
    }
    const std::uint64_t size = state_->offset - directory;
    state_->write(end_records(state_->written.size(), size, directory));
    state_->flush();
    state_->file.commit();
}

}  // namespace wheelforge
