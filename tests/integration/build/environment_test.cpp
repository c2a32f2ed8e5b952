// SPDX-License-Identifier: Apache-2.0
#include "build_world.hpp"
#include <thread>

#include "base/process.hpp"
#include "base/text.hpp"

namespace wheelforge::build {
namespace {

class BuildEnvironment : public EveryWay {
protected:
    [[nodiscard]] fs::path wheels() { return world().root() / "wheels"; }

    /// Runs a program of the environment, returns what it prints.
    std::string output_of(std::vector<std::string> argv) {
        Launch launch = world().launch();
        argv[0] = (world().paths().environment / "bin" / argv[0]).string();
        launch.argv = std::move(argv);
        launch.log.clear();
        const auto result = run_enclosed(std::move(launch), world().sandbox(), world().scratch());
        return result.exit_code == 0 ? result.out : result.err;
    }
    std::string python(const std::string& program) { return output_of({"python", "-c", program}); }
};
INSTANTIATE_TEST_SUITE_P(
    Build, BuildEnvironment, ::testing::Values(Way::overlay, Way::copies, Way::none), way_name
);

TEST_P(BuildEnvironment, IsAVirtualEnvironment) {
    const fs::path prefix = world().paths().environment;
    EXPECT_EQ(python("import sys; print(sys.prefix)"), prefix.string() + "\n");
    EXPECT_EQ(
        python("import sys; print(sys.base_prefix)"), test_interpreter().base_prefix.string() + "\n"
    );
    EXPECT_EQ(
        python("import sysconfig; print(sysconfig.get_path('purelib'))"),
        (prefix / test_interpreter().site_packages).string() + "\n"
    );
    EXPECT_EQ(python("import sys; print([p for p in sys.path if 'dist-packages' in p])"), "[]\n");
}

TEST_P(BuildEnvironment, HoldsWhatTheWheelsBring) {
    world().install({
        make_wheel(wheels(), "zlast", {{"zlast.py", "import first\nVALUE = first.VALUE + 1\n"}}),
        make_wheel(
            wheels(),
            "first",
            {{"first.py", "VALUE = 41\ndef main():\n    print('main', VALUE)\n    return 0\n"},
             {"first-1.0.dist-info/entry_points.txt", "[console_scripts]\nfirst-tool = first:main\n"
             },
             {"first-1.0.data/scripts/first-script", "#!python\nimport sys\nprint(sys.prefix)\n"},
             {"first-1.0.data/headers/first.h", "#define FIRST\n"},
             {"first-1.0.data/data/share/first.txt", "data\n"},
             {"first-1.0.data/data/lib64/first.txt", "data\n"},
             {"first-1.0.data/purelib/pure.py", ""},
             {"first-1.0.data/platlib/plat.py", ""}}
        ),
    });
    const fs::path prefix = world().paths().environment;
    EXPECT_EQ(python("import zlast, pure, plat; print(zlast.VALUE)"), "42\n");
    EXPECT_EQ(output_of({"first-tool"}), "main 41\n");
    EXPECT_EQ(output_of({"first-script"}), prefix.string() + "\n");
    EXPECT_EQ(
        python("import importlib.metadata as m; d = m.distribution('first');"
               "print(d.version, d.read_text('INSTALLER').strip(), all(f.locate().exists() for f "
               "in d.files))"),
        "1.0 wheelforge True\n"
    );
    EXPECT_EQ(
        python("import sys, os; print(*sorted(os.listdir(sys.prefix)))"),
        "bin include lib lib64 pyvenv.cfg share\n"
    );
    EXPECT_EQ(python("import os, sys; print(os.readlink(sys.prefix + '/lib64'))"), "lib\n");
}

TEST_P(BuildEnvironment, HasModulesCompiledForTheirPlace) {
    world().install({make_wheel(wheels(), "mod", {{"mod.py", "def f():\n    pass\n"}})});
    const std::string program =
        "import mod; print(mod.f.__code__.co_filename); print(mod.__cached__)";
    const auto printed = python(program);
    if (GetParam() != Way::none) {
        const auto place =
            (world().paths().environment / test_interpreter().site_packages).string();
        EXPECT_TRUE(printed.starts_with(place + "/mod.py\n" + place + "/__pycache__/mod."))
            << printed;
    }
    const fs::path tree =
        world().cache().tree(make_wheel(wheels(), "mod", {{"mod.py", "def f():\n    pass\n"}}));
    const fs::path cached = tree / test_interpreter().site_packages / "__pycache__";
    ASSERT_TRUE(fs::exists(cached));
    std::string pyc = read_file(fs::directory_iterator(cached)->path());
    EXPECT_EQ(pyc.substr(4, 4), std::string("\x01\0\0\0", 4));  // unchecked-hash
}

/// The promise of the cache: as root too, links are no protection, and there are none.
TEST_P(BuildEnvironment, IsNotTheCache) {
    const auto wheel = make_wheel(
        wheels(), "victim", {{"victim.py", "VALUE = 'pure'\n"}, {"victim_data.txt", "kept\n"}}
    );
    world().install({wheel});
    ASSERT_TRUE(world().build("write_environment"));
    const fs::path site = world().cache().tree(wheel) / test_interpreter().site_packages;
    EXPECT_EQ(read_file(site / "victim.py"), "VALUE = 'pure'\n");
    EXPECT_EQ(read_file(site / "victim_data.txt"), "kept\n");
    EXPECT_FALSE(fs::exists(site / "added.py"));
    EXPECT_EQ(python("import victim; print(victim.VALUE)"), "pure\n");  // the next build
}

TEST_P(BuildEnvironment, CanBeMadeOfManyWheels) {
    const int count = GetParam() == Way::overlay ? 120 : 5;  // mount options must fit a page
    std::vector<InstalledWheel> many;
    for (int i = 0; i < count; ++i) {
        many.push_back(make_wheel(wheels(), "many" + std::to_string(i), {{"shared/same.txt", ""}}));
    }
    world().install(many);
    EXPECT_EQ(
        python("import importlib.metadata as m; print(len(list(m.distributions())))"),
        std::to_string(count) + "\n"
    );
}

/// Many builds ask for the same tree at once; and one was killed while it made it.
TEST_P(BuildEnvironment, IsMadeOnceByManyAtOnce) {
    const auto wheel = make_wheel(wheels(), "shared", {{"shared.py", "X = 1\n"}});
    const fs::path first = world().cache().tree(wheel);
    const fs::path entry = first.parent_path();
    const fs::path staging = world().root() / "trees/staging";
    const fs::path left = staging / (entry.filename().string().substr(0, 16) + "-killed");
    make_directories(left / "root");
    remove_tree(entry);
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] { EXPECT_EQ(world().cache().tree(wheel), first); });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    EXPECT_TRUE(fs::exists(first / test_interpreter().site_packages / "shared.py"));
    EXPECT_TRUE(fs::is_empty(staging));
}

TEST_P(BuildEnvironment, RefusesTwoOwnersOfAFile) {
    world().install({
        make_wheel(wheels(), "one", {{"same.py", "A = 1\n"}}),
        make_wheel(wheels(), "two", {{"same.py", "A = 2\n"}}),
    });
    try {
        static_cast<void>(world().launch());
        FAIL() << "no conflict seen";
    } catch (const Error& error) {
        EXPECT_EQ(error.id(), "file-conflict");
        EXPECT_EQ(
            error.message(),
            "one-1.0-py3-none-any.whl and two-1.0-py3-none-any.whl both own "
                + test_interpreter().site_packages + "/same.py"
        );
    }
}

TEST_P(BuildEnvironment, RefusesAWheelThatReplacesTheInterpreter) {
    world().install({make_wheel(wheels(), "evil", {{"evil-1.0.data/scripts/python", "#!/bin/sh\n"}})
    });
    EXPECT_THROW(static_cast<void>(world().launch()), Error);
}

}  // namespace
}  // namespace wheelforge::build
