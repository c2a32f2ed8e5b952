// SPDX-License-Identifier: Apache-2.0
#include "store/entry.hpp"

#include <algorithm>
#include <system_error>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"

namespace wheelforge::store {

namespace {

constexpr const char* format_name = "wheelforge entry 1";
constexpr std::uint64_t entry_limit = 1U << 20U;

std::string text_field(const Json& object, const char* name) {
    auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Parsed<Entry> entry_from(const Json& object, const fs::path& folder) {
    if (!object.is_object() || text_field(object, "format") != format_name) {
        return parse_error("it is not a " + std::string(format_name));
    }
    Entry entry;
    entry.key = text_field(object, "key");
    entry.name = text_field(object, "name");
    entry.version = text_field(object, "version");
    entry.filename = text_field(object, "filename");
    entry.sha256 = text_field(object, "sha256");
    entry.payload = text_field(object, "payload");
    if (entry.key != folder.filename().string()) {
        return parse_error("it was written for another key");
    }
    if (!is_plain_name(entry.filename) || entry.name.empty() || entry.sha256.empty()) {
        return parse_error("a field of it is missing");
    }
    entry.wheel = folder / entry.filename;
    entry.record = folder / record_file;
    entry.sbom = folder / sbom_file;
    return entry;
}

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(fs::symlink_status(path, ignored));
}

}  // namespace

bool is_plain_name(std::string_view name) noexcept {
    auto plain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
               || std::string_view("._+-!").find(c) != std::string_view::npos;
    };
    return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), plain);
}

std::string entry_json(const Entry& entry) {
    Json object;
    object["format"] = format_name;
    object["key"] = entry.key;
    object["name"] = entry.name;
    object["version"] = entry.version;
    object["filename"] = entry.filename;
    object["sha256"] = entry.sha256;
    object["payload"] = entry.payload;
    return dump_json(object);
}

Parsed<Entry> read_entry_facts(const fs::path& folder) {
    auto text = read_file_if_there(folder / entry_file, entry_limit);
    if (!text) {
        return parse_error("it has no entry.json");
    }
    auto json = parse_json(*text);
    if (!json) {
        return tl::unexpected<ParseError>(json.error());
    }
    return entry_from(*json, folder);
}

Parsed<Entry> read_entry(const fs::path& folder) {
    auto entry = read_entry_facts(folder);
    if (!entry) {
        return entry;
    }
    if (!is_file(entry->wheel) || !is_file(entry->record) || !is_file(entry->sbom)) {
        return parse_error("a file of it is missing");
    }
    if (sha256_file(entry->wheel) != entry->sha256) {
        return parse_error("the wheel has other bytes than when it was published");
    }
    return entry;
}

}  // namespace wheelforge::store
