// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::wheel {
namespace {

TEST(Record, ParsesRowsOfThree) {
    const auto record =
        parse_record("pkg/a.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\r\n\n"
                     "pkg/b.py,md5=abc=,12\npkg/c.py,,\npkg/d.py\npkg-1.0.dist-info/RECORD,,");
    ASSERT_EQ(record.size(), 5U);
    EXPECT_EQ(record[0].path, "pkg/a.py");
    EXPECT_EQ(record[0].algorithm, "sha256");
    EXPECT_EQ(record[0].digest, "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
    EXPECT_EQ(record[0].size, "0");
    EXPECT_EQ(record[1].algorithm, "md5");
    EXPECT_EQ(record[1].digest, "abc");
    EXPECT_EQ(record[2].algorithm, "");
    EXPECT_EQ(record[2].size, "");
    EXPECT_EQ(record[3].path, "pkg/d.py");
    EXPECT_EQ(record[4].path, "pkg-1.0.dist-info/RECORD");
}

TEST(Record, ParsesQuotedFields) {
    const auto record = parse_record(
        "\"a,b.py\",sha256=x,1\n\"say \"\"hi\"\".py\",sha256=y,2\n\"two\nlines\",,3\n\"open"
    );
    ASSERT_EQ(record.size(), 4U);
    EXPECT_EQ(record[0].path, "a,b.py");
    EXPECT_EQ(record[1].path, "say \"hi\".py");
    EXPECT_EQ(record[1].digest, "y");
    EXPECT_EQ(record[2].path, "two\nlines");
    EXPECT_EQ(record[2].size, "3");
    EXPECT_EQ(record[3].path, "open");
}

TEST(Record, SurvivesNonsense) {
    EXPECT_TRUE(parse_record("").empty());
    EXPECT_TRUE(parse_record("\n\r\n\n").empty());
    EXPECT_TRUE(parse_record(",,,,,\n\"\",x\n").empty());
    EXPECT_EQ(parse_record("a,b,c,d,e").size(), 1U);
}

TEST(Record, WritesWhatItReads) {
    const std::string digest = sha256("");
    EXPECT_EQ(
        record_line("pkg/a.py", digest, 0),
        "pkg/a.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\n"
    );
    for (const std::string path : {"a,b", "say \"hi\"", "\"", "plain", "\xc3\xa9 blank"}) {
        const auto record = parse_record(record_line(path, digest, 7) + unhashed_record_line(path));
        ASSERT_EQ(record.size(), 2U);
        EXPECT_EQ(record[0].path, path);
        EXPECT_EQ(record[0].size, "7");
        EXPECT_EQ(record[1].path, path);
        EXPECT_EQ(record[1].digest, "");
    }
}

}  // namespace
}  // namespace wheelforge::wheel
