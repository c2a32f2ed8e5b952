// SPDX-License-Identifier: Apache-2.0
// An owned file descriptor, and the errors of the calls on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace wheelforge {

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) noexcept : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor();

    [[nodiscard]] int get() const noexcept { return number_; }
    [[nodiscard]] bool valid() const noexcept { return number_ >= 0; }
    /// Closes it now.
    void reset() noexcept { *this = Descriptor(); }
    /// Gives it away; the caller closes it.
    [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }

private:
    int number_ = -1;
};

/// "disk-full", for ENOSPC and EDQUOT.
[[nodiscard]] Error disk_full(std::string_view name);
/// What errno says about a file, as files.hpp tells it: "file-not-found", "cannot-read",
/// "cannot-write", "disk-full".
enum class FileAction { read, write };
[[nodiscard]] Error file_error(FileAction action, std::string_view name, int error_number);

/// These throw file_error().
[[nodiscard]] Descriptor open_for_reading(const std::filesystem::path& path);
[[nodiscard]] std::uint64_t file_size(const Descriptor& file, const std::filesystem::path& path);
/// Reads on; 0 at the end.
[[nodiscard]] std::size_t
read_some(const Descriptor& file, std::span<char> buffer, const std::filesystem::path& path);
/// Writes all of `bytes`; `name` is for the error.
void write_all(const Descriptor& file, std::string_view bytes, std::string_view name);

}  // namespace wheelforge
