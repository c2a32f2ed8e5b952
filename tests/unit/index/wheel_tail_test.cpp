// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/zip.hpp"
#include "index/wheel_tail.hpp"

namespace wheelforge::index {
namespace {

const std::string metadata = "Metadata-Version: 2.1\nName: click\n" + std::string(500, 'x') + "\n";

class WheelTail : public testing::Test {
protected:
    TempDir folder{testing::TempDir(), "tail-"};
    int fetches = 0;

    using Members = std::vector<std::pair<std::string, std::string>>;
    std::string zip(const Members& members) {
        const auto path = folder.path() / "x.whl";
        ZipWriter writer(path);
        for (const auto& [name, content] : members) {
            writer.add(name, content);
        }
        writer.commit();
        return read_file(path);
    }
    /// Incompressible, so that the members really lie far apart.
    static std::string noise(std::size_t size) {
        std::string bytes;
        std::uint64_t state = 1;
        while (bytes.size() < size) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            bytes.push_back(static_cast<char>(state >> 56U));
        }
        return bytes;
    }
    std::optional<std::string> read(const std::string& bytes, std::size_t tail) {
        fetches = 0;
        PartialFile file;
        file.size = bytes.size();
        file.tail = bytes.substr(bytes.size() - std::min(tail, bytes.size()));
        file.fetch = [&](std::uint64_t offset, std::uint64_t length) -> std::optional<std::string> {
            ++fetches;
            EXPECT_LE(offset + length, bytes.size());
            return bytes.substr(offset, length);
        };
        return read_wheel_metadata(file, "click-8.1.7");
    }
};

TEST_F(WheelTail, IsEnoughWhereMetadataIsNearTheEnd) {
    const auto bytes =
        zip({{"click/a.py", noise(5000)}, {"click-8.1.7.dist-info/METADATA", metadata}});
    EXPECT_EQ(read(bytes, 2000), metadata);
    EXPECT_EQ(fetches, 0);
}

TEST_F(WheelTail, AsksForWhatLiesElsewhere) {
    const auto bytes = zip(
        {{"click-8.1.7.dist-info/METADATA", metadata},
         {"click/a.py", noise(5000)},
         {"b", noise(5000)}}
    );
    EXPECT_EQ(read(bytes, 2000), metadata);
    EXPECT_EQ(fetches, 1);
    EXPECT_EQ(read(bytes, 22), metadata);  // not even the central directory
    EXPECT_EQ(fetches, 2);
    EXPECT_EQ(read(bytes, 1U << 20U), metadata);
    EXPECT_EQ(fetches, 0);
}

TEST_F(WheelTail, ComparesTheFolderNormalised) {
    EXPECT_EQ(read(zip({{"Click-8.1.7.dist-info/METADATA", metadata}}), 4096), metadata);
    EXPECT_FALSE(read(zip({{"other-8.1.7.dist-info/METADATA", metadata}}), 4096));
    EXPECT_FALSE(read(zip({{"x/click-8.1.7.dist-info/METADATA", metadata}}), 4096));
    EXPECT_FALSE(read(zip({{"click-8.1.7.dist-info/RECORD", metadata}}), 4096));
}

TEST_F(WheelTail, KnowsNothingOfTwoMetadata) {
    const auto bytes = zip(
        {{"click-8.1.7.dist-info/METADATA", metadata}, {"Click-8.1.7.dist-info/METADATA", metadata}}
    );
    EXPECT_FALSE(read(bytes, 4096));
}

TEST_F(WheelTail, ReadsStoredMembers) {
    const auto bytes = zip({{"click-8.1.7.dist-info/METADATA", "tiny"}});
    EXPECT_EQ(read(bytes, 4096), "tiny");
}

TEST_F(WheelTail, SurvivesEveryCut) {
    const auto bytes = zip({{"a", noise(300)}, {"click-8.1.7.dist-info/METADATA", metadata}});
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        EXPECT_FALSE(read(bytes.substr(0, length), 200)) << length;
    }
}

TEST_F(WheelTail, SurvivesEveryFlippedByte) {
    const auto bytes = zip({{"a", noise(50)}, {"click-8.1.7.dist-info/METADATA", metadata}});
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (const int flip : {0x01, 0x80, 0xff}) {
            auto changed = bytes;
            changed[at] = static_cast<char>(changed[at] ^ flip);
            const auto result = read(changed, 120);
            EXPECT_TRUE(!result || result == metadata) << at;
        }
    }
}

TEST_F(WheelTail, DoesNotInflateBombs) {
    const std::string bomb(static_cast<std::size_t>(max_metadata_bytes) + 1, 'x');
    EXPECT_FALSE(read(zip({{"click-8.1.7.dist-info/METADATA", bomb}}), 1U << 20U));
}

TEST_F(WheelTail, GivesUpWhereNothingCanBeFetched) {
    const auto bytes = zip({{"click-8.1.7.dist-info/METADATA", metadata}, {"b", noise(5000)}});
    PartialFile file;
    file.size = bytes.size();
    file.tail = bytes.substr(bytes.size() - 1000);
    file.fetch = [](std::uint64_t, std::uint64_t) { return std::nullopt; };
    EXPECT_FALSE(read_wheel_metadata(file, "click-8.1.7"));
    file.fetch = [](std::uint64_t, std::uint64_t) { return std::string("less"); };
    EXPECT_FALSE(read_wheel_metadata(file, "click-8.1.7"));
}

/// 8 bytes, little-endian.
std::string wide(std::uint64_t value) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) {
        bytes.push_back(static_cast<char>(value >> (8U * static_cast<unsigned>(i))));
    }
    return bytes;
}

TEST_F(WheelTail, ReadsZip64) {
    // The end of an ordinary zip rewritten as zip64: the sizes and offsets move to the wide
    // records.
    const auto bytes = zip({{"a", noise(300)}, {"click-8.1.7.dist-info/METADATA", metadata}});
    const auto end = bytes.size() - 22;
    const auto field = [&](std::size_t at) {
        std::uint64_t value = 0;
        for (std::size_t i = 4; i-- > 0;) {
            value = value << 8U | static_cast<unsigned char>(bytes[end + at + i]);
        }
        return value;
    };
    const std::string end64 = std::string("PK\6\6", 4) + wide(44) + std::string("\x2d\0\x2d\0", 4)
                              + std::string(8, '\0') + wide(2) + wide(2) + wide(field(12))
                              + wide(field(16));
    const std::string locator =
        std::string("PK\6\7\0\0\0\0", 8) + wide(end) + std::string("\1\0\0\0", 4);
    auto old_end = bytes.substr(end);
    old_end.replace(8, 12, std::string(12, '\xff'));
    const auto wide_zip = bytes.substr(0, end) + end64 + locator + old_end;
    EXPECT_EQ(read(wide_zip, 4096), metadata);
    EXPECT_EQ(read(wide_zip, 22), metadata);
    EXPECT_FALSE(read(bytes.substr(0, end) + old_end, 4096));
    for (std::size_t at = end; at < wide_zip.size(); ++at) {
        auto changed = wide_zip;
        changed[at] = static_cast<char>(changed[at] ^ 0xff);
        const auto result = read(changed, 22);
        EXPECT_TRUE(!result || result == metadata) << at;
    }
}

}  // namespace
}  // namespace wheelforge::index
