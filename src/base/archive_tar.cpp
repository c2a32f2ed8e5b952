// SPDX-License-Identifier: Apache-2.0
#include "base/archive_tar.hpp"

#include <cerrno>
#include <exception>
#include <sys/stat.h>
#include <utility>

#include <archive.h>
#include <archive_entry.h>

#include "base/archive_limits.hpp"
#include "base/archive_rules.hpp"
#include "base/tar_headers.hpp"
#include "base/tar_window.hpp"
#include "base/text.hpp"

namespace wheelforge {
namespace {

constexpr std::uint64_t block = 512;

std::uint64_t padded(std::uint64_t size) {
    return (size + block - 1) / block * block;
}

std::string text_of(const char* text) {
    return text == nullptr ? std::string() : std::string(text);
}

SourceMember::Kind kind_of(archive_entry* entry) {
    if (archive_entry_hardlink(entry) != nullptr) {
        return SourceMember::Kind::hardlink;
    }
    switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
        return SourceMember::Kind::file;
    case AE_IFDIR:
        return SourceMember::Kind::directory;
    case AE_IFLNK:
        return SourceMember::Kind::symlink;
    default:
        return SourceMember::Kind::special;
    }
}

/// Names are taken as bytes: in the C locale, which the program never leaves, libarchive hands
/// them through unconverted.
SourceMember member_of(archive_entry* entry) {
    SourceMember member;
    member.name = text_of(archive_entry_pathname(entry));
    member.kind = kind_of(entry);
    member.target = text_of(
        member.kind == SourceMember::Kind::hardlink ? archive_entry_hardlink(entry)
                                                    : archive_entry_symlink(entry)
    );
    member.size = static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
    member.executable = (archive_entry_perm(entry) & 0111U) != 0;
    member.mtime = clamp_mtime(archive_entry_mtime(entry));
    return member;
}

class TarMembers final : public MemberSource {
public:
    TarMembers(const std::filesystem::path& archive, ArchiveKind kind, const ArchiveLimits& limits)
        : name_(printable(archive.filename().native())), window_(archive, kind, limits),
          limit_(limits.unpacked_bytes), reader_(archive_read_new(), &archive_read_free) {
        archive_read_support_format_tar(reader_.get());
        check(archive_read_open(reader_.get(), this, nullptr, &TarMembers::feed, nullptr));
    }

    std::optional<SourceMember> next() override {
        archive_entry* entry = nullptr;
        const int result = archive_read_next_header(reader_.get(), &entry);
        const auto position = static_cast<std::uint64_t>(archive_filter_bytes(reader_.get(), 0));
        if (result == ARCHIVE_EOF) {
            check_end(position);
            return std::nullopt;
        }
        check(result);
        SourceMember member = member_of(entry);
        current_ = member.name;
        remaining_ = member.size;
        if (auto refusal = refuse_tar_headers(window_.kept(position), member.name)) {
            throw std::move(*refusal);
        }
        window_.keep_from(position + padded(member.size));
        if (member.kind == SourceMember::Kind::file) {
            count(member.size);
        }
        return member;
    }

    void content(const std::function<void(std::string_view)>& sink) override {
        const void* data = nullptr;
        std::size_t size = 0;
        la_int64_t offset = 0;
        la_int64_t expected = 0;
        int result = ARCHIVE_OK;
        while ((result = archive_read_data_block(reader_.get(), &data, &size, &offset))
               == ARCHIVE_OK) {
            if (offset != expected || size > remaining_) {
                throw member_refused("archive-sparse", current_, "holes (a sparse file)");
            }
            expected += static_cast<la_int64_t>(size);
            remaining_ -= size;
            sink({static_cast<const char*>(data), size});
        }
        if (result != ARCHIVE_EOF) {
            check(result);
        }
        if (remaining_ != 0) {
            throw damaged("the content of " + printable(current_) + " is cut off");
        }
    }

private:
    /// Called by C code, so that no exception may leave it.
    static la_ssize_t feed(archive* reader, void* self, const void** bytes) {
        auto* members = static_cast<TarMembers*>(self);
        try {
            const std::string_view fresh = members->window_.advance();
            *bytes = fresh.data();
            return static_cast<la_ssize_t>(fresh.size());
        } catch (...) {
            members->failure_ = std::current_exception();
            archive_set_error(reader, EIO, "cannot go on");
            return ARCHIVE_FATAL;
        }
    }

    /// A warning is about the conversion of a name to a character set that we do not ask for.
    void check(int result) {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
            throw damaged(printable(text_of(archive_error_string(reader_.get()))));
        }
    }

    Error damaged(const std::string& what) const {
        return {ExitCode::refused, "archive-damaged", name_ + " is damaged or cut off: " + what};
    }

    void count(std::uint64_t size) {
        if (size > limit_ - unpacked_) {
            throw limit_exceeded(name_ + " unpacks to more than " + human_bytes(limit_));
        }
        unpacked_ += size;
    }

    /// The archive ends with two blocks of zeros, and then only zeros may follow.
    void check_end(std::uint64_t position) {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        while (!window_.advance().empty()) {
        }
        if (position - std::min(position, window_.kept_from()) < 2 * block) {
            throw damaged("the two blocks of zeros that end a tar archive are missing");
        }
        if (window_.last_nonzero() > position) {
            throw Error{
                ExitCode::refused,
                "archive-trailing",
                name_ + " goes on after its end-of-archive mark"
            };
        }
    }

    std::string name_;
    TarWindow window_;
    std::uint64_t limit_;
    std::uint64_t unpacked_ = 0;
    std::string current_;
    std::uint64_t remaining_ = 0;
    std::exception_ptr failure_;
    std::unique_ptr<archive, int (*)(archive*)> reader_;
};

}  // namespace

std::unique_ptr<MemberSource>
open_tar(const std::filesystem::path& archive, ArchiveKind kind, const ArchiveLimits& limits) {
    return std::make_unique<TarMembers>(archive, kind, limits);
}

}  // namespace wheelforge
