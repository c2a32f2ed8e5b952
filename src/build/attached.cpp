// SPDX-License-Identifier: Apache-2.0
#include "build/attached.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <future>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"

namespace wheelforge::build {
namespace {

/// Keys go through as they are typed; undone at the end, whatever happens.
class RawTerminal {
public:
    RawTerminal() {
        if (::tcgetattr(STDIN_FILENO, &before_) == 0) {
            termios raw = before_;
            ::cfmakeraw(&raw);
            is_raw_ = ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
        }
    }
    RawTerminal(const RawTerminal&) = delete;
    RawTerminal& operator=(const RawTerminal&) = delete;
    ~RawTerminal() {
        if (is_raw_) {
            ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
        }
    }

private:
    termios before_{};
    bool is_raw_ = false;
};

struct Terminal {
    Descriptor ours;
    Descriptor inside;
};

Terminal open_terminal() {
    Terminal terminal;
    terminal.ours = Descriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    std::array<char, 128> name{};
    if (terminal.ours.valid() && ::grantpt(terminal.ours.get()) == 0
        && ::unlockpt(terminal.ours.get()) == 0
        && ::ptsname_r(terminal.ours.get(), name.data(), name.size()) == 0) {
        terminal.inside = Descriptor(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
    }
    if (!terminal.inside.valid()) {
        throw Error(
            ExitCode::surroundings,
            "cannot-start",
            std::string("cannot make a terminal: ") + std::strerror(errno)
        );
    }
    return terminal;
}

void copy_size(int to) {
    winsize wanted{};
    winsize now{};
    if (::ioctl(STDIN_FILENO, TIOCGWINSZ, &wanted) == 0 && ::ioctl(to, TIOCGWINSZ, &now) == 0
        && std::memcmp(&wanted, &now, sizeof now) != 0) {
        ::ioctl(to, TIOCSWINSZ, &wanted);
    }
}

/// Passes on what can be read now; false at the end.
bool pass_on(int from, int to) {
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got <= 0) {
        return got < 0 && errno == EINTR;
    }
    for (ssize_t done = 0; done < got;) {
        const ssize_t put = ::write(to, buffer.data() + done, static_cast<std::size_t>(got - done));
        if (put < 0 && errno != EINTR) {
            return false;
        }
        done += put > 0 ? put : 0;
    }
    return true;
}

/// Until the program has ended and what it wrote is shown.
void converse(const Terminal& terminal, const std::future<ProcessResult>& program) {
    constexpr int tick = 100;  // ms; also how soon a new size of the window arrives
    const int ours = terminal.ours.get();
    int keys = STDIN_FILENO;
    while (true) {
        copy_size(ours);
        std::array<pollfd, 2> events{{{keys, POLLIN, 0}, {ours, POLLIN, 0}}};
        const bool ended = program.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        const int count = ::poll(events.data(), events.size(), ended ? 0 : tick);
        if (ended && (count <= 0 || events[1].revents == 0)) {
            return;
        }
        if (events[0].revents != 0 && !pass_on(keys, ours)) {
            keys = -1;
        }
        if (events[1].revents != 0 && !pass_on(ours, STDOUT_FILENO)) {
            return;
        }
    }
}

ProcessResult run_on_terminal(
    Launch launch,
    const SandboxProbe& probe,
    const std::filesystem::path& scratch,
    std::stop_token stop
) {
    const auto terminal = open_terminal();
    copy_size(terminal.ours.get());
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        launch.descriptors.emplace_back(terminal.inside.get(), number);
    }
    // A session of its own inside the sandbox, led by the program: only then has it job control.
    launch.argv.insert(launch.argv.begin(), {"setsid", "--ctty", "--wait"});
    const RawTerminal raw;
    auto program = std::async(std::launch::async, [&] {
        return run_enclosed(std::move(launch), probe, scratch, std::move(stop));
    });
    converse(terminal, program);
    return program.get();
}

}  // namespace

int run_attached(
    Launch launch,
    const SandboxProbe& probe,
    const std::filesystem::path& scratch,
    std::stop_token stop
) {
    if (::isatty(STDIN_FILENO) == 1 && find_program("setsid", "/usr/bin:/bin")) {
        return run_on_terminal(std::move(launch), probe, scratch, std::move(stop)).exit_code;
    }
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        launch.descriptors.emplace_back(number, number);
    }
    return run_enclosed(std::move(launch), probe, scratch, std::move(stop)).exit_code;
}

}  // namespace wheelforge::build
