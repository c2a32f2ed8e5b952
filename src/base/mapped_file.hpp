// SPDX-License-Identifier: Apache-2.0
// A file mapped for reading.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace wheelforge {

class MappedFile {
public:
    /// Throws as base/descriptor.hpp does.
    explicit MappedFile(const std::filesystem::path& path);
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    MappedFile& operator=(MappedFile&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~MappedFile();

    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
    /// These bytes were read and are not needed soon: their pages need not stay resident, so that
    /// walking through a file of several GB costs no memory.
    void drop(std::string_view part) const noexcept;

private:
    std::string_view bytes_;
};

}  // namespace wheelforge
