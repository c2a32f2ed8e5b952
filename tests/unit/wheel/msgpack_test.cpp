// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/device_builder.hpp"
#include "wheel/msgpack.hpp"

using namespace std::string_view_literals;
using wheelforge::support::mp_array;
using wheelforge::support::mp_map;
using wheelforge::support::mp_number;
using wheelforge::support::mp_text;
using wheelforge::wheel::ByteView;
using wheelforge::wheel::Msgpack;
using wheelforge::wheel::ReadBudget;
using wheelforge::wheel::ReadError;

namespace {

Msgpack read(std::string_view bytes) {
    ReadBudget budget;
    return {ByteView(bytes), budget};
}

}  // namespace

TEST(Msgpack, FindsValuesInNestedMaps) {
    const std::string bytes = mp_map(
        {{"a", mp_array({mp_text("x"), mp_map({{"deep", mp_number(7)}})})}, {"b", mp_text("y")}}
    );
    const Msgpack document = read(bytes);
    const auto root = document.root();
    EXPECT_EQ(root.text_of("b"), "y");
    ASSERT_TRUE(root.find("a"));
    const auto elements = root.find("a")->elements();
    ASSERT_EQ(elements.size(), 2U);
    EXPECT_EQ(elements[0].text(), "x");
    EXPECT_EQ(elements[1].integer_of("deep"), 7);
    EXPECT_FALSE(root.find("deep"));
    EXPECT_EQ(document.consumed(), bytes.size());
}

TEST(Msgpack, ReadsEveryFormOfNumber) {
    EXPECT_EQ(read("\x05"sv).root().integer(), 5);
    EXPECT_EQ(read("\xff"sv).root().integer(), -1);
    EXPECT_EQ(read("\xcc\xc8"sv).root().integer(), 200);
    EXPECT_EQ(read("\xcd\x01\x00"sv).root().integer(), 256);
    EXPECT_EQ(read("\xd0\x80"sv).root().integer(), -128);
    EXPECT_EQ(read("\xd1\xff\x00"sv).root().integer(), -256);
    EXPECT_EQ(read("\xc3"sv).root().integer(), 1);
    EXPECT_EQ(read("\xca\x00\x00\x00\x00"sv).root().kind(), Msgpack::Kind::real);
    EXPECT_EQ(read("\xc0"sv).root().kind(), Msgpack::Kind::nil);
}

TEST(Msgpack, ReadsTextAndBinaryAndSkipsExtensions) {
    EXPECT_EQ(
        read("\xa3"
             "abc"sv)
            .root()
            .text(),
        "abc"
    );
    EXPECT_EQ(
        read("\xd9\x03"
             "abc"sv)
            .root()
            .text(),
        "abc"
    );
    EXPECT_EQ(read("\xc4\x02zz"sv).root().text(), "zz");
    EXPECT_EQ(read("\xd4\x01z"sv).root().kind(), Msgpack::Kind::binary);
}

TEST(Msgpack, RefusesWhatIsCutOffOrCannotBe) {
    EXPECT_THROW(read(""sv), ReadError);
    EXPECT_THROW(
        read("\xa5"
             "ab"sv),
        ReadError
    );
    EXPECT_THROW(read("\xdd\xff\xff\xff\xff"sv), ReadError);
    EXPECT_THROW(read("\xc1"sv), ReadError);
    EXPECT_THROW(read("\x92\x01"sv), ReadError);
}

TEST(Msgpack, RefusesDepthWithoutRecursing) {
    EXPECT_THROW(read(std::string(1'000'000, '\x91')), ReadError);
}
