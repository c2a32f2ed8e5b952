// SPDX-License-Identifier: Apache-2.0
// Random bytes, and good texts with random changes, into every parser. What must hold: no crash, an
// offset inside the text, and what parses has a text that parses to itself. Most useful in a build
// with sanitizers.
#include "parsing.hpp"
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "pep/filename.hpp"
#include "pep/json_lines.hpp"
#include "pep/license.hpp"
#include "pep/metadata.hpp"
#include "pep/metadata_rules.hpp"
#include "pep/pyproject.hpp"

namespace wheelforge::pep {
namespace {

constexpr int rounds = 3000;

constexpr std::array<std::string_view, 12> seeds{
    "1!1.0a1.post2.dev3+ubuntu.1",
    ">=1.0, <2, ==1.*, ~=2.2, ===x",
    "python_version >= '3.8' and (extra == \"x\" or 'a' not in extras)",
    "Foo.Bar[a,b] (>=1.0,<2) ; os_name == 'posix'",
    "foo @ https://example.org/a-1.0.tar.gz#sha256=00 ; extra == 'x'",
    "foo_bar-1.0-1abc-py2.py3-none-any.manylinux_2_28_x86_64.whl",
    "python-dateutil-2.9.0.post0.tar.gz",
    "MIT AND (Apache-2.0 OR LicenseRef-x) OR GPL-2.0-only WITH Classpath-exception-2.0",
    "Metadata-Version: 2.4\nName: a\nVersion: 1\nRequires-Dist: b>=1\n c\n\nbody",
    "[build-system]\nrequires = ['a']\nbuild-backend = 'b.c:d'\nbackend-path = ['.']\n",
    "[project]\nname = 'a'\n[dependency-groups]\ng = ['a', {include-group = 'g'}]\n",
    "os_name == '\\x41\\u0042\\103\\N' or \"\\U00000041\" in os_name",
};

class Noise {
public:
    std::string bytes() {
        std::string text(random_() % 60, '\0');
        for (char& byte : text) {
            byte = any_byte();
        }
        return text;
    }

    std::string changed_seed() {
        std::string text(seeds.at(random_() % seeds.size()));
        for (std::size_t changes = 1 + random_() % 4; changes > 0 && !text.empty(); --changes) {
            const std::size_t place = random_() % text.size();
            const auto kind = random_() % 3;
            if (kind == 0) {
                text[place] = likely_byte();
            } else if (kind == 1) {
                text.insert(place, 1, likely_byte());
            } else {
                text.erase(place, 1 + random_() % 5);
            }
        }
        return text;
    }

private:
    char any_byte() { return static_cast<char>(static_cast<unsigned char>(random_() % 256)); }

    char likely_byte() {
        constexpr std::string_view likely = " \t\n\0.*+-_!=<>~()[]{};,@'\"\\#:/019avx\xC3\xA9\xFF";
        return random_() % 4 == 0 ? any_byte() : likely[random_() % likely.size()];
    }

    /// The same noise at every run, unless WHEELFORGE_SEED asks for other noise.
    static std::mt19937::result_type seed() {
        const char* given = std::getenv("WHEELFORGE_SEED");
        return given == nullptr ? 20261121U : static_cast<std::uint32_t>(std::stoul(given));
    }

