// SPDX-License-Identifier: Apache-2.0
#include "base/tar_headers.hpp"

#include <charconv>

#include "base/archive_rules.hpp"

namespace wheelforge {
namespace {

constexpr std::size_t block = 512;

std::optional<std::size_t> octal_size(std::string_view field) {
    std::size_t size = 0;
    const auto start = field.find_first_not_of(' ');
    if (start == std::string_view::npos) {
        return std::nullopt;
    }
    field.remove_prefix(start);
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), size, 8);
    if (error != std::errc{}) {
        return std::nullopt;
    }
    return size;
}

struct PaxRecord {
    std::string_view key;
    std::string_view value;
};

/// Takes "LEN KEY=VALUE\n" off the front.
std::optional<PaxRecord> take_record(std::string_view& text) {
    std::size_t length = 0;
    const char* const begin = text.data();
    const auto [digits_end, error] = std::from_chars(begin, begin + text.size(), length);
    const auto digits = static_cast<std::size_t>(digits_end - begin);
    if (error != std::errc{} || length > text.size() || length < digits + 3 || text[digits] != ' '
        || text[length - 1] != '\n') {
        return std::nullopt;
    }
    const auto record = text.substr(digits + 1, length - digits - 2);
    const auto equals = record.find('=');
    if (equals == std::string_view::npos) {
        return std::nullopt;
    }
    text.remove_prefix(length);
    return PaxRecord{record.substr(0, equals), record.substr(equals + 1)};
}

std::optional<Error> refuse_pax(std::string_view text, bool global, std::string_view member) {
    while (!text.empty()) {
        const auto record = take_record(text);
        if (!record) {
            return member_refused("archive-damaged", member, "a malformed pax header");
        }
        const bool names = record->key == "path" || record->key == "linkpath";
        if (global && (names || record->key == "size")) {
            return member_refused("archive-name", member, "a global pax header that renames it");
        }
        if (names && record->value.find('\0') != std::string_view::npos) {
            return member_refused("archive-name", member, "a NUL byte in its name");
        }
        if (record->key.starts_with("GNU.sparse")) {
            return member_refused("archive-sparse", member, "holes (a sparse file)");
        }
    }
    return std::nullopt;
}

bool has_inner_nul(std::string_view text) {
    const auto nul = text.find('\0');
    return text.find_first_not_of('\0', nul == std::string_view::npos ? text.size() : nul)
           != std::string_view::npos;
}

std::optional<Error>
refuse_extension(char type, std::string_view content, std::string_view member) {
    if (type == 'x' || type == 'X' || type == 'g') {
        return refuse_pax(content, type == 'g', member);
    }
    if (has_inner_nul(content)) {
        return member_refused("archive-name", member, "a NUL byte in its name");
    }
    return std::nullopt;
}

}  // namespace

std::optional<Error> refuse_tar_headers(std::string_view area, std::string_view member) {
    constexpr std::size_t size_field = 124;
    constexpr std::size_t type_field = 156;
    while (area.size() >= block) {
        const char type = area[type_field];
        if (type == 'S') {
            return member_refused("archive-sparse", member, "holes (a sparse file)");
        }
        if (std::string_view("xXgLK").find(type) == std::string_view::npos) {
            return std::nullopt;
        }
        const auto size = octal_size(area.substr(size_field, 12));
        area.remove_prefix(block);
        if (!size || *size > area.size()) {
            return member_refused("archive-damaged", member, "a malformed extension header");
        }
        if (auto refusal = refuse_extension(type, area.substr(0, *size), member)) {
            return refusal;
        }
        const std::size_t padded = (*size + block - 1) / block * block;
        area.remove_prefix(std::min(padded, area.size()));
    }
    return std::nullopt;
}

}  // namespace wheelforge
