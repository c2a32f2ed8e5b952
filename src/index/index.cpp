// SPDX-License-Identifier: Apache-2.0
#include "index/index.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

#include "base/channel.hpp"
#include "base/error.hpp"
#include "base/free_memory.hpp"
#include "base/http_policy.hpp"
#include "base/in_flight.hpp"
#include "index/download.hpp"
#include "index/find_links.hpp"
#include "index/link.hpp"
#include "index/page_source.hpp"
#include "index/wheel_metadata.hpp"

namespace wheelforge::index {

namespace {

/// Two questions are the same only if they state the same hashes.
std::string file_key(const DistributionFile& file) {
    auto key = file.filename + "\n" + file.url;
    for (const auto& [algorithm, digest] : file.hashes) {
        key.append("\n").append(algorithm).append("=").append(digest);
    }
    return key;
}

std::string project_url(std::string_view index_url, const std::string& name) {
    while (index_url.ends_with('/')) {
        index_url.remove_suffix(1);
    }
    return std::string(index_url) + "/" + name + "/";
}

}  // namespace

/// Each question is answered by straight-line code on a thread of a pool; the client multiplexes
/// what those threads wait for. Downloads have threads of their own, so that large files do not
/// keep the resolver waiting.
struct PackageIndex::State {
    explicit State(IndexSettings wanted);

    std::atomic<bool> stopped = false;
    [[nodiscard]] ProjectPage
    find_project(const std::string& name, const std::optional<std::string>& only_index);
    [[nodiscard]] std::optional<ProjectPage>
    ask_index(const std::string& index_url, const std::string& name);
    void add_find_links(ProjectPage& page);
    /// Keeps the credentials for requests to come; gives the URL without them.
    std::string take_credentials(const std::string& url);

    /// Runs `work` on `pool` unless the same is already under way, then answers.
    template <typename T, typename Work>
    static void
    run(Pool& pool,
        InFlight<T>& in_flight,
        const std::string& key,
        PackageIndex::Done<T> done,
        Work work);

    IndexSettings settings;
    HttpClient client;
    PageCache cache;
    PageSource pages;
    Memo<RawPage> find_links;
    Memo<bool> swept;
    InFlight<ProjectPage> projects;
    InFlight<Download> downloads;
    InFlight<std::optional<std::string>> metadata;
    std::optional<Pool> lookup_pool;
    std::optional<Pool> download_pool;
};

PackageIndex::State::State(IndexSettings wanted)
    : settings(std::move(wanted)), client(settings.http), cache(settings.page_cache),
      pages(client, cache, {settings.offline, settings.refresh, settings.http.trusted_hosts}) {
    for (auto* urls : {&settings.index_urls, &settings.find_links}) {
        for (auto& url : *urls) {
            url = take_credentials(url);
        }
    }
    const unsigned threads = std::max(settings.http.connections, 1U);
    lookup_pool.emplace(threads);
    download_pool.emplace(threads);
}

std::string PackageIndex::State::take_credentials(const std::string& url) {
    if (auto credential = credential_in(url)) {
        client.add_credential(*std::move(credential));
    }
    return without_credentials(url);
}

template <typename T, typename Work>
void PackageIndex::State::run(
    Pool& pool,
    InFlight<T>& in_flight,
    const std::string& key,
    PackageIndex::Done<T> done,
    Work work
) {
    if (!in_flight.join(key, std::move(done))) {
        return;
    }
    pool.submit([&in_flight, key, work = std::move(work)] {
        T value{};
        std::exception_ptr error;
        try {
            value = work();
        } catch (...) {
            error = std::current_exception();
        }
        in_flight.answer(key, std::move(value), error);
    });
}

std::optional<ProjectPage>
PackageIndex::State::ask_index(const std::string& index_url, const std::string& name) {
    return while_doing(
        [&] { return "looking for " + name + " on " + shown_url(index_url); },
        [&]() -> std::optional<ProjectPage> {
            const auto page = pages.get(project_url(index_url, name));
            if (!page) {
                return std::nullopt;
            }
            const bool is_local = url_scheme(index_url) == "file";
            return understand(
                *page,
                {.project = name,
                 .index_url = index_url,
                 .allow_file = is_local,
                 .find_links = false}
            );
        }
    );
}

void PackageIndex::State::add_find_links(ProjectPage& page) {
    for (const auto& location : settings.find_links) {
        const auto raw = while_doing(
            [&] { return "reading find-links " + shown_url(location); },
            [&] {
                return find_links.get(location, [&] { return read_find_links(location, pages); });
            }
        );
        const bool is_local = url_scheme(raw.url) == "file";
        auto found = understand(
            raw,
            {.project = page.name, .index_url = location, .allow_file = is_local, .find_links = true
            }
        );
        std::ranges::move(found.files, std::back_inserter(page.files));
        std::ranges::move(found.skipped, std::back_inserter(page.skipped));
    }
}

ProjectPage PackageIndex::State::find_project(
    const std::string& name, const std::optional<std::string>& only_index
) {
    ProjectPage page;
    page.name = name;
    if (only_index) {
        return ask_index(take_credentials(*only_index), name).value_or(page);
    }
    if (!settings.no_index) {
        for (const auto& index_url : settings.index_urls) {
            if (auto found = ask_index(index_url, name)) {
                page = *std::move(found);
                break;
            }
        }
    }
    add_find_links(page);
    constexpr std::size_t many = 1000;  // files; their texts were some megabytes
    if (page.files.size() + page.skipped.size() > many) {
        return_free_memory();
    }
    return page;
}

PackageIndex::PackageIndex(IndexSettings settings)
    : state_(std::make_shared<State>(std::move(settings))) {}

PackageIndex::~PackageIndex() {
    finish();
}

void PackageIndex::finish() {
    // Whoever waits for the client is sent home, then nobody works any more; what was never begun
    // is answered last.
    stop();
    state_->lookup_pool.reset();
    state_->download_pool.reset();
    const auto error = std::make_exception_ptr(Error(
        ExitCode::interrupted, "interrupted", "the request was given up because the program ends"
    ));
    state_->projects.abandon(error);
    state_->downloads.abandon(error);
    state_->metadata.abandon(error);
}

void PackageIndex::stop() {
    if (!state_->stopped.exchange(true)) {
        state_->client.stop();
    }
}

void PackageIndex::project(
    const std::string& name, const std::optional<std::string>& only_index, Done<ProjectPage> done
) {
    auto& state = *state_;
    State::run(
        *state.lookup_pool,
        state.projects,
        name + "\n" + only_index.value_or(""),
        std::move(done),
        [&state, name, only_index] { return state.find_project(name, only_index); }
    );
}

void PackageIndex::download(
    const DistributionFile& file, const std::filesystem::path& folder, Done<Download> done
) {
    auto& state = *state_;
    State::run(
        *state.download_pool,
        state.downloads,
        folder.string() + "\n" + file_key(file),
        std::move(done),
        [&state, file, folder] {
            state.swept.get(folder.string(), [&] {
                sweep_downloads(folder);
                return true;
            });
            return download_file(state.client, file, folder, state.settings.offline);
        }
    );
}

void PackageIndex::wheel_metadata(
    const DistributionFile& wheel, Done<std::optional<std::string>> done
) {
    auto& state = *state_;
    State::run(
        *state.lookup_pool,
        state.metadata,
        file_key(wheel),
        std::move(done),
        [&state, wheel] {
            return fetch_wheel_metadata(state.client, state.cache, wheel, state.settings.offline);
        }
    );
}

}  // namespace wheelforge::index