    std::mt19937 random_{seed()};
};

void for_each_noise(const std::function<void(const std::string&)>& check) {
    Noise noise;
    for (int i = 0; i < rounds; ++i) {
        check(noise.bytes());
        check(noise.changed_seed());
    }
    for (const std::string_view seed : seeds) {
        for (std::size_t end = 0; end <= seed.size(); ++end) {
            check(std::string(seed.substr(0, end)));
        }
    }
}

template <typename T>
void expect_sound(const Parsed<T>& result, const std::string& text) {
    if (!result) {
        EXPECT_LE(result.error().offset, text.size()) << testing::PrintToString(text);
        EXPECT_FALSE(result.error().message.empty());
    }
}

template <typename T>
void expect_round_trip(const std::string& text) {
    const auto result = T::parse(text);
    expect_sound(result, text);
    if (result) {
        const auto again = T::parse(result->text());
        ASSERT_TRUE(again) << testing::PrintToString(text) << " became " << result->text();
        EXPECT_EQ(again->text(), result->text());
    }
}

TEST(Robustness, Versions) {
    for_each_noise(expect_round_trip<Version>);
}

TEST(Robustness, Specifiers) {
    for_each_noise(expect_round_trip<Specifier>);
    for_each_noise(expect_round_trip<SpecifierSet>);
}

TEST(Robustness, Markers) {
    // No round trip: like the reference, text() writes values as they are, backslashes included.
    for_each_noise([](const std::string& text) { expect_sound(Marker::parse(text), text); });
}

TEST(Robustness, Requirements) {
    for_each_noise([](const std::string& text) { expect_sound(Requirement::parse(text), text); });
}

TEST(Robustness, FileNamesAndTags) {
    for_each_noise([](const std::string& text) {
        expect_sound(WheelFilename::parse(text), text);
        expect_sound(WheelFilename::parse(text + ".whl"), text + ".whl");
        expect_sound(SdistFilename::parse(text, "foo"), text);
        expect_sound(SdistFilename::parse(text + ".zip", ""), text + ".zip");
        expect_sound(parse_tag_set(text), text);
    });
}

TEST(Robustness, LicenceExpressions) {
    for_each_noise([](const std::string& text) {
        const auto result = LicenseExpression::parse(text);
        expect_sound(result, text);
        if (result) {
            EXPECT_EQ(LicenseExpression::parse(result->text).value().text, result->text);
        }
    });
}

TEST(Robustness, MetadataAndPyproject) {
    for_each_noise([](const std::string& text) {
        const auto metadata = Metadata::parse(text);
        expect_sound(metadata, text);
        if (metadata) {
            static_cast<void>(check_metadata(*metadata));
        }
        const auto pyproject = Pyproject::parse(text);
        expect_sound(pyproject, text);
        if (pyproject) {
            static_cast<void>(pyproject->dependency_groups.resolve("g"));
        }
    });
}

TEST(Robustness, JsonLines) {
    constexpr std::array<std::string_view, 8> fields{
        "version",
        "specifier",
        "marker",
        "requirement",
        "filename",
        "tag",
        "expression",
        "pyproject",
    };
    const std::vector<std::string_view> kinds = json_line_kinds();
    ASSERT_EQ(kinds.size(), fields.size());
    std::size_t turn = 0;
    for_each_noise([&](const std::string& text) {
        const std::size_t kind = turn++ % kinds.size();
        const Json question{{std::string(fields.at(kind)), text}, {"environment", Json::object()}};
        for (const std::string& line : {text, dump_json_line(question)}) {
            EXPECT_TRUE(answer_json_line(kinds.at(kind), line).starts_with("{\"ok\":"));
        }
    });
}

TEST(Robustness, LongInputsTakeLinearTime) {
    const std::size_t many = 30'000;
    const auto repeated = [&](std::string_view part) {
        std::string text;
        for (std::size_t i = 0; i < many; ++i) {
            text += part;
        }
        return text;
    };
    EXPECT_TRUE(Version::parse("1" + repeated(".1")));
    EXPECT_TRUE(Requirement::parse("a " + repeated(">=1,")));
    EXPECT_FALSE(Version::parse(std::string(many, ' ')));
    EXPECT_TRUE(SpecifierSet::parse(repeated(">=1,")));
    EXPECT_FALSE(Requirement::parse("a" + repeated("-")));
    EXPECT_TRUE(Requirement::parse("a[" + repeated("b,") + "b]"));
    EXPECT_TRUE(Marker::parse("os_name=='a'" + repeated(" or os_name=='a'")));
    EXPECT_FALSE(SdistFilename::parse(repeated("-") + ".zip", "a"));
    EXPECT_TRUE(LicenseExpression::parse("MIT" + repeated(" OR MIT")));
}

}  // namespace
}  // namespace wheelforge::pep
