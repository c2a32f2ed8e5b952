// SPDX-License-Identifier: Apache-2.0
#include "base/spawn.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>

#include "base/descriptor.hpp"
#include "base/error.hpp"

namespace wheelforge {

namespace {

/// What the child was doing when it gave up; told to the parent over a pipe that exec closes.
enum class Stage : int { setup, before_exec, folder, exec };
struct ChildFailure {
    Stage stage = Stage::setup;
    int error = 0;
};

/// Everything the child needs, made before the fork: in between nothing may allocate, since
/// another thread may have held the allocator's lock at that moment.
struct Plan {
    const char* program = nullptr;
    const char* folder = nullptr;  ///< nullptr: stay
    std::vector<char*> argv;
    std::vector<char*> env;
    std::vector<std::string> env_lines;
    std::vector<std::pair<int, int>> descriptors;  ///< {ours, the child's}
    std::vector<int> copies;                       ///< room for one per entry above
    int above = 3;                                 ///< greater than every number in use by then
    int report = -1;
    pid_t parent = 0;
    const std::function<int()>* before_exec = nullptr;
};

[[noreturn]] void give_up(int report, Stage stage, int error) {
    const ChildFailure failure{stage, error};
    // Nobody is left to tell when this fails.
    [[maybe_unused]] const ssize_t put = ::write(report, &failure, sizeof failure);
    ::_exit(127);
}

/// Handlers of ours and signals we ignore (SIGPIPE) are no business of the child.
void reset_signals() {
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; ++number) {
        ::sigaction(number, &standard, nullptr);
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Copies go above all targets first, so that no mapping overwrites the source of another. All
/// else closes at exec.
void place_descriptors(Plan& plan) {
    const int report = ::fcntl(plan.report, F_DUPFD_CLOEXEC, plan.above);
    if (report < 0) {
        give_up(plan.report, Stage::setup, errno);
    }
    plan.report = report;
    for (std::size_t i = 0; i < plan.descriptors.size(); ++i) {
        plan.copies[i] = ::fcntl(plan.descriptors[i].first, F_DUPFD_CLOEXEC, plan.above);
        if (plan.copies[i] < 0) {
            give_up(plan.report, Stage::setup, errno);
        }
    }
    // Where the kernel lacks the call, O_CLOEXEC on every descriptor of ours does the same.
    ::syscall(SYS_close_range, 3U, UINT_MAX, CLOSE_RANGE_CLOEXEC);
    for (std::size_t i = 0; i < plan.descriptors.size(); ++i) {
        if (::dup2(plan.copies[i], plan.descriptors[i].second) < 0) {
            give_up(plan.report, Stage::setup, errno);
        }
    }
}

[[noreturn]] void run_child(Plan& plan) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != plan.parent) {
        ::_exit(127);  // the parent died before the signal was arranged
    }
    place_descriptors(plan);
    if (*plan.before_exec) {
        const int error = (*plan.before_exec)();
        if (error != 0) {
            give_up(plan.report, Stage::before_exec, error);
        }
    }
    if (plan.folder != nullptr && ::chdir(plan.folder) != 0) {
        give_up(plan.report, Stage::folder, errno);
    }
    reset_signals();
    ::execve(plan.program, plan.argv.data(), plan.env.data());
    give_up(plan.report, Stage::exec, errno);
}

void refuse_nul(const Launch& launch, const std::string& text) {
    if (text.find('\0') != std::string::npos) {
        cannot_start(launch, "an argument or variable contains a NUL character");
    }
}

Plan make_plan(
    const std::filesystem::path& program, const Launch& launch, const StandardDescriptors& standard
) {
    Plan plan;
    plan.program = program.c_str();
    plan.folder = launch.cwd.empty() ? nullptr : launch.cwd.c_str();
    for (const auto& argument : launch.argv) {
        refuse_nul(launch, argument);
        plan.argv.push_back(const_cast<char*>(argument.c_str()));
    }
    plan.argv.push_back(nullptr);
    for (const auto& [name, value] : launch.env) {
        if (name.empty() || name.find('=') != std::string::npos) {
            cannot_start(launch, "'" + name + "' is no name for a variable");
        }
        plan.env_lines.push_back(name + "=" + value);
        refuse_nul(launch, plan.env_lines.back());
    }
    for (auto& line : plan.env_lines) {
        plan.env.push_back(line.data());
    }
    plan.env.push_back(nullptr);
    plan.descriptors = {{standard.in, 0}, {standard.out, 1}, {standard.err, 2}};
    plan.descriptors.insert(
        plan.descriptors.end(), launch.descriptors.begin(), launch.descriptors.end()
    );
    for (const auto& mapping : plan.descriptors) {
        plan.above = std::max(plan.above, mapping.second + 1);
    }
    plan.copies.resize(plan.descriptors.size());
    plan.parent = ::getpid();
    plan.before_exec = &launch.before_exec;
    return plan;
}

[[noreturn]] void report_failure(const Launch& launch, const ChildFailure& failure) {
    const std::string reason = std::strerror(failure.error);
    switch (failure.stage) {
    case Stage::setup:
        cannot_start(launch, "its descriptors cannot be set up: " + reason);
    case Stage::before_exec:
        cannot_start(launch, "its surroundings cannot be set up: " + reason);
    case Stage::folder:
        cannot_start(launch, "cannot enter " + launch.cwd.string() + ": " + reason);
    case Stage::exec:
        break;
    }
    cannot_start(launch, reason);
}

/// All signals are held back during the fork, so that no handler of ours runs in the child.
pid_t fork_quietly() {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid != 0) {
        const int error = errno;
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        errno = error;
    }
    return pid;
}

}  // namespace

void cannot_start(const Launch& launch, const std::string& why) {
    const std::string program = launch.argv.empty() ? "a program" : launch.argv.front();
    throw Error{ExitCode::surroundings, "cannot-start", "cannot start " + program + ": " + why};
}

pid_t spawn(
    const std::filesystem::path& program, const Launch& launch, const StandardDescriptors& standard
) {
    Plan plan = make_plan(program, launch, standard);
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        cannot_start(launch, std::strerror(errno));
    }
    const Descriptor report_in(ends[0]);
    Descriptor report_out(ends[1]);
    plan.report = report_out.get();
    const pid_t pid = fork_quietly();
    if (pid < 0) {
        cannot_start(launch, std::strerror(errno));
    }
    if (pid == 0) {
        run_child(plan);
    }
    report_out.reset();
    ChildFailure failure;
    ssize_t got = 0;
    do {
        got = ::read(report_in.get(), &failure, sizeof failure);
    } while (got < 0 && errno == EINTR);
    if (got > 0) {
        ::waitpid(pid, nullptr, 0);
        report_failure(launch, failure);
    }
    return pid;
}

}  // namespace wheelforge
