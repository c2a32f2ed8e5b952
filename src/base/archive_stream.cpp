// SPDX-License-Identifier: Apache-2.0
#include "base/archive_stream.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelforge {
namespace {

namespace fs = std::filesystem;

Error damaged(const fs::path& archive, std::string_view what) {
    return {
        ExitCode::refused,
        "archive-damaged",
        printable(archive.filename().native()) + " is damaged or cut off: " + printable(what)
    };
}

Error trailing(const fs::path& archive) {
    return {
        ExitCode::refused,
        "archive-trailing",
        printable(archive.filename().native()) + " goes on after the end of its compressed data"
    };
}

bool all_zero(std::string_view bytes) {
    return bytes.find_first_not_of('\0') == std::string_view::npos;
}

class PlainStream final : public ByteStream {
public:
    explicit PlainStream(fs::path archive)
        : archive_(std::move(archive)), file_(open_for_reading(archive_)) {}
    std::size_t read(std::span<char> buffer) override { return read_some(file_, buffer, archive_); }

private:
    fs::path archive_;
    Descriptor file_;
};

class GzipStream final : public ByteStream {
public:
    explicit GzipStream(fs::path archive)
        : archive_(std::move(archive)), file_(open_for_reading(archive_)), input_(256U << 10U) {
        constexpr int gzip_header = 16;
        if (inflateInit2(&inflater_, gzip_header + MAX_WBITS) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    ~GzipStream() override { inflateEnd(&inflater_); }

    std::size_t read(std::span<char> buffer) override {
        inflater_.next_out = reinterpret_cast<Bytef*>(buffer.data());
        inflater_.avail_out = static_cast<uInt>(buffer.size());
        while (inflater_.avail_out == buffer.size() && !finished_) {
            advance();
        }
        return buffer.size() - inflater_.avail_out;
    }

private:
    void advance() {
        if (inflater_.avail_in == 0 && !refill()) {
            throw damaged(archive_, "the gzip data ends in the middle");
        }
        const int result = inflate(&inflater_, Z_NO_FLUSH);
        if (result == Z_STREAM_END) {
            next_member();
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            throw damaged(archive_, inflater_.msg != nullptr ? inflater_.msg : "bad gzip data");
        }
    }

    /// Members may follow one another, and zeros may pad the file; nothing else.
    void next_member() {
        if (inflater_.avail_in == 0 && !refill()) {
            finished_ = true;
        } else if (*inflater_.next_in == 0x1f) {
            inflateReset(&inflater_);
        } else {
            finished_ = true;
            do {
                if (!all_zero({reinterpret_cast<char*>(inflater_.next_in), inflater_.avail_in})) {
                    throw trailing(archive_);
                }
            } while (refill());
        }
    }

    bool refill() {
        const std::size_t got = read_some(file_, input_, archive_);
        inflater_.next_in = reinterpret_cast<Bytef*>(input_.data());
        inflater_.avail_in = static_cast<uInt>(got);
        return got != 0;
    }

    fs::path archive_;
    Descriptor file_;
    std::vector<char> input_;
    z_stream inflater_ = {};
    bool finished_ = false;
};

/// bzip2 and xz.
class FilterStream final : public ByteStream {
public:
    FilterStream(fs::path archive, ArchiveKind kind)
        : archive_(std::move(archive)), file_(open_for_reading(archive_)),
          size_(file_size(file_, archive_)), reader_(archive_read_new(), &archive_read_free) {
        archive_entry* entry = nullptr;
        if (kind == ArchiveKind::bzip2) {
            archive_read_support_filter_bzip2(reader_.get());
        } else {
            archive_read_support_filter_xz(reader_.get());
        }
        archive_read_support_format_raw(reader_.get());
        if (archive_read_open_fd(reader_.get(), file_.get(), 256U << 10U) != ARCHIVE_OK
            || archive_read_next_header(reader_.get(), &entry) != ARCHIVE_OK) {
            throw failed();
        }
    }

    std::size_t read(std::span<char> buffer) override {
        const la_ssize_t got = archive_read_data(reader_.get(), buffer.data(), buffer.size());
        if (got < 0) {
            throw failed();
        }
        if (got == 0) {
            check_end();
        }
        return static_cast<std::size_t>(got);
    }

private:
    Error failed() {
        const char* message = archive_error_string(reader_.get());
        return damaged(archive_, message != nullptr ? message : "no compressed data");
    }
    void check_end() {
        if (static_cast<std::uint64_t>(archive_filter_bytes(reader_.get(), -1)) != size_) {
            throw trailing(archive_);
        }
    }

    fs::path archive_;
    Descriptor file_;
    std::uint64_t size_;
    std::unique_ptr<archive, int (*)(archive*)> reader_;
};

Error unknown(const fs::path& archive, std::string_view start) {
    const std::string name = printable(archive.filename().native());
    if (start.empty()) {
        return {ExitCode::refused, "archive-unknown", name + " is empty"};
    }
    const std::string text = to_lower(trim(start));
    if (text.starts_with("<!doctype") || text.starts_with("<html") || text.starts_with("<?xml")) {
        return Error{
            ExitCode::refused,
            "archive-unknown",
            name + " is a web page saved under the name of an archive"
        }
            .advise("open its URL in a browser: it probably asks for a login or says \"not found\""
            );
    }
    return {
        ExitCode::refused,
        "archive-unknown",
        name + " is neither a tar archive (plain, gzip, bzip2, xz) nor a zip file"
    };
}

/// Old tar files carry no "ustar", but every header's checksum field is octal text.
bool looks_like_tar(std::string_view start) {
    constexpr std::size_t block = 512;
    if (start.size() < block) {
        return false;
    }
    const auto checksum = start.substr(148, 6);
    return start.substr(257, 5) == "ustar"
           || (start.front() != '\0'
               && checksum.find_first_not_of("01234567 ") == std::string_view::npos);
}

}  // namespace

ArchiveKind archive_kind(const fs::path& archive) {
    const Descriptor file = open_for_reading(archive);
    std::array<char, 512> buffer{};
    std::size_t filled = 0;
    while (filled < buffer.size()) {
        const auto got = read_some(file, std::span(buffer).subspan(filled), archive);
        if (got == 0) {
            break;
        }
        filled += got;
    }
    const std::string_view start(buffer.data(), filled);
    if (start.starts_with("\x1f\x8b")) {
        return ArchiveKind::gzip;
    }
    if (start.starts_with("BZh")) {
        return ArchiveKind::bzip2;
    }
    if (start.starts_with(std::string_view(
            "\xfd"
            "7zXZ\0",
            6
        ))) {
        return ArchiveKind::xz;
    }
    if (start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06")) {
        return ArchiveKind::zip;
    }
    if (looks_like_tar(start)) {
        return ArchiveKind::tar;
    }
    throw unknown(archive, start);
}

std::unique_ptr<ByteStream> open_stream(const fs::path& archive, ArchiveKind kind) {
    switch (kind) {
    case ArchiveKind::gzip:
        return std::make_unique<GzipStream>(archive);
    case ArchiveKind::tar:
        return std::make_unique<PlainStream>(archive);
    default:
        return std::make_unique<FilterStream>(archive, kind);
    }
}

}  // namespace wheelforge
