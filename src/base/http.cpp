// SPDX-License-Identifier: Apache-2.0
#include "base/http.hpp"

#include <algorithm>
#include <csignal>
#include <deque>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

#include <curl/curl.h>

#include "base/channel.hpp"
#include "base/error.hpp"
#include "base/http_transfer.hpp"

namespace wheelforge {

namespace {

using Clock = std::chrono::steady_clock;

std::exception_ptr interrupted() {
    return std::make_exception_ptr(Error(
        ExitCode::interrupted, "interrupted", "the request was given up because the program ends"
    ));
}

void set_up_curl() {
    // Thread-safe since libcurl 7.84, and the static makes it once in any case.
    [[maybe_unused]] static const CURLcode done = curl_global_init(CURL_GLOBAL_DEFAULT);
}

/// Signals belong to the main thread; a TLS library that writes to a closed socket raises SIGPIPE.
void block_signals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

struct HttpClient::State {
    using Owned = std::unique_ptr<HttpTransfer>;

    explicit State(HttpSettings wanted);
    ~State();
    void start(Owned transfer);
    void stop();

    // The client's thread only, from here on.
    void serve();
    [[nodiscard]] bool collect();
    void wake_sleepers();
    void fill_slots();
    void launch(Owned transfer);
    void launch_local(Owned transfer);
    void reap();
    void conclude(Owned transfer, CURLcode code);
    void abandon_all();
    [[nodiscard]] int patience() const;

    const HttpSettings settings;
    HttpCredentials credentials;
    CURLM* multi = nullptr;
    std::deque<Owned> waiting;  ///< for a free slot
    std::map<CURL*, Owned> active;
    std::multimap<Clock::time_point, Owned> sleeping;  ///< until their next attempt

    std::mutex mutex;  // guards the four below
    std::deque<Owned> incoming;
    std::vector<HttpCredential> new_credentials;
    bool stopping = false;
    bool gone = false;  ///< the thread looks at `incoming` no more

    std::thread thread;
};

HttpClient::State::State(HttpSettings wanted) : settings(std::move(wanted)) {
    set_up_curl();
    for (const auto& credential : settings.credentials) {
        credentials.try_emplace(credential.origin, credential);
    }
    multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
    thread = std::thread([this] { serve(); });
}

HttpClient::State::~State() {
    stop();
    curl_multi_cleanup(multi);
}

void HttpClient::State::start(Owned transfer) {
    {
        const std::lock_guard guard(mutex);
        if (auto credential = credential_in(transfer->request().url)) {
            new_credentials.push_back(*std::move(credential));
        }
        if (!gone) {
            incoming.push_back(std::move(transfer));
        }
    }
    if (transfer) {
        transfer->answer(interrupted());
        return;
    }
    curl_multi_wakeup(multi);
}

void HttpClient::State::stop() {
    {
        const std::lock_guard guard(mutex);
        stopping = true;
    }
    curl_multi_wakeup(multi);
    if (thread.joinable()) {
        thread.join();
    }
}

void HttpClient::State::serve() {
    block_signals();
    while (collect()) {
        wake_sleepers();
        fill_slots();
        int running = 0;
        curl_multi_perform(multi, &running);
        reap();
        curl_multi_poll(multi, nullptr, 0, patience(), nullptr);
    }
    abandon_all();
}

bool HttpClient::State::collect() {
    const std::lock_guard guard(mutex);
    for (auto& credential : new_credentials) {
        credentials.insert_or_assign(credential.origin, credential);
    }
    new_credentials.clear();
    std::ranges::move(incoming, std::back_inserter(waiting));
    incoming.clear();
    return !stopping;
}

void HttpClient::State::wake_sleepers() {
    const auto now = Clock::now();
    while (!sleeping.empty() && sleeping.begin()->first <= now) {
        waiting.push_front(std::move(sleeping.begin()->second));
        sleeping.erase(sleeping.begin());
    }
}

void HttpClient::State::fill_slots() {
    while (!waiting.empty() && active.size() < std::max(settings.connections, 1U)) {
        auto transfer = std::move(waiting.front());
        waiting.pop_front();
        if (url_scheme(transfer->request().url) == "file") {
            launch_local(std::move(transfer));
        } else {
            launch(std::move(transfer));
        }
    }
}

// An error is handed over whole, after the handler that caught it is left: this thread then holds
// no part of what the receiver frees.

void HttpClient::State::launch(Owned transfer) {
    std::exception_ptr error;
    try {
        CURL* easy = transfer->prepare(settings, credentials);
        curl_multi_add_handle(multi, easy);
        active.emplace(easy, std::move(transfer));
        return;
    } catch (...) {
        error = std::current_exception();
    }
    transfer->answer(std::move(error));
}

void HttpClient::State::launch_local(Owned transfer) {
    std::exception_ptr error;
    try {
        transfer->read_local_file();
    } catch (...) {
        error = std::current_exception();
    }
    transfer->answer(std::move(error));
}

void HttpClient::State::reap() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
        if (message->msg != CURLMSG_DONE) {
            continue;
        }
        CURL* const easy = message->easy_handle;
        const CURLcode code = message->data.result;
        curl_multi_remove_handle(multi, easy);
        auto node = active.extract(easy);
        conclude(std::move(node.mapped()), code);
    }
}

