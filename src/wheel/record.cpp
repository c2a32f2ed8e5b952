// SPDX-License-Identifier: Apache-2.0
// RECORD: rows of CSV as Python's csv module writes and reads them (PEP 376).
#include "base/hash.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::wheel {
namespace {

/// Takes one field off the front of `text`, which stands at a field's first character.
std::string take_field(std::string_view& text) {
    std::string field;
    if (!text.starts_with('"')) {
        const auto end = std::min(text.find_first_of(",\r\n"), text.size());
        field = text.substr(0, end);
        text.remove_prefix(end);
        return field;
    }
    text.remove_prefix(1);
    while (!text.empty()) {
        const auto quote = std::min(text.find('"'), text.size());
        field += text.substr(0, quote);
        text.remove_prefix(std::min(quote + 1, text.size()));
        if (!text.starts_with('"')) {
            break;
        }
        field += '"';
        text.remove_prefix(1);
    }
    const auto end = std::min(text.find_first_of(",\r\n"), text.size());
    field += text.substr(0, end);
    text.remove_prefix(end);
    return field;
}

std::vector<std::string> take_row(std::string_view& text) {
    std::vector<std::string> row{take_field(text)};
    while (text.starts_with(',')) {
        text.remove_prefix(1);
        row.push_back(take_field(text));
    }
    while (text.starts_with('\r') || text.starts_with('\n')) {
        text.remove_prefix(1);
    }
    return row;
}

RecordEntry entry_of(std::vector<std::string> row) {
    row.resize(std::max<std::size_t>(row.size(), 3));
    RecordEntry entry{std::move(row[0]), "", "", std::move(row[2])};
    if (const auto equals = row[1].find('='); equals != std::string::npos) {
        entry.algorithm = row[1].substr(0, equals);
        entry.digest = row[1].substr(equals + 1);
        entry.digest.resize(entry.digest.find_last_not_of('=') + 1);
    } else {
        entry.digest = row[1];
    }
    return entry;
}

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        return std::string(text);
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        if (c == '"') {
            quoted += c;
        }
    }
    return quoted + '"';
}

}  // namespace

std::vector<RecordEntry> parse_record(std::string_view text) {
    std::vector<RecordEntry> entries;
    while (!text.empty()) {
        RecordEntry entry = entry_of(take_row(text));
        if (!entry.path.empty()) {
            entries.push_back(std::move(entry));
        }
    }
    return entries;
}

std::string unhashed_record_line(std::string_view path) {
    return csv_field(path) + ",,\n";
}

std::string record_line(std::string_view path, std::string_view hex_sha256, std::uint64_t size) {
    return csv_field(path) + ",sha256=" + hex_to_base64url(hex_sha256) + ',' + std::to_string(size)
           + '\n';
}

}  // namespace wheelforge::wheel
