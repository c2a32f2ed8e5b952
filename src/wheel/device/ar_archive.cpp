// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/ar_archive.hpp"

#include <charconv>

#include "base/text.hpp"
#include "wheel/device/code_object.hpp"
#include "wheel/device/cubin.hpp"
#include "wheel/device/host_code.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::string_view ar_magic = "!<arch>\n";
constexpr std::uint64_t ar_header_size = 60;

std::uint64_t decimal(std::string_view field) {
    field = trim(field);
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(field.data(), field.data() + field.size(), value);
    if (field.empty() || parsed.ec != std::errc()) {
        throw ReadError("archive member with a broken header");
    }
    return value;
}

/// "/123" refers to the table of long names; other names end with '/'.
std::string member_name(std::string_view field, std::string_view long_names) {
    if (field.size() > 1 && field[0] == '/' && field[1] >= '0' && field[1] <= '9') {
        const std::uint64_t at = decimal(field.substr(1));
        const std::string_view rest = at < long_names.size() ? long_names.substr(at) : "";
        return std::string(rest.substr(0, rest.find_first_of("/\n")));
    }
    return std::string(field.substr(0, field.find('/')));
}

}  // namespace

bool is_ar_archive(ByteView bytes) noexcept {
    return bytes.has(ar_magic);
}

std::vector<std::pair<std::string, ByteView>> ar_members(ByteView bytes) {
    std::vector<std::pair<std::string, ByteView>> members;
    std::string_view long_names;
    std::uint64_t at = ar_magic.size();
    while (at + ar_header_size <= bytes.size()) {
        const std::string_view header = bytes.sub(at, ar_header_size).text();
        const std::uint64_t size = decimal(header.substr(48, 10));
        const std::string_view name = trim(header.substr(0, 16));
        const ByteView content = bytes.sub(at + ar_header_size, size);
        if (name == "//") {
            long_names = content.text();
        } else if (name != "/" && name != "/SYM64/") {
            members.emplace_back(member_name(name, long_names), content);
        }
        at += ar_header_size + size + size % 2;
    }
    return members;
}

void read_ar_archive(ByteView bytes, DeviceCollector& out) {
    for (const auto& [name, content] : ar_members(bytes)) {
        out.inside(name, [&, &member = content] {
            out.budget().spend_objects();
            if (is_code_object(member)) {
                read_code_object(member, {"code-object", "static library", "", member.size()}, out);
            } else if (is_cubin(member)) {
                read_cubin(member, {"cubin", "static library", "", member.size()}, out);
            } else if (ElfImage::is_elf(member)) {
                read_host_code(ElfImage(member), out);
            }
        });
    }
}

}  // namespace wheelforge::wheel
