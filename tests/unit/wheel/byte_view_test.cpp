// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "wheel/byte_view.hpp"

using namespace std::string_view_literals;
using wheelforge::wheel::ByteView;
using wheelforge::wheel::Endian;
using wheelforge::wheel::ReadBudget;
using wheelforge::wheel::ReadError;
using wheelforge::wheel::StringTable;

TEST(ByteView, ReadsBothByteOrders) {
    const ByteView little("\x01\x02\x03\x04\x05\x06\x07\x08"sv);
    EXPECT_EQ(little.u16(0), 0x0201);
    EXPECT_EQ(little.u32(1), 0x05040302U);
    EXPECT_EQ(little.u64(0), 0x0807060504030201ULL);
    const ByteView big = little.as(Endian::big);
    EXPECT_EQ(big.u16(0), 0x0102);
    EXPECT_EQ(big.u64(0), 0x0102030405060708ULL);
}

TEST(ByteView, RefusesWhatLiesOutside) {
    const ByteView view("abcd"sv);
    EXPECT_EQ(view.u32(0), 0x64636261U);
    EXPECT_THROW(static_cast<void>(view.u32(1)), ReadError);
    EXPECT_THROW(static_cast<void>(view.u8(4)), ReadError);
    EXPECT_THROW(static_cast<void>(view.sub(2, 3)), ReadError);
    // offset + length would wrap around
    EXPECT_THROW(static_cast<void>(view.sub(2, ~0ULL)), ReadError);
    EXPECT_THROW(static_cast<void>(view.from(5)), ReadError);
    EXPECT_TRUE(view.from(4).empty());
}

TEST(ByteView, WantsStringsToEndInside) {
    EXPECT_EQ(ByteView("ab\0cd"sv).c_string(0), "ab");
    EXPECT_THROW(static_cast<void>(ByteView("ab\0cd"sv).c_string(3)), ReadError);
    const std::string endless(100'000, 'x');
    EXPECT_THROW(static_cast<void>(ByteView(endless + '\0').c_string(0)), ReadError);
}

TEST(ByteView, SkipsZeros) {
    EXPECT_EQ(ByteView("\0\0a\0"sv).skip_zeros(0), 2U);
    EXPECT_EQ(ByteView("\0\0a\0"sv).skip_zeros(3), 4U);
    EXPECT_EQ(ByteView("\0"sv).skip_zeros(9), 1U);
}

TEST(StringTable, StopsNamesThatOverlapWithoutEnd) {
    const std::string table = std::string(60'000, 'x') + '\0';
    StringTable strings{ByteView(table)};
    const auto read_all = [&] {
        for (int i = 0; i < 1000; ++i) {
            static_cast<void>(strings.at(0));
        }
    };
    EXPECT_THROW(read_all(), ReadError);
}

TEST(ReadBudget, IsSpentOnce) {
    ReadBudget budget(100, 2);
    budget.spend_bytes(60);
    EXPECT_THROW(budget.spend_bytes(41), ReadError);
    budget.spend_bytes(40);
    budget.spend_objects(2);
    EXPECT_THROW(budget.spend_objects(), ReadError);
}
