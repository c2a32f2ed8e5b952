// SPDX-License-Identifier: Apache-2.0
#include "build_world.hpp"
#include <cstdlib>

#include "base/process.hpp"

namespace wheelforge::build {
namespace {

class InterpreterProbe : public ::testing::Test {
protected:
    void SetUp() override { make_directories(bin()); }
    [[nodiscard]] fs::path bin() const { return folder_.path() / "bin"; }
    [[nodiscard]] fs::path folder() const { return folder_.path(); }

    static void script(const fs::path& path, const std::string& text) {
        write_file(path, "#!/bin/sh\n" + text + "\n");
        fs::permissions(path, fs::perms(0755));
    }
    static std::string series() {
        const auto& release = test_interpreter().target.python.release();
        return release[0].text() + "." + release[1].text();
    }
    /// A shim that prints what such programs print for a version that is not activated.
    void add_broken_shim(const fs::path& path) const {
        script(path, "echo \"shim: $0: command not found\" >&2; exit 127");
    }
    static std::string id_of(const std::string& wanted, const std::string& path) {
        try {
            static_cast<void>(probe_interpreter(wanted, path));
            return "";
        } catch (const Error& error) {
            return error.id();
        }
    }

private:
    TempDir folder_{fs::temp_directory_path(), "wheelforge-python-"};
};

TEST_F(InterpreterProbe, TellsWhatAnInterpreterIs) {
    const Interpreter& python = test_interpreter();
    EXPECT_FALSE(fs::is_symlink(python.executable));
    EXPECT_TRUE(fs::exists(python.stdlib / "os.py"));
    EXPECT_EQ(python.digest.size(), 64U);
    EXPECT_EQ(python.site_packages, "lib/python" + series() + "/site-packages");
    EXPECT_EQ(python.has_headers, fs::exists(python.include / "Python.h"));
    EXPECT_GT(python.target.tags.size(), 10U);
    EXPECT_EQ(python.target.glibc_major, 2);
}

TEST_F(InterpreterProbe, SeesThroughVirtualEnvironmentsAndLinks) {
    const Interpreter& python = test_interpreter();
    const fs::path venv = folder() / "venv";
    Launch launch;
    launch.argv = {python.executable, "-I", "-m", "venv", "--without-pip", "--copies", venv};
    launch.env = {{"PATH", "/usr/bin:/bin"}};
    if (run(launch).exit_code != 0) {
        GTEST_SKIP() << "this Python has no module venv";
    }
    fs::create_symlink(python.executable, bin() / "some-python");
    for (const std::string& wanted :
         {venv.string(), (venv / "bin/python").string(), std::string("some-python")}) {
        const Interpreter seen = probe_interpreter(wanted, bin());
        EXPECT_EQ(seen.executable, python.executable) << wanted;
        EXPECT_EQ(seen.base_prefix, python.base_prefix) << wanted;
        EXPECT_EQ(seen.digest, python.digest) << wanted;
        EXPECT_EQ(seen.include, python.include) << wanted;
    }
}

TEST_F(InterpreterProbe, TriesTheNextOnPathWhereOneDoesNotStart) {
    add_broken_shim(folder() / "shims" / ("python" + series()));
    fs::create_symlink(test_interpreter().executable, bin() / ("python" + series()));
    const auto path = (folder() / "shims").string() + ":" + bin().string();
    EXPECT_EQ(probe_interpreter(series(), path).executable, test_interpreter().executable);
}

TEST_F(InterpreterProbe, TakesPython3WhereItsVersionFits) {
    fs::create_symlink(test_interpreter().executable, bin() / "python3");
    EXPECT_EQ(probe_interpreter(series(), bin()).executable, test_interpreter().executable);
    EXPECT_EQ(id_of("3.99", bin()), "python-not-found");
}

TEST_F(InterpreterProbe, LooksBehindShims) {
    add_broken_shim(folder() / "shims" / ("python" + series()));
    make_directories(folder() / "versions" / "1" / "bin");
    fs::create_symlink(
        test_interpreter().executable, folder() / "versions" / "1" / "bin" / ("python" + series())
    );
    EXPECT_EQ(
        probe_interpreter(series(), folder() / "shims").executable, test_interpreter().executable
    );
}

TEST_F(InterpreterProbe, SaysWhatWasTried) {
    add_broken_shim(bin() / "python3.99");
    try {
        static_cast<void>(probe_interpreter("3.99", bin()));
        FAIL() << "found";
    } catch (const Error& error) {
        EXPECT_EQ(error.id(), "python-not-found");
        EXPECT_EQ(error.message(), "no Python 3.99 on PATH");
        const auto program = (bin() / "python3.99").string();
        EXPECT_EQ(
            error.advice().front(),
            "tried " + program + ": shim: " + program + ": command not found"
        );
    }
}

TEST_F(InterpreterProbe, RefusesWhatIsNoCPython) {
    script(bin() / "talks", "echo hello");
    EXPECT_EQ(id_of((bin() / "talks").string(), ""), "python-not-found");
    EXPECT_EQ(id_of((bin() / "missing").string(), ""), "python-not-found");
    script(
        bin() / "old",
        R"(echo '{"executable": "/x", "base_prefix": "/", "implementation": "CPython", "version": "3.7.1", "series": [3, 7], "system": "linux", "machine": "x86_64", "libc": "glibc 2.36", "stdlib": "/", "include": "/", "free_threaded": false, "identity": []}')"
    );
    EXPECT_EQ(id_of((bin() / "old").string(), ""), "python-unsupported");
    script(
        bin() / "other",
        R"(echo '{"executable": "/x", "base_prefix": "/", "implementation": "PyPy", "version": "3.10.1", "series": [3, 10], "system": "linux", "machine": "x86_64", "libc": "glibc 2.36", "stdlib": "/", "include": "/", "free_threaded": false, "identity": []}')"
    );
    EXPECT_EQ(id_of((bin() / "other").string(), ""), "python-unsupported");
    script(bin() / "short", "echo '{}'");
    EXPECT_EQ(id_of((bin() / "short").string(), ""), "python-not-found");
}

/// Environments without `venv` and pip: what a bare Debian has.
TEST_F(InterpreterProbe, WorksForADistributionsBarePython) {
    const fs::path bare = "/usr/bin/python3";
    if (!fs::exists(bare)) {
        GTEST_SKIP() << "no " << bare;
    }
    const Interpreter python = probe_interpreter(bare, "");
    EXPECT_EQ(python.base_prefix, "/usr");
    const TreeCache cache(folder() / "trees", python);
    const SandboxProbe none{SandboxLevel::none, false, ""};
    const auto paths = build_paths(SandboxLevel::none, folder());
    static_cast<void>(provide_environment(cache, {}, none, paths, folder()));
    Launch launch;
    launch.argv = {
        paths.environment / "bin/python",
        "-c",
        "import sys; print(sys.prefix, [p for p in sys.path if 'dist-packages' in p])"
    };
    EXPECT_EQ(run(launch).out, paths.environment.string() + " []\n");
}

}  // namespace
}  // namespace wheelforge::build
