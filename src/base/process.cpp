// SPDX-License-Identifier: Apache-2.0
#include "base/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/process_tree.hpp"
#include "base/spawn.hpp"
#include "base/text.hpp"

namespace wheelforge {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds grace{5};  // between SIGTERM and SIGKILL

Descriptor checked(int descriptor, const Launch& launch) {
    if (descriptor < 0) {
        cannot_start(launch, std::strerror(errno));
    }
    return Descriptor(descriptor);
}

/// A file in memory instead of a pipe: nobody has to feed it while the child runs.
Descriptor standard_input_of(const Launch& launch) {
    if (launch.standard_input.empty()) {
        return checked(::open("/dev/null", O_RDONLY | O_CLOEXEC), launch);
    }
    auto file = checked(::memfd_create("standard-input", MFD_CLOEXEC), launch);
    std::string_view rest = launch.standard_input;
    while (!rest.empty()) {
        const ssize_t put = ::write(file.get(), rest.data(), rest.size());
        if (put < 0 && errno != EINTR) {
            cannot_start(launch, std::strerror(errno));
        }
        rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(put, 0)));
    }
    ::lseek(file.get(), 0, SEEK_SET);
    return file;
}

/// Our end of a child's output. Keeps the first `limit` bytes and throws the rest away, so that the
/// child never waits for us.
class Capture {
public:
    Capture(std::string& kept, std::uint64_t limit) : kept_(kept), limit_(limit) {}

    /// Makes the pipe; the result is the child's end.
    Descriptor open(const Launch& launch) {
        std::array<int, 2> ends{-1, -1};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            cannot_start(launch, std::strerror(errno));
        }
        pipe_ = Descriptor(ends[0]);
        ::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
        return Descriptor(ends[1]);
    }
    [[nodiscard]] int descriptor() const { return pipe_.get(); }

    /// False when there is nothing to read now.
    bool read_some() {
        std::array<char, 1U << 16U> buffer{};
        const ssize_t got = ::read(pipe_.get(), buffer.data(), buffer.size());
        if (got > 0) {
            const auto room = limit_ - std::min<std::uint64_t>(limit_, kept_.size());
            kept_.append(
                buffer.data(), std::min<std::uint64_t>(static_cast<std::size_t>(got), room)
            );
            return true;
        }
        if (got == 0) {
            pipe_.reset();
        }
        return false;
    }
    /// What still stands in the pipe; bounded, since a process that escaped may write for ever.
    void drain() {
        constexpr int most = 64;
        for (int i = 0; i < most && pipe_.get() >= 0 && read_some(); ++i) {
        }
    }

private:
    std::string& kept_;
    std::uint64_t limit_;
    Descriptor pipe_;
};

/// A running child: waits for it, collects what it prints, kills it in time.
class Child {
public:
    Child(const Launch& launch, ProcessResult& result)
        : launch_(launch), result_(result), out_(result.out, launch.capture_limit),
          err_(result.err, launch.capture_limit) {}
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (pid_ > 0) {  // something threw while it ran
            kill_tree(pid_, SIGKILL);
            reap();
        }
    }

    void start(const fs::path& program) {
        const auto in = standard_input_of(launch_);
        if (launch_.log.empty()) {
            const auto out = out_.open(launch_);
            const auto err = err_.open(launch_);
            pid_ = spawn(program, launch_, {in.get(), out.get(), err.get()});
        } else {
            make_directories(fs::absolute(launch_.log).parent_path());
            constexpr int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
            const auto log = checked(::open(launch_.log.c_str(), flags, 0644), launch_);
            pid_ = spawn(program, launch_, {in.get(), log.get(), log.get()});
        }
        started_at_ = Clock::now();
        if (launch_.timeout) {
            deadline_ = started_at_ + *launch_.timeout;
        }
        ended_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
        if (ended_.get() < 0) {
            cannot_start(launch_, std::string("cannot watch it: ") + std::strerror(errno));
        }
    }

    [[nodiscard]] pid_t pid() const { return pid_; }

    void wait(int stop_event) {
        while (!wait_once(stop_event)) {
        }
        // Daemons it left behind. Before the leader is reaped its number cannot belong to others.
        ::kill(-pid_, SIGKILL);
        out_.drain();
        err_.drain();
        reap();
        result_.wall_seconds = std::chrono::duration<double>(Clock::now() - started_at_).count();
    }

