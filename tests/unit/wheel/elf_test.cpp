// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/elf_builder.hpp"
#include "wheel/elf.hpp"
#include "wheel/elf_facts.hpp"

using wheelforge::support::ElfBuilder;
using wheelforge::wheel::ByteView;
using wheelforge::wheel::elf_facts;
using wheelforge::wheel::ElfFacts;
using wheelforge::wheel::ElfImage;
using wheelforge::wheel::Endian;
using wheelforge::wheel::ReadError;

namespace {

ElfBuilder extension(std::uint16_t machine = 62, bool is_64 = true, bool big = false) {
    ElfBuilder elf(machine, is_64, big);
    elf.needed = {"libtorch.so", "libc.so.6"};
    elf.soname = "_C.so";
    elf.runpath = "/opt/rocm/lib";
    elf.section({".text", std::string(32, '\xc3'), 1, 6, 16});
    elf.dynamic_symbols = {
        {"PyInit__C", ".text", 0, 16},
        {"memcpy", "", 0, 0, 2, 1, 0, "GLIBC_2.14", "libc.so.6"},
        {"fstat", "", 0, 0, 2, 1, 0, "GLIBC_2.33", "libc.so.6"},
        {"_ZSt4cout", "", 0, 0, 1, 1, 0, "GLIBCXX_3.4", "libstdc++.so.6"},
        {"maybe", "", 0, 0, 2, 2},
    };
    return elf;
}

void expect_the_extension(const ElfFacts& facts) {
    EXPECT_EQ(facts.soname, "_C.so");
    EXPECT_EQ(facts.needed, (std::vector<std::string>{"libtorch.so", "libc.so.6"}));
    EXPECT_EQ(facts.runpath, "/opt/rocm/lib");
    EXPECT_FALSE(facts.rpath);
    EXPECT_TRUE(facts.exports("PyInit__C"));
    EXPECT_FALSE(facts.exports("memcpy"));
    EXPECT_EQ(facts.highest("GLIBC"), "2.33");
    EXPECT_EQ(facts.highest("GLIBCXX"), "3.4");
    EXPECT_EQ(facts.highest("CXXABI"), "");
    ASSERT_EQ(facts.undefined.size(), 4U);
    EXPECT_EQ(facts.undefined[0].version, "GLIBC_2.14");
    EXPECT_EQ(facts.undefined[0].library, "libc.so.6");
    EXPECT_TRUE(facts.undefined[3].weak);
    EXPECT_FALSE(facts.executable_stack);
    EXPECT_TRUE(facts.relro);
}

}  // namespace

TEST(Elf, ReadsWhatTheLoaderNeedsOfEveryClassAndByteOrder) {
    const struct {
        std::uint16_t machine;
        bool is_64;
        bool big;
        const char* name;
    } cases[] = {
        {62, true, false, "x86_64"},
        {183, true, false, "aarch64"},
        {21, true, true, "ppc64"},
        {21, true, false, "ppc64le"},
        {3, false, false, "i686"},
        {40, false, true, "armv7l"},
    };
    for (const auto& one : cases) {
        const std::string bytes = extension(one.machine, one.is_64, one.big).bytes();
        const ElfImage image{ByteView(bytes)};
        EXPECT_EQ(image.endian(), one.big ? Endian::big : Endian::little);
        const ElfFacts facts = elf_facts(image);
        EXPECT_EQ(machine_name(facts), one.name);
        expect_the_extension(facts);
    }
}

TEST(Elf, ReadsTheSameWithoutSectionHeaders) {
    ElfBuilder elf = extension();
    elf.section_headers = false;
    const std::string bytes = elf.bytes();
    const ElfImage image{ByteView(bytes)};
    EXPECT_TRUE(image.sections().empty());
    expect_the_extension(elf_facts(image));
}