void HttpClient::State::conclude(Owned transfer, CURLcode code) {
    std::exception_ptr error;
    try {
        const auto next = transfer->judge(code, settings);
        if (const auto* again = std::get_if<HttpTransfer::Again>(&next)) {
            sleeping.emplace(Clock::now() + again->after, std::move(transfer));
            return;
        }
    } catch (...) {
        error = std::current_exception();
    }
    transfer->answer(std::move(error));
}

/// Answers everything; what a `done` starts meanwhile is answered too.
void HttpClient::State::abandon_all() {
    for (auto& [easy, transfer] : active) {
        curl_multi_remove_handle(multi, easy);
        waiting.push_back(std::move(transfer));
    }
    for (auto& [when, transfer] : sleeping) {
        waiting.push_back(std::move(transfer));
    }
    active.clear();
    sleeping.clear();
    while (true) {
        for (auto& transfer : std::exchange(waiting, {})) {
            transfer->answer(interrupted());
        }
        const std::lock_guard guard(mutex);
        waiting = std::exchange(incoming, {});
        if (waiting.empty()) {
            gone = true;
            return;
        }
    }
}

int HttpClient::State::patience() const {
    constexpr std::chrono::milliseconds longest{10'000};
    if (!waiting.empty() && active.size() < settings.connections) {
        return 0;
    }
    if (sleeping.empty()) {
        return static_cast<int>(longest.count());
    }
    const auto wait =
        std::chrono::ceil<std::chrono::milliseconds>(sleeping.begin()->first - Clock::now());
    return static_cast<int>(std::clamp(wait, std::chrono::milliseconds(0), longest).count());
}

HttpClient::HttpClient(HttpSettings settings)
    : state_(std::make_unique<State>(std::move(settings))) {}

HttpClient::~HttpClient() = default;

void HttpClient::start(HttpRequest request, Done done) {
    state_->start(std::make_unique<HttpTransfer>(std::move(request), std::move(done)));
}

HttpResponse HttpClient::get(HttpRequest request) {
    Channel<std::pair<HttpResponse, std::exception_ptr>> answers;
    start(std::move(request), [&answers](HttpResponse response, std::exception_ptr error) {
        answers.send({std::move(response), std::move(error)});
    });
    auto [response, error] = answers.receive();
    if (error) {
        std::rethrow_exception(std::move(error));
    }
    return std::move(response);
}

void HttpClient::add_credential(HttpCredential credential) {
    const std::lock_guard guard(state_->mutex);
    state_->new_credentials.push_back(std::move(credential));
}

void HttpClient::stop() {
    state_->stop();
}

}  // namespace wheelforge