private:
    enum class Phase { running, terminating, killed };

    /// True once the child has ended.
    bool wait_once(int stop_event) {
        const int stop = phase_ == Phase::running ? stop_event : -1;
        std::array<pollfd, 4> events{{
            {ended_.get(), POLLIN, 0},
            {stop, POLLIN, 0},
            {out_.descriptor(), POLLIN, 0},
            {err_.descriptor(), POLLIN, 0},
        }};
        if (::poll(events.data(), events.size(), milliseconds_left()) < 0) {
            return false;  // EINTR
        }
        if (events[2].revents != 0) {
            out_.read_some();
        }
        if (events[3].revents != 0) {
            err_.read_some();
        }
        if (events[0].revents != 0) {
            return true;
        }
        if (events[1].revents != 0) {
            result_.cancelled = true;
            press_on();
        } else if (deadline_ && Clock::now() >= *deadline_) {
            result_.timed_out = result_.timed_out || phase_ == Phase::running;
            press_on();
        }
        return false;
    }

    /// The next, harder step towards the end.
    void press_on() {
        if (phase_ == Phase::running) {
            phase_ = Phase::terminating;
            kill_tree(pid_, SIGTERM);
            deadline_ = Clock::now() + grace;
        } else {
            phase_ = Phase::killed;
            kill_tree(pid_, SIGKILL);
            deadline_.reset();
        }
    }

    [[nodiscard]] int milliseconds_left() const {
        if (!deadline_) {
            return -1;
        }
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - Clock::now()).count();
        return static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX));
    }

    void reap() {
        int status = 0;
        rusage usage{};
        while (::wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
        }
        pid_ = -1;
        result_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        result_.exit_code = result_.signal != 0 ? 128 + result_.signal : WEXITSTATUS(status);
        const auto seconds = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
        };
        result_.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
        result_.peak_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    }

    const Launch& launch_;
    ProcessResult& result_;
    Capture out_;
    Capture err_;
    pid_t pid_ = -1;
    Descriptor ended_;  // readable when the child is gone
    Phase phase_ = Phase::running;
    Clock::time_point started_at_;
    std::optional<Clock::time_point> deadline_;
};

fs::path program_of(const Launch& launch) {
    if (launch.argv.empty() || launch.argv.front().empty()) {
        cannot_start(launch, "no program given");
    }
    const auto& name = launch.argv.front();
    if (name.find('/') != std::string::npos) {
        // Relative to the folder the child starts in, as execve sees it.
        if (!fs::exists(launch.cwd / name) && !launch.before_exec) {
            throw Error{ExitCode::usage, "program-not-found", "program " + name + " not found"};
        }
        return name;
    }
    const auto path = launch.env.find("PATH");
    const auto found = find_program(name, path == launch.env.end() ? "" : path->second);
    if (!found) {
        throw Error{ExitCode::usage, "program-not-found", "program " + name + " not found on PATH"}
            .advise("install " + name + " or put its folder on PATH");
    }
    return *found;
}

}  // namespace

ProcessResult run(const Launch& launch, std::stop_token stop) {
    ProcessResult result;
    const fs::path program = program_of(launch);
    if (stop.stop_requested()) {
        result.cancelled = true;
        result.signal = SIGTERM;
        result.exit_code = 128 + SIGTERM;
        return result;
    }
    const auto stop_event = checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), launch);
    Child child(launch, result);
    child.start(program);
    const std::stop_callback on_stop(stop, [&stop_event] { ::eventfd_write(stop_event.get(), 1); });
    if (launch.started) {
        launch.started(child.pid());
    }
    child.wait(stop_event.get());
    return result;
}

std::optional<fs::path> find_program(std::string_view name, std::string_view path_variable) {
    const auto runnable = [](const fs::path& path) {
        std::error_code error;
        return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
    };
    if (name.empty()) {
        return std::nullopt;
    }
    if (name.find('/') != std::string_view::npos) {
        return runnable(name) ? std::optional(fs::absolute(name)) : std::nullopt;
    }
    for (const auto folder : split(path_variable, ':')) {
        // An empty entry means the current folder to a shell: not to us.
        if (!folder.empty() && runnable(fs::path(folder) / name)) {
            return fs::absolute(fs::path(folder) / name);
        }
    }
    return std::nullopt;
}

Environment current_environment() {
    Environment variables;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view line = *entry;
        const auto equals = line.find('=');
        if (equals != std::string_view::npos && equals > 0) {
            variables.emplace(line.substr(0, equals), line.substr(equals + 1));
        }
    }
    return variables;
}

}  // namespace wheelforge
