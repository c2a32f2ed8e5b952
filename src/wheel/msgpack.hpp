// SPDX-License-Identifier: Apache-2.0
// MessagePack, read into one flat list of values: no recursion, however deep the input claims to
// be.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "wheel/byte_view.hpp"

namespace wheelforge::wheel {

class Msgpack {
public:
    enum class Kind : std::uint8_t { nil, boolean, integer, real, text, binary, array, map };
    struct Value {
        Kind kind = Kind::nil;
        std::int64_t integer = 0;  ///< of booleans and integers
        std::string_view text;     ///< of text and binary
        std::uint32_t count = 0;   ///< elements of an array, pairs of a map
        std::uint32_t next = 0;    ///< index of the value after this one and all it contains
    };
    /// A value together with where it stands, to walk from.
    class Cursor {
    public:
        Cursor(const Msgpack& all, std::uint32_t index) : all_(&all), index_(index) {}
        [[nodiscard]] const Value& value() const { return all_->values_[index_]; }
        [[nodiscard]] Kind kind() const { return value().kind; }
        [[nodiscard]] std::string_view text() const { return value().text; }
        [[nodiscard]] std::int64_t integer() const { return value().integer; }
        /// Of a map; nullopt when there is no such key or this is no map.
        [[nodiscard]] std::optional<Cursor> find(std::string_view key) const;
        /// Elements of an array; empty for anything else.
        [[nodiscard]] std::vector<Cursor> elements() const;
        /// Key and value by turns; empty for anything else.
        [[nodiscard]] std::vector<Cursor> pairs() const;
        [[nodiscard]] std::string_view text_of(std::string_view key) const;
        [[nodiscard]] std::optional<std::int64_t> integer_of(std::string_view key) const;

    private:
        [[nodiscard]] std::vector<Cursor> children(Kind kind, std::uint64_t count) const;
        const Msgpack* all_;
        std::uint32_t index_;
    };

    /// Reads one value from the start of `bytes`, which must outlive this. Throws ReadError.
    Msgpack(ByteView bytes, ReadBudget& budget);
    [[nodiscard]] Cursor root() const { return Cursor(*this, 0); }
    /// Bytes that the value took.
    [[nodiscard]] std::uint64_t consumed() const noexcept { return consumed_; }

private:
    std::vector<Value> values_;
    std::uint64_t consumed_ = 0;
};

}  // namespace wheelforge::wheel
