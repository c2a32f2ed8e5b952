// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "index/netrc.hpp"

namespace wheelforge::index {
namespace {

std::string entry_told(std::string_view text) {
    const auto entries = parse_netrc(text);
    if (!entries) {
        return "error at " + std::to_string(entries.error().offset);
    }
    std::string result;
    for (const auto& entry : *entries) {
        result += entry.machine + "|" + entry.login + "|" + entry.password + "\n";
    }
    return result;
}

TEST(Netrc, ReadsEntriesOnOneLineOrSeveral) {
    EXPECT_EQ(
        entry_told(
            "machine a.example login me password pw\n\nmachine B.Example\n\tuser you\n\tpassword "
            "x\n"
        ),
        "a.example|me|pw\nb.example|you|x\n"
    );
}

TEST(Netrc, KnowsDefaultAndAccount) {
    EXPECT_EQ(entry_told("machine a login b account c password d default login e"), "a|b|d\n|e|\n");
}

TEST(Netrc, TakesQuotedAndEscapedWords) {
    EXPECT_EQ(
        entry_told(R"(machine a login "b c" password "d\"e\\f" machine g login h\ i)"),
        "a|b c|d\"e\\f\ng|h i|\n"
    );
}

TEST(Netrc, PasswordsMayBeginWithAHash) {
    EXPECT_EQ(
        entry_told("# comment login x\nmachine a login b password #c # rest\n#end"), "a|b|#c\n"
    );
}

TEST(Netrc, SkipsMacrosToTheirEmptyLine) {
    EXPECT_EQ(
        entry_told(
            "machine a login b password c\nmacdef init\ncd /pub\nmachine no\n\nmachine d login e"
        ),
        "a|b|c\nd|e|\n"
    );
    EXPECT_EQ(entry_told("macdef init\nrest"), "");
    EXPECT_EQ(entry_told("macdef init"), "");
}

TEST(Netrc, IsRefusedWhereItMakesNoSense) {
    EXPECT_EQ(entry_told("login me"), "error at 5");
    EXPECT_EQ(entry_told("machine"), "error at 7");
    EXPECT_EQ(entry_told("machine a secret"), "error at 16");
    EXPECT_EQ(entry_told("machine a password"), "error at 18");
    EXPECT_EQ(
        parse_netrc("machine a hunter2 x").error().message.find("hunter2"), std::string::npos
    );
}

TEST(Netrc, OfNothingIsEmpty) {
    EXPECT_EQ(entry_told(""), "");
    EXPECT_EQ(entry_told(" \n\t\r\n"), "");
}

}  // namespace
}  // namespace wheelforge::index
