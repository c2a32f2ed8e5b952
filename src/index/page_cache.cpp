// SPDX-License-Identifier: Apache-2.0
#include "index/page_cache.hpp"

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/log.hpp"

namespace wheelforge::index {

namespace {

constexpr int format = 1;
constexpr std::uint64_t max_cache_file = 256ULL << 20U;
/// METADATA is at most 16 MiB when it is fetched; and the line with its digest.
constexpr std::uint64_t max_metadata_file = (16ULL << 20U) + 128;

Json digests_to_json(const std::map<std::string, std::string>& digests) {
    Json object = Json::object();
    for (const auto& [algorithm, digest] : digests) {
        object[algorithm] = digest;
    }
    return object;
}

void put(Json& object, const char* key, const std::optional<std::string>& value) {
    if (value) {
        object[key] = *value;
    }
}

/// Keys of one letter: a page of a large project has ten thousand files.
Json link_to_json(const Link& link) {
    Json object = Json::object();
    object["u"] = link.url;
    if (link.text != filename_in(link.url)) {
        object["t"] = link.text;
    }
    if (link.is_named) {
        object["n"] = true;
    }
    object["h"] = digests_to_json(link.hashes);
    put(object, "r", link.requires_python);
    put(object, "y", link.yanked);
    put(object, "d", link.upload_time);
    if (link.size) {
        object["s"] = *link.size;
    }
    if (link.metadata_hashes) {
        object["m"] = digests_to_json(*link.metadata_hashes);
    }
    return object;
}

std::optional<std::string> get(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? std::nullopt
                                 : std::optional<std::string>(found->get<std::string>());
}

std::map<std::string, std::string> digests_from_json(const Json& object) {
    std::map<std::string, std::string> digests;
    for (const auto& [algorithm, digest] : object.items()) {
        digests.emplace(algorithm, digest.get<std::string>());
    }
    return digests;
}

Link link_from_json(const Json& object) {
    Link link;
    link.url = object.at("u").get<std::string>();
    link.text = get(object, "t").value_or(filename_in(link.url));
    link.is_named = object.contains("n");
    link.hashes = digests_from_json(object.at("h"));
    link.requires_python = get(object, "r");
    link.yanked = get(object, "y");
    link.upload_time = get(object, "d");
    if (object.contains("s")) {
        link.size = object.at("s").get<std::uint64_t>();
    }
    if (object.contains("m")) {
        link.metadata_hashes = digests_from_json(object.at("m"));
    }
    return link;
}

CachedPage page_from_json(const Json& root) {
    CachedPage cached;
    cached.known = root.at("known").get<bool>();
    cached.fetched = root.at("fetched").get<std::int64_t>();
    cached.etag = root.at("etag").get<std::string>();
    cached.page.url = root.at("url").get<std::string>();
    cached.page.status = root.at("status").get<std::string>();
    cached.page.status_reason = root.at("status_reason").get<std::string>();
    for (const auto& file : root.at("files")) {
        cached.page.links.push_back(link_from_json(file));
    }
    return cached;
}

}  // namespace

std::string serialize_page(std::string_view page_url, const CachedPage& cached) {
    Json root = Json::object();
    root["format"] = format;
    root["asked"] = page_url;
    root["known"] = cached.known;
    root["fetched"] = cached.fetched;
    root["etag"] = cached.etag;
    root["url"] = cached.page.url;
    root["status"] = cached.page.status;
    root["status_reason"] = cached.page.status_reason;
    root["files"] = Json::array();
    for (const auto& link : cached.page.links) {
        root["files"].push_back(link_to_json(link));
    }
    return dump_json_line(root) + "\n";
}

std::optional<CachedPage> deserialize_page(std::string_view page_url, std::string_view text) {
    const auto root = parse_json(text);
    if (!root) {
        return std::nullopt;
    }
    try {
        if (root->at("format") != format || root->at("asked") != page_url) {
            return std::nullopt;
        }
        return page_from_json(*root);
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

std::filesystem::path PageCache::path_of(std::string_view key, const char* ending) const {
    return folder_ / (sha256(key) + ending);
}

std::optional<CachedPage> PageCache::load(std::string_view page_url) const {
    if (folder_.empty()) {
        return std::nullopt;
    }
    try {
        const auto text = read_file_if_there(path_of(page_url, ".json"), max_cache_file);
        return text ? deserialize_page(page_url, *text) : std::nullopt;
    } catch (const Error& error) {
        log::debug(error.render());
        return std::nullopt;
    }
}

void PageCache::write(const std::filesystem::path& path, std::string_view content) const {
    if (folder_.empty()) {
        return;
    }
    try {
        write_file(path, content);
    } catch (const Error& error) {
        log::info(error.render());
    }
}

void PageCache::store(std::string_view page_url, const CachedPage& page) const {
    write(path_of(page_url, ".json"), serialize_page(page_url, page));
}

std::optional<std::string> PageCache::load_metadata(std::string_view key) const {
    if (folder_.empty()) {
        return std::nullopt;
    }
    try {
        auto text = read_file_if_there(path_of(key, ".metadata"), max_metadata_file);
        if (!text || text->size() < 65) {
            return std::nullopt;
        }
        auto metadata = text->substr(65);
        const bool is_whole = std::string_view(*text).substr(0, 64) == sha256(metadata);
        return is_whole ? std::optional<std::string>(std::move(metadata)) : std::nullopt;
    } catch (const Error& error) {
        log::debug(error.render());
        return std::nullopt;
    }
}

void PageCache::store_metadata(std::string_view key, std::string_view metadata) const {
    write(path_of(key, ".metadata"), (sha256(metadata) + "\n").append(metadata));
}

}  // namespace wheelforge::index
