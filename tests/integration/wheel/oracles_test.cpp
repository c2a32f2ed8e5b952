// SPDX-License-Identifier: Apache-2.0
// Our lists against those of llvm-readelf, clang-offload-bundler and cuobjdump, where they read the
// sample at all.
#include "samples.hpp"
#include <set>

namespace wheelforge::wheel {

using Names = std::set<std::string>;

class Oracle : public SampleTest {
protected:
    /// What tests/setup fills.
    static fs::path tests_cache() {
        const Environment environment = current_environment();
        const auto cache = environment.find("XDG_CACHE_HOME");
        return (cache == environment.end() ? home_directory() / ".cache" : fs::path(cache->second))
               / "wheelforge-tests";
    }

    /// Output of a program of clang 22; nullopt if it is not there.
    static std::optional<std::string>
    clang_tool(const std::string& name, std::vector<std::string> arguments) {
        Environment environment = current_environment();
        const fs::path root = environment.contains("WHEELFORGE_CLANG22")
                                  ? fs::path(environment["WHEELFORGE_CLANG22"])
                                  : tests_cache() / "rocm-clang-22";
        const fs::path program = root / "usr/lib/llvm-22/bin" / name;
        if (!fs::exists(program)) {
            return std::nullopt;
        }
        environment["LD_LIBRARY_PATH"] = (root / "usr/lib/x86_64-linux-gnu").string() + ":"
                                         + (root / "usr/lib/llvm-22/lib").string();
        return output_of(program.string(), std::move(arguments), environment);
    }

    static std::string without_family(std::string arch) {
        if (arch.ends_with('f')) {
            arch.pop_back();
        }
        return arch;
    }

    static std::optional<std::string> output_of(
        const std::string& program,
        std::vector<std::string> arguments,
        const Environment& environment = current_environment()
    ) {
        Launch launch;
        launch.argv = std::move(arguments);
        launch.argv.insert(launch.argv.begin(), program);
        launch.env = environment;
        launch.capture_limit = 16U << 20U;
        const ProcessResult result = wheelforge::run(launch);
        EXPECT_EQ(result.exit_code, 0) << program << ": " << result.err;
        return result.out;
    }
};

TEST_F(Oracle, ReadelfSeesTheSameKernels) {
    for (const char* name : {"hip-alone.hsaco", "triton-gfx942.hsaco", "triton-gfx1100.hsaco"}) {
        REQUIRE_SAMPLE(name);
        const auto table = clang_tool("llvm-readelf", {"-sW", sample_path(name).string()});
        if (!table) {
            GTEST_SKIP() << "llvm-readelf is not there: tests/setup --with rocm";
        }
        Names theirs;
        for (const std::string_view line : lines(*table)) {
            const std::string_view symbol = line.substr(line.rfind(' ') + 1);
            if (symbol.ends_with(".kd") && line.find("OBJECT") != std::string_view::npos) {
                theirs.emplace(symbol.substr(0, symbol.size() - 3));
            }
        }
        Names ours;
        const FileReport file = inspect(name);
        for (const auto& [kernel, body] : file.device.code.at(0).kernels) {
            ours.insert(kernel);
        }
        EXPECT_EQ(ours, theirs) << name;
        EXPECT_FALSE(ours.empty());
    }
}

TEST_F(Oracle, OffloadBundlerSeesTheSameTargets) {
    for (const char* name : {"hip-bundle.co", "hip-good.fatbin"}) {
        REQUIRE_SAMPLE(name);
        const auto list = clang_tool(
            "clang-offload-bundler", {"--list", "--type=o", "--input=" + sample_path(name).string()}
        );
        if (!list) {
            GTEST_SKIP() << "clang-offload-bundler is not there: tests/setup --with rocm";
        }
        Names theirs;
        for (const std::string_view line : lines(*list)) {
            const std::size_t at = line.find("gfx");
            if (at != std::string_view::npos) {
                theirs.emplace(line.substr(at));
            }
        }
        Names ours;
        const FileReport file = inspect(name);
        for (const DeviceCode& code : file.device.code) {
            ours.insert(code.arch);
        }
        EXPECT_EQ(ours, theirs) << name;
        EXPECT_FALSE(ours.empty());
    }
}

TEST_F(Oracle, CuobjdumpSeesTheSameCubins) {
    const fs::path program = tests_cache() / "cuobjdump-13.5" / "bin" / "cuobjdump";
    if (!fs::exists(program)) {
        GTEST_SKIP() << "cuobjdump is not there: tests/setup --with cuda";
    }
    for (const char* name : {"cuda-good.so", "cuda-chip-and-family.so", "cuda-separable.so"}) {
        REQUIRE_SAMPLE(name);
        const auto list = output_of(program.string(), {"-lelf", sample_path(name).string()});
        // It says sm_100 for sm_100f, and does not list what was linked from separate objects.
        Names theirs;
        for (const std::string_view line : lines(*list)) {
            const std::size_t at = line.find("sm_");
            if (at != std::string_view::npos) {
                theirs.insert(without_family(std::string(line.substr(at, line.find('.', at) - at)))
                );
            }
        }
        Names ours;
        const FileReport file = inspect(name);
        for (const DeviceCode& code : file.device.code) {
            if (code.format == "cubin") {
                ours.insert(without_family(code.arch));
            }
        }
        EXPECT_EQ(ours, theirs) << name;
    }
}

}  // namespace wheelforge::wheel
