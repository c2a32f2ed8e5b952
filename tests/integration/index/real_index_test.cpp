// SPDX-License-Identifier: Apache-2.0
// The package index this machine's pip is configured for, if it answers: real pages, real servers.
#include <algorithm>
#include <future>

#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "index/pip_config.hpp"
#include "support/fixture_index.hpp"

namespace wheelforge::index {
namespace {

template <typename T, typename Call>
std::future<T> ask(Call&& call) {
    auto promise = std::make_shared<std::promise<T>>();
    call([promise](T value, std::exception_ptr error) {
        error ? promise->set_exception(error) : promise->set_value(std::move(value));
    });
    return promise->get_future();
}

/// The caller's PIP_* variables, which tests/run keeps under another name.
Environment caller_environment() {
    static constexpr std::string_view saved = "WHEELFORGE_TEST_";
    auto env = current_environment();
    for (const auto& [name, value] : current_environment()) {
        if (name.starts_with(saved)) {
            env[name.substr(saved.size())] = value;
        }
    }
    return env;
}

class RealIndex : public testing::Test {
protected:
    TempDir folder{testing::TempDir(), "real-"};
    std::unique_ptr<PackageIndex> index;

    void SetUp() override {
        try {
            PipConfigInput input;
            input.env = caller_environment();
            input.interpreter = support::FixtureIndex::python().value_or("");
            auto settings = pip_index_settings(input);
            settings.http.retries = 0;
            settings.http.timeout = std::chrono::seconds(20);
            settings.find_links.clear();
            index = std::make_unique<PackageIndex>(settings);
            (void)project("click").get();
        } catch (const Error& error) {
            GTEST_SKIP() << "no package index answers: " << error.message();
        }
    }
    std::future<ProjectPage> project(const std::string& name) {
        return ask<ProjectPage>([&](auto done) { index->project(name, std::nullopt, done); });
    }
    DistributionFile file(const std::string& filename) {
        const auto page = project(filename.substr(0, filename.find('-'))).get();
        const auto found = std::ranges::find(page.files, filename, &DistributionFile::filename);
        if (found == page.files.end()) {
            throw std::runtime_error("no " + filename);
        }
        return *found;
    }
};

TEST_F(RealIndex, GivesThirtyProjectsAtOnce) {
    std::vector<std::pair<std::string, std::future<ProjectPage>>> pages;
    for (const auto* name : {"numpy",        "requests",
                             "click",        "attrs",
                             "stevedore",    "jinja2",
                             "markupsafe",   "flit-core",
                             "setuptools",   "wheel",
                             "hatchling",    "packaging",
                             "pyyaml",       "cython",
                             "meson-python", "ninja",
                             "cmake",        "pip",
                             "urllib3",      "idna",
                             "certifi",      "charset-normalizer",
                             "six",          "aiohttp",
                             "pydantic",     "pydantic-core",
                             "scipy",        "pandas",
                             "pbr",          "maturin"}) {
        pages.emplace_back(name, project(name));
    }
    for (auto& [name, page] : pages) {
        const auto got = page.get();
        EXPECT_GT(got.files.size(), 10U) << name;
        // Old formats apart, nearly everything is understood.
        EXPECT_LT(
            std::ranges::count_if(
                got.skipped,
                [](const auto& line) { return !line.ends_with("an sdist nor a wheel"); }
            ),
            10
        ) << name;
    }
}

TEST_F(RealIndex, KnowsNothingOfANameThatNobodyHas) {
    EXPECT_TRUE(project("wheelforge-no-such-project-0").get().files.empty());
}

TEST_F(RealIndex, GivesMetadataOfAWheelWithoutTheWheel) {
    const auto wheel = file("click-8.1.7-py3-none-any.whl");
    const auto metadata = ask<std::optional<std::string>>([&](auto done) {
                              index->wheel_metadata(wheel, done);
                          }).get();
    if (!metadata) {
        GTEST_SKIP() << "the index serves neither metadata nor ranges";
    }
    EXPECT_NE(metadata->find("\nName: click\nVersion: 8.1.7\n"), std::string::npos);
}

TEST_F(RealIndex, GivesAnSdistThatAgreesWithItsHash) {
    const auto sdist = file("click-8.1.7.tar.gz");
    const auto done = ask<PackageIndex::Download>([&](auto answer) {
                          index->download(sdist, folder.path(), answer);
                      }).get();
    EXPECT_TRUE(done.hash_was_stated);
    EXPECT_EQ(sha256_file(done.path), done.sha256);
    EXPECT_EQ(done.sha256, "ca9853ad459e787e2192211578cc907e7594e294c7ccc834310722b41b9ca6de");
}

}  // namespace
}  // namespace wheelforge::index
