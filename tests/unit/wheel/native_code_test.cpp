// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <gtest/gtest.h>

#include "support/working_directory.hpp"
#include "wheel/verify/native_code.hpp"

namespace wheelforge::wheel {

/// "LINE OPTION", or "" if none is found.
std::string native_in_log(const std::string& text) {
    std::istringstream stream(text);
    const auto found = native_option_in_log(stream);
    return found ? std::to_string(found->line) + " " + found->option : "";
}

TEST(NativeCode, IsSeenWhereALogCallsACompiler) {
    EXPECT_EQ(native_in_log("x\n\ngcc -O3 -march=native -c a.c -o a.o\n"), "3 -march=native");
    EXPECT_EQ(
        native_in_log("rustc --crate-name a -C target-cpu=native a.rs"), "1 target-cpu=native"
    );
}

TEST(NativeCode, IsNotWhatACompilerCouldDo) {
    EXPECT_EQ(native_in_log("checking whether cc takes -march=native... yes"), "");
    EXPECT_EQ(native_in_log("gcc -mtune=native -c a.c -o a.o"), "");
    EXPECT_EQ(native_in_log("gcc -march=native-like -c a.c -o a.o"), "");
    EXPECT_EQ(native_in_log(""), "");
}

TEST(NativeCode, LinesOfAnyLengthAreCounted) {
    const std::string long_line(3U << 20U, 'x');
    EXPECT_EQ(
        native_in_log(long_line + "\n" + long_line + "\ncc -mcpu=native a.c -o a"), "3 -mcpu=native"
    );
}

TEST(NativeCode, IsSeenInBuildFiles) {
    support::WorkingDirectory folder;
    folder.write("src/notes.txt", "FLAGS = -march=native\n");
    folder.write("build/flags.make", "# CXX_FLAGS = -march=native\nCXX_FLAGS = -O3\n");
    EXPECT_FALSE(native_option_in_build_files(folder.path()));
    folder.write("build/x/build.ninja", "rule cc\n  FLAGS = -O3 -march=native\n");
    const auto found = native_option_in_build_files(folder.path());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->file, "build/x/build.ninja");
    EXPECT_EQ(found->line, 2);
}

}  // namespace wheelforge::wheel
