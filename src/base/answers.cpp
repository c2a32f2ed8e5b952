// SPDX-License-Identifier: Apache-2.0
#include "base/answers.hpp"

#include <fstream>
#include <sys/stat.h>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"

namespace wheelforge::answers {

namespace {

fs::path& folder() {
    static fs::path kept;
    return kept;
}

fs::path file_of(std::string_view question) {
    return folder() / sha256(question);
}

}  // namespace

void keep_in(fs::path where) {
    folder() = std::move(where);
}

std::optional<std::string> identity_of(const fs::path& program) {
    std::error_code failed;
    const fs::path real = fs::canonical(program, failed);
    struct stat status {};
    if (failed || ::stat(real.c_str(), &status) != 0) {
        return std::nullopt;
    }
    char start[2] = {};
    if (!std::ifstream(real, std::ios::binary).read(start, 2)
        || (start[0] == '#' && start[1] == '!')) {
        return std::nullopt;
    }
    return fmt::format(
        "{} {} {} {} {}.{} {}.{}",
        program.string(),
        real.string(),
        status.st_ino,
        status.st_size,
        status.st_mtim.tv_sec,
        status.st_mtim.tv_nsec,
        status.st_ctim.tv_sec,
        status.st_ctim.tv_nsec
    );
}

std::optional<std::string> recall(std::string_view question) {
    if (folder().empty()) {
        return std::nullopt;
    }
    try {
        return read_file_if_there(file_of(question), 4U << 20U);
    } catch (const Error&) {
        return std::nullopt;  // ask again
    }
}

void remember(std::string_view question, std::string_view answer) {
    if (folder().empty()) {
        return;
    }
    try {
        write_file(file_of(question), answer);
    } catch (const Error&) {
        return;  // asked again next time
    }
}

}  // namespace wheelforge::answers
