// SPDX-License-Identifier: Apache-2.0
#include "index/find_links.hpp"

#include <algorithm>
#include <filesystem>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/http_policy.hpp"
#include "base/log.hpp"
#include "base/text.hpp"

namespace wheelforge::index {

namespace {

namespace fs = std::filesystem;

bool is_html(std::string_view name) {
    const auto lower = to_lower(name);
    return lower.ends_with(".html") || lower.ends_with(".htm");
}

bool is_archive(std::string_view name) {
    const auto lower = to_lower(name);
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{
            ".whl", ".zip", ".tgz", ".tar", ".gz", ".bz2", ".xz"
        },
        [&](std::string_view ending) { return lower.ends_with(ending); }
    );
}

Link link_to_file(const fs::path& path) {
    Link link;
    link.url = file_url(path);
    std::error_code error;
    const auto size = fs::file_size(path, error);
    if (!error) {
        link.size = size;
    }
    return link;
}

/// Sorted, so that nothing depends on the order of a directory.
RawPage list_folder(const fs::path& folder) {
    RawPage page;
    page.url = file_url(folder) + "/";
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (is_archive(entry->path().filename().string()) && entry->is_regular_file(ignored)) {
            page.links.push_back(link_to_file(entry->path()));
        }
    }
    if (error) {
        throw file_error(FileAction::read, folder.string(), error.value());
    }
    std::ranges::sort(page.links, {}, &Link::url);
    return page;
}

RawPage read_local(const fs::path& path, const PageSource& pages) {
    std::error_code ignored;
    const auto absolute = fs::absolute(path, ignored).lexically_normal();
    if (fs::is_directory(absolute, ignored)) {
        return list_folder(absolute);
    }
    RawPage page;
    page.url = file_url(absolute);
    if (!fs::is_regular_file(absolute, ignored)) {
        log::info("find-links: nothing at " + printable(absolute.string()));
        return page;
    }
    if (is_html(absolute.filename().string())) {
        return pages.get(page.url).value_or(page);
    }
    page.links.push_back(link_to_file(absolute));
    return page;
}

}  // namespace

RawPage read_find_links(const std::string& location, const PageSource& pages) {
    const auto scheme = url_scheme(location);
    if (scheme == "file") {
        const auto path = path_of_file_url(location);
        if (!path) {
            throw Error(
                ExitCode::usage,
                "bad-find-links",
                "find-links names no local path: " + shown_url(location)
            );
        }
        return read_local(*path, pages);
    }
    if (scheme != "http" && scheme != "https") {
        return read_local(location, pages);
    }
    RawPage page;
    page.url = location;
    if (is_archive(url_path(location))) {
        set_location(page.links.emplace_back(), location, location);
        return page;
    }
    if (auto found = pages.get(location)) {
        return *std::move(found);
    }
    throw error_of_status(404, location);
}

}  // namespace wheelforge::index
