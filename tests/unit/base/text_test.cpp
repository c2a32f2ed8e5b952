// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace wheelforge {
namespace {

using Strings = std::vector<std::string>;
using Views = std::vector<std::string_view>;

TEST(Text, TrimsBlanksOfAllKinds) {
    EXPECT_EQ(trim(" \t\r\n\f\va b\n"), "a b");
    EXPECT_EQ(trim("   "), "");
    EXPECT_EQ(trim(""), "");
}

TEST(Text, LowersAsciiOnly) {
    EXPECT_EQ(to_lower("PyYAML-Ä"), "pyyaml-Ä");
}

TEST(Text, SplitKeepsEmptyParts) {
    EXPECT_EQ(split("a,,b", ','), (Views{"a", "", "b"}));
    EXPECT_EQ(split("", ','), (Views{""}));
    EXPECT_EQ(split(",", ','), (Views{"", ""}));
}

TEST(Text, LinesEndInLfOrCrlfOrNothing) {
    EXPECT_EQ(lines("a\r\nb\n\nc"), (Views{"a", "b", "", "c"}));
    EXPECT_EQ(lines("a\n"), (Views{"a"}));
    EXPECT_EQ(lines("\n"), (Views{""}));
    EXPECT_EQ(lines(""), (Views{}));
    EXPECT_EQ(lines("a\rb"), (Views{"a\rb"}));
}

TEST(Text, JoinsAndReplaces) {
    EXPECT_EQ(join(Strings{"a", "b", "c"}, ", "), "a, b, c");
    EXPECT_EQ(join(Strings{}, ", "), "");
    EXPECT_EQ(replace_all("aaa", "aa", "b"), "ba");
    EXPECT_EQ(replace_all("x.y.z", ".", ".."), "x..y..z");
    EXPECT_EQ(replace_all("x", "", "y"), "x");
}

TEST(Text, PrintableLeavesOrdinaryTextAlone) {
    EXPECT_EQ(printable("Grüße 中文 🎉 \\x41"), "Grüße 中文 🎉 \\x41");
}

TEST(Text, PrintableEscapesWhatIsNotSeen) {
    EXPECT_EQ(printable("a\nb\tc\x7f"), "a\\x0ab\\x09c\\x7f");
    EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
    EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");             // C1
    EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae");    // right-to-left override
    EXPECT_EQ(printable("\xe2\x81\xa6x"), "\\xe2\\x81\\xa6x");  // isolate
    EXPECT_EQ(printable("\xe2\x80\x8b"), "\\xe2\\x80\\x8b");    // zero width space
    EXPECT_EQ(printable("\xef\xbb\xbf"), "\\xef\\xbb\\xbf");    // byte order mark
    EXPECT_EQ(printable("\xe2\x80\xa8"), "\\xe2\\x80\\xa8");    // line separator
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Text, PrintableEscapesInvalidUtf8ByteByByte) {
    EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
    EXPECT_EQ(printable("\xe4\xb8"), "\\xe4\\xb8");  // cut short
    EXPECT_EQ(printable("\xc3(x"), "\\xc3(x");
}

TEST(Text, Utf8IsJudgedByTheStandard) {
    for (const std::string_view good :
         {"",
          "a",
          "\xc2\x80",
          "\xdf\xbf",
          "\xe0\xa0\x80",
          "\xed\x9f\xbf",
          "\xee\x80\x80",
          "\xf0\x90\x80\x80",
          "\xf4\x8f\xbf\xbf"}) {
        EXPECT_TRUE(is_valid_utf8(good)) << printable(good);
    }
    for (const std::string_view bad :
         {"\x80",
          "\xc0\xaf",
          "\xc1\xbf",
          "\xe0\x9f\xbf",
          "\xed\xa0\x80",
          "\xf0\x8f\xbf\xbf",
          "\xf4\x90\x80\x80",
          "\xf5\x80\x80\x80",
          "\xe2\x82",
          "\xff"}) {
        EXPECT_FALSE(is_valid_utf8(bad)) << printable(bad);
    }
}

TEST(Text, NearestComesInOrderOfDistance) {
    const Strings variants{"cpu", "cuda", "gaudi", "rocm", "spyre", "tpu"};
    EXPECT_EQ(nearest("cuad", variants, 1), (Strings{"cuda"}));
    EXPECT_EQ(nearest("rcom", variants, 1), (Strings{"rocm"}));
    EXPECT_EQ(nearest("cpu", variants), (Strings{"cpu", "tpu"}));
    EXPECT_EQ(nearest("kubernetes", variants), (Strings{}));
}

TEST(Text, NearestNeedsSomethingInCommon) {
    EXPECT_EQ(nearest("ab", Strings{"xy", "ax"}), (Strings{"ax"}));
    EXPECT_EQ(nearest("", Strings{"a", "ab"}), (Strings{}));
}

TEST(Text, NearestAllowsMoreForLongWords) {
    EXPECT_EQ(nearest("setuptools-scm", Strings{"setuptols_smc"}), (Strings{"setuptols_smc"}));
    EXPECT_EQ(nearest(std::string(100'000, 'a'), Strings{std::string(100'000, 'a')}), (Strings{}));
}

TEST(Text, BytesAreToldInBinaryUnits) {
    EXPECT_EQ(human_bytes(0), "0 B");
    EXPECT_EQ(human_bytes(1023), "1023 B");
    EXPECT_EQ(human_bytes(1024), "1.0 KiB");
    EXPECT_EQ(human_bytes(1'468'006), "1.4 MiB");
    EXPECT_EQ(human_bytes((1ULL << 20U) - 1), "1.0 MiB");
    EXPECT_EQ(human_bytes(std::numeric_limits<std::uint64_t>::max()), "16.0 EiB");
}

TEST(Text, SecondsAreToldAsPeopleDo) {
    EXPECT_EQ(human_seconds(0), "0 s");
    EXPECT_EQ(human_seconds(-1), "0 s");
    EXPECT_EQ(human_seconds(0.44), "0.4 s");
    EXPECT_EQ(human_seconds(12.4), "12 s");
    EXPECT_EQ(human_seconds(59.7), "1 min 00 s");
    EXPECT_EQ(human_seconds(185), "3 min 05 s");
    EXPECT_EQ(human_seconds(3720), "1 h 02 min");
    EXPECT_EQ(human_seconds(std::numeric_limits<double>::quiet_NaN()), "0 s");
    EXPECT_FALSE(human_seconds(std::numeric_limits<double>::infinity()).empty());
}

}  // namespace
}  // namespace wheelforge
