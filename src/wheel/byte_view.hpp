// SPDX-License-Identifier: Apache-2.0
// The one way in which readers of binary formats look at bytes: every read is bounds-checked and
// says which byte order it means. What lies outside is a ReadError, never undefined behaviour.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace wheelforge::wheel {

/// Bytes that are not what the format says. Caught by the reader of the enclosing container, which
/// turns it into an error of the report and goes on with the next part.
class ReadError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

enum class Endian : std::uint8_t { little, big };

/// A view, like string_view: whoever holds the bytes must outlive it.
class ByteView {
public:
    /// No name in a binary is longer; keeps hostile string tables from costing quadratic time.
    static constexpr std::uint64_t longest_string = 64U << 10U;

    ByteView() = default;
    explicit ByteView(std::string_view bytes, Endian endian = Endian::little) noexcept
        : bytes_(bytes), endian_(endian) {}

    [[nodiscard]] std::uint64_t size() const noexcept { return bytes_.size(); }
    [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
    [[nodiscard]] Endian endian() const noexcept { return endian_; }
    [[nodiscard]] std::string_view text() const noexcept { return bytes_; }
    [[nodiscard]] ByteView as(Endian endian) const noexcept { return ByteView(bytes_, endian); }

    [[nodiscard]] std::uint8_t u8(std::uint64_t offset) const {
        return static_cast<std::uint8_t>(at(offset, 1)[0]);
    }
    [[nodiscard]] std::uint16_t u16(std::uint64_t offset) const {
        return static_cast<std::uint16_t>(integer<2>(offset));
    }
    [[nodiscard]] std::uint32_t u32(std::uint64_t offset) const {
        return static_cast<std::uint32_t>(integer<4>(offset));
    }
    [[nodiscard]] std::uint64_t u64(std::uint64_t offset) const { return integer<8>(offset); }

    /// `length` bytes from `offset`.
    [[nodiscard]] ByteView sub(std::uint64_t offset, std::uint64_t length) const {
        return ByteView(at(offset, length), endian_);
    }
    /// Everything from `offset`.
    [[nodiscard]] ByteView from(std::uint64_t offset) const {
        return sub(offset, offset > size() ? 1 : size() - offset);
    }
    /// A string that ends with NUL inside the view.
    [[nodiscard]] std::string_view c_string(std::uint64_t offset) const {
        const std::string_view rest = from(offset).text().substr(0, longest_string);
        const std::size_t end = rest.find('\0');
        if (end == std::string_view::npos) {
            throw ReadError("string at offset " + std::to_string(offset) + " has no end");
        }
        return rest.substr(0, end);
    }
    [[nodiscard]] bool has(std::string_view magic, std::uint64_t offset = 0) const noexcept {
        return offset <= size() && bytes_.substr(offset).starts_with(magic);
    }
    /// Offset of the first byte that is not zero, from `offset`; size() if there is none.
    [[nodiscard]] std::uint64_t skip_zeros(std::uint64_t offset) const noexcept {
        const std::size_t found = bytes_.find_first_not_of('\0', offset);
        return found == std::string_view::npos ? size() : found;
    }

private:
    [[nodiscard]] std::string_view at(std::uint64_t offset, std::uint64_t length) const {
        if (offset > bytes_.size() || length > bytes_.size() - offset) {
            outside(offset, length);
        }
        return {bytes_.data() + offset, length};
    }
    /// Apart, so that what every read goes through stays small.
    [[noreturn]] void outside(std::uint64_t offset, std::uint64_t length) const {
        throw ReadError(
            std::to_string(length) + " bytes at offset " + std::to_string(offset)
            + " lie outside of " + std::to_string(bytes_.size()) + " bytes"
        );
    }
    template <std::size_t width>
    [[nodiscard]] std::uint64_t integer(std::uint64_t offset) const {
        const std::string_view bytes = at(offset, width);
        std::uint64_t little = 0;
        std::uint64_t big = 0;
        for (std::size_t i = 0; i < width; ++i) {
            const std::uint64_t byte = static_cast<std::uint8_t>(bytes[i]);
            little |= byte << (8 * i);
            big |= byte << (8 * (width - 1 - i));
        }
        return endian_ == Endian::little ? little : big;
    }

    std::string_view bytes_;
    Endian endian_ = Endian::little;
};

/// Strings of one table: they may overlap, but honest ones do not add up to much more than it.
class StringTable {
public:
    explicit StringTable(ByteView bytes) : bytes_(bytes), left_(8 * bytes.size() + (1U << 20U)) {}
    std::string_view at(std::uint64_t offset) {
        const std::string_view text = bytes_.c_string(offset);
        if (text.size() > left_) {
            throw ReadError("names add up to much more than the string table");
        }
        left_ -= text.size();
        return text;
    }

private:
    ByteView bytes_;
    std::uint64_t left_;
};

/// What one file may cost: readers spend before they allocate or loop.
class ReadBudget {
public:
    explicit ReadBudget(
        std::uint64_t unpacked_bytes = 16ULL << 30U, std::uint64_t objects = 4'000'000
    )
        : bytes_(unpacked_bytes), objects_(objects) {}
    void spend_bytes(std::uint64_t count) { spend(bytes_, count, "unpacked bytes"); }
    void spend_objects(std::uint64_t count = 1) { spend(objects_, count, "parts"); }

private:
    static void spend(std::uint64_t& left, std::uint64_t count, const char* what) {
        if (count > left) {
            spent(what);
        }
        left -= count;
    }
    [[noreturn]] static void spent(const char* what) {
        throw ReadError(std::string("more ") + what + " than the limit for one file");
    }
    std::uint64_t bytes_;
    std::uint64_t objects_;
};

}  // namespace wheelforge::wheel
