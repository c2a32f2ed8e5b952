// SPDX-License-Identifier: Apache-2.0
#include "integration/base/launch.hpp"
#include <array>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/descriptor.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge {
namespace {

TEST(ProcessDescriptors, OnlyTheNamedOnesAreInherited) {
    // One that is not closed by exec on its own.
    const Descriptor leaking(::open("/dev/null", O_RDONLY));
    ASSERT_GE(leaking.get(), 3);
    const auto result = run(script("[ -e /proc/$$/fd/" + std::to_string(leaking.get()) + " ]"));
    EXPECT_NE(result.exit_code, 0);
}

TEST(ProcessDescriptors, AreThoseOfTheStandardAndNothingElse) {
    const Descriptor leaking(::open("/dev/null", O_RDONLY));
    Launch launch;
    launch.argv = {"/bin/ls", "/proc/self/fd"};
    EXPECT_EQ(run(launch).out, "0\n1\n2\n3\n");  // 3 is the folder itself
}

TEST(ProcessDescriptors, AreMappedToTheChildsNumbers) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    const Descriptor in(ends[0]);
    Descriptor out(ends[1]);
    auto launch = script("echo through >&7; [ ! -e /proc/$$/fd/6 ]");
    launch.descriptors = {{out.get(), 7}};
    EXPECT_EQ(run(launch).exit_code, 0);
    out.reset();
    std::array<char, 20> buffer{};
    EXPECT_EQ(::read(in.get(), buffer.data(), buffer.size()), 8);
    EXPECT_EQ(std::string(buffer.data(), 8), "through\n");
}

TEST(ProcessDescriptors, MayTradeNumbers) {
    // Each is mapped to the number that the other one has here.
    const TempDir folder(fs::temp_directory_path());
    const Descriptor one(::open((folder.path() / "1").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600)
    );
    const Descriptor two(::open((folder.path() / "2").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600)
    );
    auto launch = script(
        "echo a > /proc/self/fd/" + std::to_string(two.get()) + "; echo b > /proc/self/fd/"
        + std::to_string(one.get())
    );
    launch.descriptors = {{one.get(), two.get()}, {two.get(), one.get()}};
    const auto result = run(launch);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(read_file(folder.path() / "1"), "a\n");
    EXPECT_EQ(read_file(folder.path() / "2"), "b\n");
}

TEST(ProcessDescriptors, MayBeMappedToTheirOwnNumber) {
    const TempDir folder(fs::temp_directory_path());
    const Descriptor file(
        ::open((folder.path() / "f").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600)
    );
    auto launch = script("echo x > /proc/self/fd/" + std::to_string(file.get()));
    launch.descriptors = {{file.get(), file.get()}};
    EXPECT_EQ(run(launch).exit_code, 0);
    EXPECT_EQ(read_file(folder.path() / "f"), "x\n");
}

TEST(ProcessDescriptors, ThatAreClosedHereAreAnError) {
    auto launch = script("true");
    launch.descriptors = {{999, 5}};
    EXPECT_EQ(support::thrown_error([&] { (void)run(launch); }).id(), "cannot-start");
}

TEST(ProcessSignals, AreAtTheirDefaultsInTheChild) {
    struct sigaction ignore {};
    struct sigaction before {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before);
    sigset_t blocked;
    sigset_t mask;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGUSR1);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &mask);
    const auto result = run(script("grep -E '^Sig(Blk|Ign):' /proc/self/status"));
    ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    ::sigaction(SIGPIPE, &before, nullptr);
    EXPECT_EQ(result.out, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST(ProcessSignals, AreUnblockedHereAfterwards) {
    sigset_t before;
    sigset_t after;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
    (void)run(script("true"));
    ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
    for (int number = 1; number < NSIG; ++number) {
        EXPECT_EQ(::sigismember(&before, number), ::sigismember(&after, number)) << number;
    }
}

}  // namespace
}  // namespace wheelforge
