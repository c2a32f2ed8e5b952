// SPDX-License-Identifier: Apache-2.0
// Package indexes as pip uses them: simple pages (HTML and JSON), find-links, and their files.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/http.hpp"
#include "index/candidate.hpp"

namespace wheelforge::index {

/// Where distributions come from, in pip's terms. Built from pip's configuration
/// (pip_config.hpp) and the command line.
struct IndexSettings {
    std::vector<std::string> index_urls;  ///< index-url first, then extra-index-urls
    std::vector<std::string> find_links;  ///< folders, files or pages
    bool no_index = false;
    HttpSettings http;
    std::filesystem::path page_cache;  ///< parsed pages are kept here; empty: nowhere
    bool offline = false;
    bool refresh = false;  ///< ignore cached pages
};

/// Asynchronous and thread-safe; every answer comes once, on a thread of the client.
class PackageIndex {
public:
    explicit PackageIndex(IndexSettings settings);
    ~PackageIndex();

    /// Gives up what is in flight and refuses what comes later, with Error "interrupted". From any
    /// thread but the client's; a second time does nothing.
    void stop();
    /// The same, and waits until nobody works any more: what was asked before is answered, with
    /// that Error if need be, when it returns. Nothing may be asked from then on.
    void finish();

    template <typename T>
    using Done = std::function<void(T, std::exception_ptr)>;

    /// All files of a project (name normalised): the first index that knows the name answers
    /// alone ("first index wins"), find-links are added. An unknown project is a page without
    /// files, not an error. `only_index` asks that index instead (a package's own
    /// wheel_server_url).
    void project(
        const std::string& name,
        const std::optional<std::string>& only_index,
        Done<ProjectPage> done
    );

    /// Downloads into `folder`/<sha256>/<filename>, hashing while it streams; a file that is there
    /// already is used. Every stated hash is checked: a mismatch is Error{refused}
    /// "hash-mismatch" and leaves nothing. Returns path and our own sha256.
    struct Download {
        std::filesystem::path path;
        std::string sha256;
        bool hash_was_stated = false;
    };
    void download(
        const DistributionFile& file, const std::filesystem::path& folder, Done<Download> done
    );

    /// METADATA of a wheel without fetching it whole: PEP 658 where offered, else ranges of the
    /// zip (tail, central directory, member), else nullopt (server without ranges: the caller
    /// downloads it).
    void wheel_metadata(const DistributionFile& wheel, Done<std::optional<std::string>> done);

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace wheelforge::index
