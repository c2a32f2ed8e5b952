// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "base/text.hpp"

namespace wheelforge {

Error disk_full(std::string_view name) {
    return Error(
               ExitCode::surroundings,
               "disk-full",
               "no space left on the disk of " + printable(name)
    )
        .advise("free some space there, or use another disk: --cache-dir for the cache, -o for "
                "results; "
                "what is finished is kept");
}

Error file_error(FileAction action, std::string_view name, int error_number) {
    if (error_number == ENOSPC || error_number == EDQUOT) {
        return disk_full(name);
    }
    if (action == FileAction::read && error_number == ENOENT) {
        return {ExitCode::usage, "file-not-found", "there is no file " + printable(name)};
    }
    const bool reading = action == FileAction::read;
    return {
        ExitCode::surroundings,
        reading ? "cannot-read" : "cannot-write",
        (reading ? "cannot read " : "cannot write ") + printable(name) + ": "
            + std::generic_category().message(error_number)
    };
}

Descriptor::~Descriptor() {
    if (number_ >= 0) {
        ::close(number_);
    }
}

Descriptor open_for_reading(const std::filesystem::path& path) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid()) {
        throw file_error(FileAction::read, path.native(), errno);
    }
    return file;
}

std::uint64_t file_size(const Descriptor& file, const std::filesystem::path& path) {
    struct stat status = {};
    if (::fstat(file.get(), &status) != 0) {
        throw file_error(FileAction::read, path.native(), errno);
    }
    if (!S_ISREG(status.st_mode)) {
        throw file_error(
            FileAction::read, path.native(), S_ISDIR(status.st_mode) ? EISDIR : EINVAL
        );
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
            throw file_error(FileAction::read, path.native(), errno);
        }
    }
}

void write_all(const Descriptor& file, std::string_view bytes, std::string_view name) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(file.get(), bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            throw file_error(FileAction::write, name, errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
}

}  // namespace wheelforge
