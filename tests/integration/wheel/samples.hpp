// SPDX-License-Identifier: Apache-2.0
// Device code made by real compilers (tests/samples/make), and wheels around it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "support/wheel_builder.hpp"
#include "wheel/verify/verify.hpp"

namespace wheelforge::wheel {

/// Runs tests/samples/make once; its last line is the folder.
[[nodiscard]] inline const fs::path& samples_folder() {
    static const fs::path folder = [] {
        Launch launch;
        launch.argv = {WHEELFORGE_SOURCE_DIR "/tests/samples/make"};
        launch.env = current_environment();
        const ProcessResult result = wheelforge::run(launch);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        const std::string output(trim(result.out));
        return fs::path(output.substr(output.rfind('\n') + 1));
    }();
    return folder;
}

class SampleTest : public testing::Test {
protected:
    /// Content of a sample; skips the test, with the reason, if it could not be made.
    std::string sample(const std::string& name) {
        const fs::path path = samples_folder() / name;
        if (fs::exists(path)) {
            return read_file(path);
        }
        skipped_ = read_file_if_there(samples_folder() / (name + ".skipped"))
                       .value_or(name + " was not made");
        return "";
    }
    [[nodiscard]] fs::path sample_path(const std::string& name) {
        static_cast<void>(sample(name));
        return samples_folder() / name;
    }

    /// Verifies a wheel that holds the sample.
    VerifyResult judge(const std::string& name, const std::string& archs) {
        const std::string content = sample(name);
        VerifyRequest request = request_;
        request.inputs = {support::WheelBuilder("pkg", "1.0", "cp311-cp311-linux_x86_64")
                              .file("pkg/libk.so", content)
                              .save(folder_.path())};
        request.archs = *parse_arch_list(archs);
        return verify(request);
    }
    /// Ids of the findings at a level, sorted, each once.
    static std::vector<std::string> ids(const VerifyResult& result, Level level) {
        std::set<std::string> found;
        for (const WheelVerdict& wheel : result.wheels) {
            for (const Finding& finding : wheel.findings) {
                if (finding.level == level) {
                    found.insert(finding.id);
                }
            }
        }
        return {found.begin(), found.end()};
    }
    FileReport inspect(const std::string& name) {
        const std::string content = sample(name);
        return inspect_bytes(name, ByteView(content)).value_or(FileReport());
    }

    std::string skipped_;
    VerifyRequest request_;
    TempDir folder_{fs::temp_directory_path(), "samples-"};
};

/// Asks for a sample first: GTEST_SKIP works in the body of a test only.
#define REQUIRE_SAMPLE(name)                                                                       \
    static_cast<void>(sample(name));                                                               \
    if (!skipped_.empty()) {                                                                       \
        GTEST_SKIP() << skipped_;                                                                  \
    }                                                                                              \
    static_assert(true, "wants a semicolon")

}  // namespace wheelforge::wheel
