// SPDX-License-Identifier: Apache-2.0
#include "base/zip_end.hpp"

#include <string>

#include "base/error.hpp"
#include "base/zip_format.hpp"

namespace wheelforge {
namespace {

using namespace zip_format;

Error refuse(const char* id, std::string what) {
    return {ExitCode::refused, id, "the zip file " + std::move(what)};
}

/// Where the one end record stands whose comment reaches exactly to the end of the file.
std::size_t find_end(std::string_view file) {
    if (file.size() < end_size) {
        throw refuse("zip-damaged", "is too short to be one");
    }
    const std::size_t last = file.size() - end_size;
    const std::size_t first = last > full16 ? last - full16 : 0;
    std::size_t found = 0;
    std::size_t position = 0;
    bool seen = false;
    for (std::size_t at = file.find("PK\5\6", first); at <= last;
         at = file.find("PK\5\6", at + 1)) {
        seen = true;
        if (at + end_size + load<std::uint16_t>(file, at + 20) == file.size()) {
            position = at;
            ++found;
        }
    }
    if (found > 1) {
        throw refuse("zip-two-ends", "has two ends of central directory");
    }
    if (found == 0 && seen) {
        throw refuse("zip-trailing", "goes on after its end");
    }
    if (found == 0) {
        throw refuse(
            "zip-damaged", "has no end of central directory: it is cut off or no zip file"
        );
    }
    return position;
}

struct End64 {
    ZipEnd end;
    std::size_t position;
};

End64 read_end64(std::string_view file, std::size_t locator) {
    const auto position = load<std::uint64_t>(file, locator + 8);
    if (load<std::uint32_t>(file, locator + 4) != 0
        || load<std::uint32_t>(file, locator + 16) > 1) {
        throw refuse("zip-damaged", "claims to be split over several disks");
    }
    if (locator < end64_size || position > locator - end64_size
        || load<std::uint32_t>(file, position) != end64_signature
        || load<std::uint64_t>(file, position + 4) != locator - position - 12) {
        throw refuse("zip-damaged", "has a zip64 locator that points at no zip64 end record");
    }
    const auto entries = load<std::uint64_t>(file, position + 32);
    if (load<std::uint32_t>(file, position + 16) != 0
        || load<std::uint32_t>(file, position + 20) != 0
        || load<std::uint64_t>(file, position + 24) != entries) {
        throw refuse("zip-damaged", "claims to be split over several disks");
    }
    return {
        {entries, load<std::uint64_t>(file, position + 40), load<std::uint64_t>(file, position + 48)
        },
        position
    };
}

/// A field of the short record either agrees with zip64's or says that it is too small.
void check_agreement(const ZipEnd& shorter, const ZipEnd& longer) {
    const auto agree = [](std::uint64_t value, std::uint64_t wide, std::uint64_t full) {
        return value == wide || value == full;
    };
    if (!agree(shorter.entries, longer.entries, full16)
        || !agree(shorter.directory_size, longer.directory_size, full32)
        || !agree(shorter.directory_offset, longer.directory_offset, full32)) {
        throw refuse("zip-two-ends", "has a zip64 end record that contradicts its end record");
    }
}

}  // namespace

ZipEnd read_zip_end(std::string_view file) {
    const std::size_t position = find_end(file);
    ZipEnd end{
        load<std::uint16_t>(file, position + 10),
        load<std::uint32_t>(file, position + 12),
        load<std::uint32_t>(file, position + 16)
    };
    if (load<std::uint16_t>(file, position + 4) != 0 || load<std::uint16_t>(file, position + 6) != 0
        || load<std::uint16_t>(file, position + 8) != end.entries) {
        throw refuse("zip-damaged", "claims to be split over several disks");
    }
    std::uint64_t directory_end = position;
    if (position >= locator64_size
        && load<std::uint32_t>(file, position - locator64_size) == locator64_signature) {
        const End64 wide = read_end64(file, position - locator64_size);
        check_agreement(end, wide.end);
        end = wide.end;
        directory_end = wide.position;
    }
    if (end.directory_size > directory_end
        || end.directory_offset != directory_end - end.directory_size) {
        throw refuse("zip-damaged", "has no central directory where its end record says");
    }
    return end;
}

}  // namespace wheelforge
