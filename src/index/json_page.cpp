// SPDX-License-Identifier: Apache-2.0
// PEP 691 pages. A field of the wrong type is a broken page, not a missing field: what an index
// says about a file is either understood or refused.
#include <nlohmann/json.hpp>

#include "base/http.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "index/link.hpp"

namespace wheelforge::index {

namespace {

class Reader {
public:
    explicit Reader(std::string_view page_url) { page_.url = page_url; }
    RawPage read(std::string_view body);

private:
    [[nodiscard]] const Json* find(const Json& object, const char* key) const;
    [[nodiscard]] std::optional<std::string> text(const Json& object, const char* key) const;
    [[nodiscard]] std::map<std::string, std::string>
    digests(const Json& object, const char* key) const;
    void take_status(const Json& root);
    void take_file(const Json& file);
    void take_yanked(Link& link, const Json& file) const;
    void take_metadata(Link& link, const Json& file) const;
    [[noreturn]] void wrong_type(const char* key) const;

    RawPage page_;
};

void Reader::wrong_type(const char* key) const {
    throw_bad_page(page_.url, "'" + std::string(key) + "' has a value of the wrong type");
}

/// nullptr if absent or null.
const Json* Reader::find(const Json& object, const char* key) const {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::string> Reader::text(const Json& object, const char* key) const {
    const Json* value = find(object, key);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_string()) {
        wrong_type(key);
    }
    return value->get<std::string>();
}

std::map<std::string, std::string> Reader::digests(const Json& object, const char* key) const {
    std::map<std::string, std::string> result;
    const Json* value = find(object, key);
    if (value == nullptr) {
        return result;
    }
    if (!value->is_object()) {
        wrong_type(key);
    }
    for (const auto& [algorithm, digest] : value->items()) {
        if (!digest.is_string()) {
            wrong_type(key);
        }
        result.emplace(to_lower(algorithm), to_lower(digest.get<std::string>()));
    }
    return result;
}

RawPage Reader::read(std::string_view body) {
    if (page_.url.size() > max_base) {
        throw_bad_page(page_.url.substr(0, max_base), "its URL is too long");
    }
    const auto root = parse_json(body);
    if (!root) {
        throw_bad_page(
            page_.url, root.error().message + " at byte " + std::to_string(root.error().offset)
        );
    }
    if (!root->is_object()) {
        wrong_type("the page");
    }
    if (const Json* meta = find(*root, "meta")) {
        if (!meta->is_object()) {
            wrong_type("meta");
        }
        check_api_version(page_.url, text(*meta, "api-version").value_or(""));
    }
    take_status(*root);
    const Json* files = find(*root, "files");
    if (files == nullptr || !files->is_array()) {
        wrong_type("files");
    }
    for (const auto& file : *files) {
        take_file(file);
    }
    return std::move(page_);
}

void Reader::take_status(const Json& root) {
    const Json* status = find(root, "project-status");
    if (status == nullptr) {
        return;
    }
    if (!status->is_object()) {
        wrong_type("project-status");
    }
    page_.status = text(*status, "status").value_or("");
    page_.status_reason = text(*status, "reason").value_or("");
}

void Reader::take_file(const Json& file) {
    if (!file.is_object()) {
        wrong_type("files");
    }
    if (page_.links.size() >= max_links) {
        throw_bad_page(page_.url, "it lists more than 200000 files");
    }
    Link link;
    const auto url = text(file, "url");
    const auto name = text(file, "filename");
    if (!url || !name) {
        throw_bad_page(page_.url, "a file has no 'url' or no 'filename'");
    }
    set_location(link, page_.url, *url);
    link.text = *name;
    link.is_named = true;
    link.hashes = digests(file, "hashes");
    link.requires_python = text(file, "requires-python");
    link.upload_time = text(file, "upload-time");
    if (const Json* size = find(file, "size")) {
        if (!size->is_number_unsigned()) {
            wrong_type("size");
        }
        link.size = size->get<std::uint64_t>();
    }
    take_yanked(link, file);
    take_metadata(link, file);
    page_.links.push_back(std::move(link));
}

void Reader::take_yanked(Link& link, const Json& file) const {
    const Json* yanked = find(file, "yanked");
    if (yanked == nullptr) {
        return;
    }
    if (yanked->is_boolean()) {
        link.yanked = *yanked ? std::optional<std::string>("") : std::nullopt;
    } else if (yanked->is_string()) {
        link.yanked = yanked->get<std::string>();
    } else {
        wrong_type("yanked");
    }
}

void Reader::take_metadata(Link& link, const Json& file) const {
    // PEP 714: the first that is there counts.
    for (const char* key : {"core-metadata", "dist-info-metadata", "data-dist-info-metadata"}) {
        const Json* value = find(file, key);
        if (value == nullptr) {
            continue;
        }
        if (value->is_object()) {
            link.metadata_hashes = digests(file, key);
        } else if (!value->is_boolean()) {
            wrong_type(key);
        } else if (value->get<bool>()) {
            link.metadata_hashes.emplace();
        }
        return;
    }
}

}  // namespace

RawPage read_json_page(std::string_view page_url, std::string_view body) {
    return Reader(page_url).read(body);
}

}  // namespace wheelforge::index
