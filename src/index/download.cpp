// SPDX-License-Identifier: Apache-2.0
#include "index/download.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/http_policy.hpp"
#include "base/text.hpp"
#include "index/hashes.hpp"
#include "index/page_source.hpp"

namespace wheelforge::index {

namespace {

constexpr std::uint64_t max_download_bytes = 32ULL << 30U;
constexpr std::string_view incoming_prefix = ".incoming-";

std::string in_words(const DistributionFile& file) {
    return "downloading " + printable(file.filename) + " from " + shown_url(file.url);
}

Error wrong_size(const DistributionFile& file, const std::string& actual) {
    return Error(
        ExitCode::refused,
        "size-mismatch",
        printable(file.filename) + " has " + actual + " bytes, the index states "
            + std::to_string(file.size.value_or(0))
    );
}

/// The file while it arrives, in a private folder beside its destination.
class Arrival {
public:
    Arrival(const DistributionFile& file, const fs::path& folder)
        : file_(file), incoming_(folder, incoming_prefix), path_(incoming_.path() / file.filename),
          check_(file.hashes) {
        restart();
    }

    void restart() {
        out_.reset();
        out_.emplace(path_);
        check_.restart();
        bytes_ = 0;
    }

    void take(std::string_view bytes) {
        bytes_ += bytes.size();
        if (file_.size && bytes_ > *file_.size) {
            throw wrong_size(file_, "more than " + std::to_string(*file_.size));
        }
        check_.update(bytes);
        out_->write(bytes);
    }

    /// Checks everything, then shows the file under its name.
    PackageIndex::Download publish(const fs::path& folder) {
        if (file_.size && bytes_ != *file_.size) {
            throw wrong_size(file_, std::to_string(bytes_));
        }
        if (const auto problem = check_.finish(); !problem.empty()) {
            throw Error(
                ExitCode::refused,
                "hash-mismatch",
                "the " + problem + " (" + printable(file_.filename) + ")"
            )
                .advise("the file was damaged on the way, or is not the one the index lists");
        }
        out_->commit();
        const auto target = folder / check_.sha256() / file_.filename;
        make_directories(target.parent_path());
        std::error_code error;
        fs::rename(path_, target, error);
        if (error) {
            throw file_error(FileAction::write, target.string(), error.value());
        }
        return {target, check_.sha256(), has_strong_hash(file_.hashes)};
    }

private:
    const DistributionFile& file_;
    TempDir incoming_;
    fs::path path_;
    DigestCheck check_;
    std::optional<AtomicFile> out_;
    std::uint64_t bytes_ = 0;
};

/// What an earlier run fetched, if it is still what it was; anything else under that name goes.
std::optional<PackageIndex::Download>
find_earlier(const DistributionFile& file, const fs::path& folder) {
    const auto stated = file.hashes.find("sha256");
    if (stated == file.hashes.end()) {
        return std::nullopt;
    }
    const auto target = folder / stated->second / file.filename;
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(target, ignored))) {
        return std::nullopt;
    }
    if (fs::is_regular_file(target, ignored) && sha256_file(target) == stated->second) {
        return PackageIndex::Download{target, stated->second, true};
    }
    remove_tree(target);
    return std::nullopt;
}

void fetch_remote(HttpClient& client, const DistributionFile& file, Arrival& arrival) {
    HttpRequest request;
    request.url = file.url;
    request.max_bytes = max_download_bytes;
    request.wants_body = [](const HttpResponse& head) { return head.status == 200; };
    request.sink = [&arrival](std::string_view bytes, bool restart) {
        if (restart) {
            arrival.restart();
        } else {
            arrival.take(bytes);
        }
    };
    const auto response = client.get(std::move(request));
    if (response.status != 200) {
        throw error_of_status(response.status, file.url);
    }
}

void copy_local(const fs::path& source, Arrival& arrival) {
    std::error_code ignored;
    if (!fs::is_regular_file(source, ignored)) {
        throw error_of_status(404, file_url(source));
    }
    const auto in = open_for_reading(source);
    std::string block(256U << 10U, '\0');
    while (const auto count = read_some(in, block, source)) {
        arrival.take(std::string_view(block).substr(0, count));
    }
}

/// Callers make these values too (a URL in a requirement): the name becomes a path here.
void refuse_unsafe(const DistributionFile& file) {
    const bool is_plain = !file.filename.empty() && file.filename != "." && file.filename != ".."
                          && file.filename.find('/') == std::string::npos
                          && file.filename.find('\0') == std::string::npos;
    const auto problem = refuse_hashes(file.hashes);
    if (!is_plain || !problem.empty()) {
        throw Error(
            ExitCode::refused,
            "bad-index-file",
            "'" + printable(file.filename)
                + "' cannot be downloaded: " + (is_plain ? problem : "not a plain file name")
        );
    }
}

}  // namespace

PackageIndex::Download download_file(
    HttpClient& client, const DistributionFile& file, const fs::path& folder, bool offline
) {
    return while_doing(
        [&] { return in_words(file); },
        [&] {
            refuse_unsafe(file);
            if (auto earlier = find_earlier(file, folder)) {
                return *earlier;
            }
            const auto local = path_of_file_url(file.url);
            if (offline && !local) {
                throw missing_offline(file.url);
            }
            Arrival arrival(file, folder);
            if (local) {
                copy_local(*local, arrival);
            } else {
                fetch_remote(client, file, arrival);
            }
            return arrival.publish(folder);
        }
    );
}

void sweep_downloads(const fs::path& folder) {
    std::error_code error;
    const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        const bool is_ours = entry->path().filename().string().starts_with(incoming_prefix);
        if (is_ours && entry->last_write_time(ignored) < yesterday && !ignored) {
            remove_tree(entry->path());
        }
    }
}

}  // namespace wheelforge::index
