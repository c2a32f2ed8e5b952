// SPDX-License-Identifier: Apache-2.0
#include "wheel/msgpack.hpp"

#include <algorithm>

namespace wheelforge::wheel {

namespace {

using Kind = Msgpack::Kind;

constexpr std::size_t deepest = 200;
constexpr std::size_t most_values = 50'000'000;

/// Reads value heads one after the other; MessagePack is big-endian.
class Reader {
public:
    explicit Reader(ByteView bytes) : bytes_(bytes.as(Endian::big)) {}

    [[nodiscard]] std::uint64_t position() const noexcept { return at_; }

    Msgpack::Value next() {
        const std::uint8_t tag = bytes_.u8(at_++);
        if (tag <= 0x7f) {
            return integer(tag);
        }
        if (tag >= 0xe0) {
            return integer(static_cast<std::int8_t>(tag));
        }
        if (tag <= 0x8f) {
            return container(Kind::map, tag & 0xfU);
        }
        if (tag <= 0x9f) {
            return container(Kind::array, tag & 0xfU);
        }
        if (tag <= 0xbf) {
            return bytes(Kind::text, tag & 0x1fU);
        }
        return tag >= 0xd9 ? tagged_text_or_container(tag) : tagged(tag);
    }

private:
    Msgpack::Value tagged(std::uint8_t tag) {
        switch (tag) {
        case 0xc0:
            return {};
        case 0xc2:
        case 0xc3:
            return {Kind::boolean, tag - 0xc2, {}, 0, 0};
        case 0xc4:
        case 0xc5:
        case 0xc6:
            return bytes(Kind::binary, length(1U << (tag - 0xc4U)));
        case 0xc7:
        case 0xc8:
        case 0xc9:
            return bytes(Kind::binary, length(1U << (tag - 0xc7U)) + 1);
        case 0xca:
        case 0xcb:
            static_cast<void>(length(tag == 0xca ? 4 : 8));
            return {Kind::real, 0, {}, 0, 0};
        case 0xcc:
        case 0xcd:
        case 0xce:
        case 0xcf:
            return integer(static_cast<std::int64_t>(length(1U << (tag - 0xccU))));
        case 0xd0:
        case 0xd1:
        case 0xd2:
        case 0xd3:
            return integer(sign_extended(1U << (tag - 0xd0U)));
        case 0xd4:
        case 0xd5:
        case 0xd6:
        case 0xd7:
        case 0xd8:
            return bytes(Kind::binary, (1U << (tag - 0xd4U)) + 1);
        default:
            throw ReadError("MessagePack with the reserved tag 0xc1");
        }
    }

    Msgpack::Value tagged_text_or_container(std::uint8_t tag) {
        switch (tag) {
        case 0xd9:
        case 0xda:
        case 0xdb:
            return bytes(Kind::text, length(1U << (tag - 0xd9U)));
        case 0xdc:
        case 0xdd:
            return container(Kind::array, length(tag == 0xdc ? 2 : 4));
        default:
            return container(Kind::map, length(tag == 0xde ? 2 : 4));
        }
    }

    static Msgpack::Value integer(std::int64_t value) { return {Kind::integer, value, {}, 0, 0}; }

    Msgpack::Value bytes(Kind kind, std::uint64_t size) {
        const std::string_view text = bytes_.sub(at_, size).text();
        at_ += size;
        return {kind, 0, text, 0, 0};
    }

    Msgpack::Value container(Kind kind, std::uint64_t count) {
        // Every element takes a byte at least, so a larger count cannot be true.
        if (count > bytes_.size() - at_) {
            throw ReadError("MessagePack container with more elements than bytes");
        }
        return {kind, 0, {}, static_cast<std::uint32_t>(count), 0};
    }

    std::uint64_t length(unsigned width) {
        const std::uint64_t at = at_;
        at_ += width;
        switch (width) {
        case 1:
            return bytes_.u8(at);
        case 2:
            return bytes_.u16(at);
        case 4:
            return bytes_.u32(at);
        default:
            return bytes_.u64(at);
        }
    }

    std::int64_t sign_extended(unsigned width) {
        const std::uint64_t value = length(width);
        const unsigned shift = 64 - 8 * width;
        return static_cast<std::int64_t>(value << shift) >> shift;
    }

    ByteView bytes_;
    std::uint64_t at_ = 0;
};

struct Open {
    std::uint32_t index = 0;
    std::uint64_t left = 0;
};

}  // namespace

Msgpack::Msgpack(ByteView bytes, ReadBudget& budget) {
    constexpr std::size_t bytes_per_value = 8;  // of kernel metadata, more or less
    constexpr std::size_t most_reserved = 1U << 16U;
    values_.reserve(std::min<std::size_t>(bytes.size() / bytes_per_value, most_reserved));
    Reader reader(bytes);
    std::vector<Open> open;
    do {
        budget.spend_bytes(sizeof(Value));
        if (values_.size() >= most_values || open.size() > deepest) {
            throw ReadError("MessagePack with too many values or too deep");
        }
        if (!open.empty()) {
            --open.back().left;
        }
        const auto index = static_cast<std::uint32_t>(values_.size());
        values_.push_back(reader.next());
        values_.back().next = index + 1;
        const Value& value = values_.back();
        if (value.count > 0) {
            const std::uint64_t factor = value.kind == Kind::map ? 2 : 1;
            open.push_back({index, factor * value.count});
        }
        while (!open.empty() && open.back().left == 0) {
            values_[open.back().index].next = static_cast<std::uint32_t>(values_.size());
            open.pop_back();
        }
    } while (!open.empty());
    consumed_ = reader.position();
}

std::vector<Msgpack::Cursor> Msgpack::Cursor::children(Kind kind, std::uint64_t count) const {
    std::vector<Cursor> result;
    if (value().kind != kind) {
        return result;
    }
    std::uint32_t at = index_ + 1;
    for (std::uint64_t i = 0; i < count; ++i) {
        result.emplace_back(*all_, at);
        at = all_->values_[at].next;
    }
    return result;
}

std::vector<Msgpack::Cursor> Msgpack::Cursor::elements() const {
    return children(Kind::array, value().count);
}

std::vector<Msgpack::Cursor> Msgpack::Cursor::pairs() const {
    return children(Kind::map, 2ULL * value().count);
}

std::optional<Msgpack::Cursor> Msgpack::Cursor::find(std::string_view key) const {
    if (kind() != Kind::map) {
        return std::nullopt;
    }
    std::uint32_t at = index_ + 1;
    for (std::uint32_t i = 0; i < value().count; ++i) {
        const Value& candidate = all_->values_[at];
        if (candidate.kind == Kind::text && candidate.text == key) {
            return Cursor(*all_, candidate.next);
        }
        at = all_->values_[candidate.next].next;
    }
    return std::nullopt;
}

std::string_view Msgpack::Cursor::text_of(std::string_view key) const {
    const auto found = find(key);
    return found && found->kind() == Kind::text ? found->text() : std::string_view();
}

std::optional<std::int64_t> Msgpack::Cursor::integer_of(std::string_view key) const {
    const auto found = find(key);
    return found && found->kind() == Kind::integer ? std::optional(found->integer()) : std::nullopt;
}

}  // namespace wheelforge::wheel
