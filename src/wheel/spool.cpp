// SPDX-License-Identifier: Apache-2.0
#include "wheel/spool.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include <libdeflate.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::uint64_t most_in_memory = 256ULL << 20U;
constexpr std::uint16_t method_stored = 0;

Error cannot_spool(std::uint64_t size, const std::filesystem::path& folder) {
    return Error(
               ExitCode::surroundings,
               "cannot-spool",
               "no room for " + human_bytes(size) + " in " + folder.string() + ": "
                   + std::strerror(errno)
    )
        .advise("set TMPDIR to a folder with more room");
}

Error damaged(const ZipMember& member) {
    return Error(
        ExitCode::refused,
        "zip-damaged",
        "member '" + printable(member.name) + "' has content that does not match its header"
    );
}

void inflate_into(std::string_view packed, char* target, const ZipMember& member) {
    const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>
        inflater(libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
    std::size_t used = 0;
    std::size_t made = 0;
    const libdeflate_result result = libdeflate_deflate_decompress_ex(
        inflater.get(), packed.data(), packed.size(), target, member.size, &used, &made
    );
    if (result != LIBDEFLATE_SUCCESS || used != packed.size() || made != member.size) {
        throw damaged(member);
    }
}

void check_crc(std::string_view bytes, const ZipMember& member) {
    if (libdeflate_crc32(0, bytes.data(), bytes.size()) != member.crc32) {
        throw damaged(member);
    }
}

}  // namespace

SpoolFile::SpoolFile(std::uint64_t size) : size_(size) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    std::string name = (folder / "wheelforge-XXXXXX").string();
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0) {
        throw cannot_spool(size, folder);
    }
    ::unlink(name.c_str());
    // Room is taken now: running out of it while writing to the mapping would be a SIGBUS.
    errno = ::posix_fallocate(descriptor, 0, static_cast<off_t>(size));
    void* mapping = MAP_FAILED;
    if (errno == 0) {
        mapping = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    }
    const int reason = errno;
    ::close(descriptor);
    if (mapping == MAP_FAILED) {
        errno = reason;
        throw cannot_spool(size, folder);
    }
    data_ = static_cast<char*>(mapping);
}

SpoolFile::SpoolFile(SpoolFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}

SpoolFile::~SpoolFile() {
    if (data_ != nullptr) {
        ::munmap(data_, size_);
    }
}

Spool::Spool(std::uint64_t size) : size_(size) {
    if (size > most_in_memory) {
        file_.emplace(size);
    } else {
        memory_.reserve(size);
    }
}

void Spool::append(std::string_view piece) {
    if (piece.size() > size_ - filled_) {
        throw Error(ExitCode::refused, "archive-damaged", "a member is longer than it says");
    }
    if (file_) {
        std::memcpy(file_->data() + filled_, piece.data(), piece.size());
    } else {
        memory_ += piece;
    }
    filled_ += piece.size();
}

std::string_view Spool::bytes() const noexcept {
    if (file_) {
        return file_->bytes();
    }
    return borrowed_.empty() ? std::string_view(memory_) : borrowed_;
}

Spool Spool::member(const ZipReader& zip, const ZipMember& member) {
    if (member.method == method_stored) {
        Spool spool(0);
        spool.borrowed_ = zip.raw(member);
        check_crc(spool.borrowed_, member);
        return spool;
    }
    if (member.size <= most_in_memory) {
        Spool spool(0);
        spool.memory_ = zip.read(member);
        return spool;
    }
    Spool spool(member.size);
    inflate_into(zip.raw(member), spool.file_->data(), member);
    check_crc(spool.bytes(), member);
    return spool;
}

}  // namespace wheelforge::wheel
