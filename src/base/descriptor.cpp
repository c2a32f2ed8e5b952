// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelforge {
namespace {

Error call_failed(const char* id, std::string_view verb, std::string_view name) {
    const int number = errno;
    return {
        ExitCode::surroundings,
        id,
        "cannot " + std::string(verb) + " " + printable(name) + ": "
            + std::generic_category().message(number)
    };
}

}  // namespace

Descriptor::~Descriptor() {
    if (number_ >= 0) {
        ::close(number_);
    }
}

Descriptor open_for_reading(const std::filesystem::path& path) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid()) {
        throw call_failed("file-unreadable", "open", path.native());
    }
    return file;
}

std::uint64_t file_size(const Descriptor& file, const std::filesystem::path& path) {
    struct stat status = {};
    if (::fstat(file.get(), &status) != 0) {
        throw call_failed("file-unreadable", "stat", path.native());
    }
    if (!S_ISREG(status.st_mode)) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
        throw call_failed("file-unreadable", "read", path.native());
    }
    return static_cast<std::uint64_t>(status.st_size);
}

std::size_t
read_some(const Descriptor& file, std::span<char> buffer, const std::filesystem::path& path) {
    for (;;) {
        const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
        if (got >= 0) {
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR) {
            throw call_failed("file-unreadable", "read", path.native());
        }
    }
}

void write_all(const Descriptor& file, std::string_view bytes, std::string_view what) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(file.get(), bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            throw call_failed("disk-write", "write", what);
        }
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
}

}  // namespace wheelforge