TEST(Elf, TellsStackAndHardening) {
    ElfBuilder elf = extension();
    elf.executable_stack = true;
    elf.relro = false;
    elf.dynamic_tags = {{22, 0}, {24, 0}};
    const std::string bytes = elf.bytes();
    const ElfFacts facts = elf_facts(ElfImage(ByteView(bytes)));
    EXPECT_TRUE(facts.executable_stack);
    EXPECT_FALSE(facts.relro);
    EXPECT_TRUE(facts.text_relocations);
    EXPECT_TRUE(facts.bind_now);
}

TEST(Elf, AMissingStackHeaderMeansAnExecutableStack) {
    ElfBuilder elf = extension();
    elf.stack_header = false;
    const std::string bytes = elf.bytes();
    const ElfFacts facts = elf_facts(ElfImage(ByteView(bytes)));
    EXPECT_TRUE(facts.stack_header_missing);
    EXPECT_TRUE(facts.executable_stack);
}

TEST(Elf, FindsWherePointersLeadTo) {
    ElfBuilder elf;
    elf.section({".text", std::string(32, '\xc3'), 1, 6, 16});
    elf.section({".data", std::string(16, '\0'), 1, 3, 8});
    elf.pointers = {{".data", 8, ".text", 16}};
    const std::string bytes = elf.bytes();
    const ElfImage image{ByteView(bytes)};
    const auto pointers = image.pointers();
    ASSERT_EQ(pointers.size(), 1U);
    EXPECT_EQ(pointers[0].where, image.section(".data")->address + 8);
    EXPECT_EQ(pointers[0].target, image.section(".text")->address + 16);
    EXPECT_TRUE(image.is_executable(pointers[0].target));
}

TEST(Elf, RefusesHeadersThatLie) {
    const std::string good = extension().bytes();
    const auto with = [&](std::size_t at, const std::string& bytes) {
        std::string copy = good;
        copy.replace(at, bytes.size(), bytes);
        return copy;
    };
    const std::string huge(8, '\xff');
    EXPECT_THROW(ElfImage(ByteView(with(40, huge))), ReadError) << "section table outside";
    EXPECT_THROW(ElfImage(ByteView(with(32, huge))), ReadError) << "program headers outside";
    EXPECT_THROW(ElfImage(ByteView(with(60, "\xff\xfe"))), ReadError) << "too many sections";
    EXPECT_THROW(ElfImage(ByteView(with(58, std::string("\x01\x00", 2)))), ReadError)
        << "section headers of one byte";
    EXPECT_THROW(ElfImage(ByteView(with(4, "\x07"))), ReadError) << "class";
    EXPECT_THROW(ElfImage(ByteView(with(5, "\x07"))), ReadError) << "byte order";
    EXPECT_THROW(ElfImage(ByteView(std::string_view(good).substr(0, 30))), ReadError) << "cut off";
}

TEST(Elf, SurvivesEveryTruncation) {
    const std::string good = extension().bytes();
    for (std::size_t size = 0; size < good.size(); size += 7) {
        try {
            static_cast<void>(elf_facts(ElfImage(ByteView(std::string_view(good).substr(0, size))))
            );
        } catch (const ReadError&) {
            continue;
        }
    }
    SUCCEED();
}

TEST(Elf, SurvivesEveryFlippedByte) {
    const std::string good = extension().bytes();
    for (std::size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0xff);
        try {
            static_cast<void>(elf_facts(ElfImage(ByteView(bad))));
        } catch (const ReadError&) {
            continue;
        }
    }
    SUCCEED();
}

TEST(VersionLess, ComparesNumbers) {
    EXPECT_TRUE(wheelforge::wheel::version_less("2.9", "2.17"));
    EXPECT_FALSE(wheelforge::wheel::version_less("2.17", "2.9"));
    EXPECT_FALSE(wheelforge::wheel::version_less("2.17", "2.17"));
    EXPECT_TRUE(wheelforge::wheel::version_less("3.4", "3.4.1"));
}
