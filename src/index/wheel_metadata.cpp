// SPDX-License-Identifier: Apache-2.0
#include "index/wheel_metadata.hpp"

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "base/http_policy.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "index/hashes.hpp"
#include "index/page_source.hpp"
#include "index/wheel_tail.hpp"

namespace wheelforge::index {

namespace {

constexpr std::uint64_t tail_bytes = 64U << 10U;

/// Bytes of a remote file, and of which file: a server that answers a later range from another
/// version of the file is caught by its size or ETag.
class RangeReader {
public:
    RangeReader(HttpClient& client, std::string url) : client_(client), url_(std::move(url)) {}

    /// The last bytes of the file; nullopt if the server does not do ranges.
    std::optional<PartialFile> tail() {
        auto answer = ask("bytes=-" + std::to_string(tail_bytes), tail_bytes);
        if (!answer || answer->range.last + 1 != answer->range.total) {
            return std::nullopt;
        }
        size_ = answer->range.total;
        PartialFile file;
        file.size = size_;
        file.tail = std::move(answer->bytes);
        file.fetch = [this](std::uint64_t offset, std::uint64_t length) {
            return piece(offset, length);
        };
        return file;
    }

private:
    struct Answer {
        ContentRange range;
        std::string bytes;
    };

    std::optional<std::string> piece(std::uint64_t offset, std::uint64_t length) {
        if (length == 0) {
            return "";
        }
        const auto last = offset + length - 1;
        auto answer = ask("bytes=" + std::to_string(offset) + "-" + std::to_string(last), length);
        const bool agrees = answer && answer->range.first == offset && answer->range.last == last
                            && answer->range.total == size_;
        return agrees ? std::optional<std::string>(std::move(answer->bytes)) : std::nullopt;
    }

    /// nullopt unless the server answers 206 with a Content-Range that agrees with the body.
    std::optional<Answer> ask(const std::string& range, std::uint64_t length) {
        HttpRequest request;
        request.url = url_;
        request.headers["Range"] = range;
        if (etag_.starts_with('"')) {
            request.headers["If-Range"] = etag_;
        }
        request.max_bytes = length;
        request.wants_body = [](const HttpResponse& head) { return head.status == 206; };
        auto response = get(std::move(request));
        if (response.status == 401 || response.status == 403 || response.status >= 500) {
            throw error_of_status(response.status, url_);
        }
        const auto content_range = parse_content_range(response.headers["content-range"]);
        if (response.status != 206 || !content_range
            || content_range->last - content_range->first + 1 != response.body.size()) {
            return std::nullopt;
        }
        if (etag_.empty()) {
            etag_ = response.headers["etag"];
        }
        return Answer{*content_range, std::move(response.body)};
    }

    /// A body longer than the range that was asked for is one of the lies, not a failure.
    HttpResponse get(HttpRequest request) {
        try {
            return client_.get(std::move(request));
        } catch (const Error& error) {
            if (error.id() != "response-too-large") {
                throw;
            }
            return {};
        }
    }

    HttpClient& client_;
    std::string url_;
    std::string etag_;
    std::uint64_t size_ = 0;
};

/// "name-version" of "name-version-1-py3-none-any.whl".
std::string written_prefix(std::string_view filename) {
    const auto dash = filename.find('-');
    const auto end = dash == std::string_view::npos ? dash : filename.find('-', dash + 1);
    return std::string(filename.substr(0, end));
}

/// The sidecar file of PEP 658. A digest that does not agree is an attack or a broken index, and
/// either way nothing to go on with.
std::optional<std::string> fetch_sidecar(HttpClient& client, const DistributionFile& wheel) {
    HttpRequest request;
    request.url = wheel.url + ".metadata";
    if (const auto query = wheel.url.find('?'); query != std::string::npos) {
        request.url = wheel.url.substr(0, query) + ".metadata" + wheel.url.substr(query);
    }
    request.max_bytes = max_metadata_bytes;
    const auto response = client.get(std::move(request));
    if (response.status != 200) {
        log::info("no metadata beside " + printable(wheel.filename) + " although it is announced");
        return std::nullopt;
    }
    DigestCheck check(*wheel.metadata_hashes);
    check.update(response.body);
    if (const auto problem = check.finish(); !problem.empty()) {
        throw Error(
            ExitCode::refused,
            "hash-mismatch",
            "the " + problem + " (" + printable(wheel.filename) + ".metadata)"
        );
    }
    return response.body;
}

std::optional<std::string>
read_local(const std::filesystem::path& path, std::string_view filename) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) {
        return std::nullopt;
    }
    PartialFile file;
    file.size = static_cast<std::uint64_t>(std::max<std::streamoff>(in.tellg(), 0));
    file.fetch = [&in](std::uint64_t offset, std::uint64_t length) -> std::optional<std::string> {
        std::string bytes(length, '\0');
        in.seekg(static_cast<std::streamoff>(offset));
        in.read(bytes.data(), static_cast<std::streamsize>(length));
        return in ? std::optional<std::string>(std::move(bytes)) : std::nullopt;
    };
    const auto length = std::min(file.size, tail_bytes);
    file.tail = file.fetch(file.size - length, length).value_or("");
    return read_wheel_metadata(file, written_prefix(filename));
}

std::optional<std::string> fetch_by_ranges(HttpClient& client, const DistributionFile& wheel) {
    RangeReader reader(client, wheel.url);
    const auto file = reader.tail();
    return file ? read_wheel_metadata(*file, written_prefix(wheel.filename)) : std::nullopt;
}

}  // namespace

std::optional<std::string> fetch_wheel_metadata(
    HttpClient& client, const PageCache& cache, const DistributionFile& wheel, bool offline
) {
    if (const auto path = path_of_file_url(wheel.url)) {
        return read_local(*path, wheel.filename);
    }
    const auto hash = wheel.hashes.find("sha256");
    const auto key = hash == wheel.hashes.end() ? "" : wheel.url + "\n" + hash->second;
    if (auto known = key.empty() ? std::nullopt : cache.load_metadata(key); known || offline) {
        return known;
    }
    std::optional<std::string> metadata;
    if (wheel.metadata_hashes) {
        metadata = fetch_sidecar(client, wheel);
    }
    if (!metadata) {
        metadata = fetch_by_ranges(client, wheel);
    }
    if (metadata && !key.empty()) {
        cache.store_metadata(key, *metadata);
    }
    return metadata;
}

}  // namespace wheelforge::index
