// SPDX-License-Identifier: Apache-2.0
#include "build/hook_process.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <utility>

#include "base/error.hpp"

namespace wheelforge::build {
namespace {

constexpr std::size_t answer_limit = 32U << 20U;
constexpr std::chrono::seconds patience_at_end{5};

[[noreturn]] void cannot_talk() {
    throw Error(
        ExitCode::surroundings,
        "cannot-start",
        std::string("cannot make a connection to the build backend: ") + std::strerror(errno)
    );
}

}  // namespace

HookProcess::HookProcess(
    Launch launch, const SandboxProbe& sandbox, std::filesystem::path scratch, std::stop_token stop
)
    : forward_stop_(std::move(stop), [this] { stop_source_.request_stop(); }) {
    // A socket, not pipes: a write to a process that is gone must not raise SIGPIPE.
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        cannot_talk();
    }
    connection_ = Descriptor(ends[0]);
    childs_end_ = Descriptor(ends[1]);
    ended_ = Descriptor(::eventfd(0, EFD_CLOEXEC));
    if (!ended_.valid()) {
        cannot_talk();
    }
    launch.descriptors.emplace_back(childs_end_.get(), request_descriptor);
    launch.descriptors.emplace_back(childs_end_.get(), answer_descriptor);
    thread_ =
        std::thread([this, launch = std::move(launch), sandbox, scratch = std::move(scratch)] {
            serve(launch, sandbox, scratch);
        });
}

HookProcess::~HookProcess() {
    try {
        end();
    } catch (const Error&) {  // whoever wanted to know has asked before
    }
}

void HookProcess::serve(
    const Launch& launch, const SandboxProbe& sandbox, const std::filesystem::path& scratch
) {
    try {
        Launch watched = launch;
        watched.started = [this](int) { childs_end_ = Descriptor(); };
        promise_.set_value(
            run_enclosed(std::move(watched), sandbox, scratch, stop_source_.get_token())
        );
    } catch (...) {
        promise_.set_exception(std::current_exception());
    }
    ::eventfd_write(ended_.get(), 1);
}

const ProcessResult& HookProcess::end() {
    if (!result_ && thread_.joinable()) {
        ::shutdown(connection_.get(), SHUT_WR);
        auto future = promise_.get_future();
        if (future.wait_for(patience_at_end) == std::future_status::timeout) {
            stop_source_.request_stop();
        }
        thread_.join();
        result_ = ProcessResult{};
        result_ = future.get();
    }
    return *result_;
}

bool HookProcess::send(std::string_view text) const {
    while (!text.empty()) {
        const ssize_t sent = ::send(connection_.get(), text.data(), text.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : 0);
    }
    return true;
}

bool HookProcess::has_ended() const {
    pollfd event{ended_.get(), POLLIN, 0};
    return ::poll(&event, 1, 0) > 0;
}

/// Waits for a piece of the answer; false when no more will come.
bool HookProcess::receive() {
    std::array<pollfd, 2> events{{{connection_.get(), POLLIN, 0}, {ended_.get(), POLLIN, 0}}};
    if (::poll(events.data(), events.size(), -1) < 0) {
        return errno == EINTR;
    }
    // Something that the process left behind may hold the socket open, hence the second one.
    std::array<char, 1U << 16U> buffer{};
    const ssize_t count = ::recv(connection_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count > 0) {
        received_.append(buffer.data(), static_cast<std::size_t>(count));
        return received_.size() <= answer_limit;
    }
    return count < 0 && (errno == EINTR || (errno == EAGAIN && !has_ended()));
}

std::optional<std::string> HookProcess::ask(std::string_view line) {
    if (result_ || !send(line) || !send("\n")) {
        return std::nullopt;
    }
    auto line_end = received_.find('\n');
    while (line_end == std::string::npos) {
        const std::size_t seen = received_.size();
        if (!receive()) {
            return std::nullopt;
        }
        line_end = received_.find('\n', seen);
    }
    std::string answer = received_.substr(0, line_end);
    received_.erase(0, line_end + 1);
    return answer;
}

}  // namespace wheelforge::build
