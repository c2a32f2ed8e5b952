// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "store/store.hpp"

namespace fs = std::filesystem;
using wheelforge::Error;
using wheelforge::TempDir;
using wheelforge::store::Entry;
using wheelforge::store::Store;

namespace {

const std::string key_a(64, 'a');
const std::string key_b = "b" + std::string(63, '0');

class StoreTest : public ::testing::Test {
protected:
    Store::Publication publication(const std::string& key, const std::string& content = "wheel") {
        fs::path wheel = temporary_.path() / "in" / "demo-1.0-py3-none-any.whl";
        wheelforge::write_file(wheel, content);
        Store::Publication publication;
        publication.key = key;
        publication.inputs_text = "source sha256 1\n";
        publication.name = "demo";
        publication.version = "1.0";
        publication.wheel = wheel;
        publication.sha256 = wheelforge::sha256(content);
        publication.payload = "payload";
        publication.record_json = "{\"record\": 1}\n";
        publication.sbom_json = "{\"sbom\": 1}\n";
        return publication;
    }

    fs::path root() const { return temporary_.path() / "cache"; }

    fs::path folder(const std::string& key) const {
        return root() / "entries" / key.substr(0, 2) / key;
    }

private:
    TempDir temporary_{fs::temp_directory_path(), "store-test-"};
};

void overwrite(const fs::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

std::size_t count_entries(const fs::path& folder) {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder)) {
        ++count;
    }
    return count;
}

/// A process that opens the store, makes a scratch folder with something in it, and dies without
/// cleaning up.
void die_with_scratch(const fs::path& root) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        Store store(root);
        wheelforge::write_file(store.scratch().release() / "deep" / "file", "left over");
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
}

}  // namespace

TEST_F(StoreTest, FindsWhatWasPublished) {
    Store store(root());
    EXPECT_FALSE(store.find(key_a));
    Entry published = store.publish(publication(key_a));
    auto found = store.find(key_a);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, "demo");
    EXPECT_EQ(found->version, "1.0");
    EXPECT_EQ(found->filename, "demo-1.0-py3-none-any.whl");
    EXPECT_EQ(found->payload, "payload");
    EXPECT_EQ(found->wheel, published.wheel);
    EXPECT_EQ(wheelforge::read_file(found->wheel), "wheel");
    EXPECT_EQ(wheelforge::read_file(found->record), "{\"record\": 1}\n");
    EXPECT_EQ(wheelforge::read_file(found->sbom), "{\"sbom\": 1}\n");
    EXPECT_EQ(wheelforge::read_file(folder(key_a) / "inputs.txt"), "source sha256 1\n");
    EXPECT_FALSE(store.find(key_b));
}

TEST_F(StoreTest, SurvivesTheProcess) {
    { Store(root()).publish(publication(key_a)); }
    EXPECT_TRUE(Store(root()).find(key_a));
}

TEST_F(StoreTest, TheFasterPublisherWins) {
    Store store(root());
    store.publish(publication(key_a, "first"));
    Entry second = store.publish(publication(key_a, "second"));
    EXPECT_EQ(wheelforge::read_file(second.wheel), "first");
    EXPECT_EQ(second.sha256, wheelforge::sha256("first"));
}

TEST_F(StoreTest, ADamagedWheelIsRemovedSaidAndAbsent) {
    Store store(root());
    std::vector<std::string> notices;
    store.on_notice([&](const std::string& line) { notices.push_back(line); });
    Entry entry = store.publish(publication(key_a));
    overwrite(entry.wheel, "whee!");
    EXPECT_FALSE(store.find(key_a));
    EXPECT_FALSE(fs::exists(folder(key_a)));
    ASSERT_EQ(notices.size(), 1U);
    EXPECT_NE(notices[0].find(key_a), std::string::npos);
    EXPECT_NE(notices[0].find("other bytes"), std::string::npos);
}

TEST_F(StoreTest, AnEntryIsDamagedWhenAFileOfItIsMissingOrWrong) {
    Store store(root());
    for (const char* file : {"entry.json", "record.json", "sbom.cdx.json"}) {
        store.publish(publication(key_a));
        fs::remove(folder(key_a) / file);
        EXPECT_FALSE(store.find(key_a)) << file;
    }
    for (const char* text : {"", "{", "[]", R"({"format":"wheelforge entry 1"})"}) {
        store.publish(publication(key_a));
        overwrite(folder(key_a) / "entry.json", text);
        EXPECT_FALSE(store.find(key_a)) << text;
    }
}

TEST_F(StoreTest, AnEntryThatNamesAFileElsewhereIsDamaged) {
    Store store(root());
    store.publish(publication(key_a));
    std::string text = wheelforge::read_file(folder(key_a) / "entry.json");
    std::string name = "demo-1.0-py3-none-any.whl";
    text.replace(text.find(name), name.size(), "../../../../in/" + name);
    overwrite(folder(key_a) / "entry.json", text);
    EXPECT_FALSE(store.find(key_a));
}

TEST_F(StoreTest, AnEntryCopiedUnderAnotherKeyIsDamaged) {
    Store store(root());
    store.publish(publication(key_a));
    fs::create_directories(folder(key_b).parent_path());
    fs::copy(folder(key_a), folder(key_b), fs::copy_options::recursive);
    EXPECT_FALSE(store.find(key_b));
    EXPECT_TRUE(store.find(key_a));
}

TEST_F(StoreTest, PublishReplacesADamagedEntry) {
    Store store(root());
    Entry entry = store.publish(publication(key_a, "good"));
    overwrite(entry.wheel, "evil");
    Entry again = store.publish(publication(key_a, "good"));
    EXPECT_EQ(wheelforge::read_file(again.wheel), "good");
}

TEST_F(StoreTest, LeavesNoDraftBehind) {
    Store store(root());
    store.publish(publication(key_a));
    store.publish(publication(key_a));
    fs::path run = store.scratch().path().parent_path();
    EXPECT_EQ(count_entries(run), 1U) << "only its lock file";
}

TEST_F(StoreTest, KeysThatAreNotFileNamesAreRefused) {
    Store store(root());
    for (const char* key : {"", "a", "../up", "a/b", ".hidden", "a b"}) {
        EXPECT_THROW((void)store.find(key), std::invalid_argument) << key;
        EXPECT_THROW((void)store.recall("hooks", key), std::invalid_argument) << key;
    }
}

TEST_F(StoreTest, RemembersAnswers) {
    Store store(root());
    EXPECT_FALSE(store.recall("hooks", key_a));
    store.remember("hooks", key_a, R"({"requires":["wheel"]})");
    store.remember("facts", key_a, "[]");
    EXPECT_EQ(store.recall("hooks", key_a), R"({"requires":["wheel"]})");
    EXPECT_EQ(store.recall("facts", key_a), "[]");
    store.remember("hooks", key_a, "null");
    EXPECT_EQ(store.recall("hooks", key_a), "null");
}

TEST_F(StoreTest, ADamagedAnswerIsForgotten) {
    Store store(root());
    fs::path file = root() / "memo" / "hooks" / key_a.substr(0, 2) / (key_a + ".json");
    store.remember("hooks", key_a, R"({"requires":["wheel"]})");
    std::string good = wheelforge::read_file(file);
    for (std::size_t length : {std::size_t{0}, std::size_t{20}, good.size() / 2, good.size() - 1}) {
        overwrite(file, good.substr(0, length));
        EXPECT_FALSE(store.recall("hooks", key_a)) << length;
    }
    std::string flipped = good;
    flipped[flipped.find("wheel")] = 'W';
    overwrite(file, flipped);
    EXPECT_FALSE(store.recall("hooks", key_a));
    overwrite(file, good);
    EXPECT_TRUE(store.recall("hooks", key_a));
}

TEST_F(StoreTest, SweepsTheScratchOfDeadProcessesOnly) {
    Store alive(root());
    TempDir work = alive.scratch();
    die_with_scratch(root());
    EXPECT_EQ(count_entries(root() / "scratch"), 2U);
    Store next(root());
    EXPECT_EQ(count_entries(root() / "scratch"), 2U) << "the living one and the new one";
    EXPECT_TRUE(fs::exists(work.path()));
}

TEST_F(StoreTest, RemovesItsOwnScratchAtTheEnd) {
    { Store store(root()); }
    EXPECT_EQ(count_entries(root() / "scratch"), 0U);
}

TEST_F(StoreTest, TheLockOfAKeyExcludes) {
    Store store(root());
    Store other(root());
    bool entered = false;
    std::thread waiting;
    {
        auto lock = store.lock(key_a);
        auto free_one = other.lock(key_b);
        waiting = std::thread([&] {
            auto second = other.lock(key_a);
            entered = true;
        });
        EXPECT_FALSE(wheelforge::FileLock::acquire(
            root() / "locks" / (key_a + ".lock"), wheelforge::FileLock::Wait::no
        ));
    }
    waiting.join();
    EXPECT_TRUE(entered);
}

TEST_F(StoreTest, RefusesAnotherFormat) {
    { Store store(root()); }
    EXPECT_EQ(wheelforge::read_file(root() / "format"), "wheelforge store 1\n");
    for (const char* format : {"wheelforge store 2\n", "something else\n", ""}) {
        wheelforge::write_file(root() / "format", format);
        try {
            Store store(root());
            ADD_FAILURE() << "accepted " << format;
        } catch (const Error& error) {
            EXPECT_EQ(error.id(), "cache-unusable");
            EXPECT_EQ(error.code(), wheelforge::ExitCode::surroundings);
            EXPECT_NE(error.message().find(root().string()), std::string::npos);
        }
    }
}

TEST_F(StoreTest, SaysWhenTheFolderCannotBeMade) {
    wheelforge::write_file(root(), "a file where the folder should be");
    try {
        Store store(root());
        FAIL() << "accepted a file";
    } catch (const Error& error) {
        EXPECT_EQ(error.id(), "cache-unusable");
        ASSERT_FALSE(error.advice().empty());
        EXPECT_NE(error.advice()[0].find("--cache-dir"), std::string::npos);
    }
}

class CacheDirectory : public ::testing::Test {
protected:
    void SetUp() override {
        unsetenv("WHEELFORGE_CACHE_DIR");
        unsetenv("XDG_CACHE_HOME");
        setenv("HOME", "/home/somebody", 1);
    }
};

TEST_F(CacheDirectory, PrefersOurOwnVariable) {
    setenv("XDG_CACHE_HOME", "/xdg", 1);
    setenv("WHEELFORGE_CACHE_DIR", "/own", 1);
    EXPECT_EQ(wheelforge::store::default_cache_directory(), "/own");
}

TEST_F(CacheDirectory, FollowsXdgUnlessRelative) {
    setenv("XDG_CACHE_HOME", "/xdg", 1);
    EXPECT_EQ(wheelforge::store::default_cache_directory(), "/xdg/wheelforge");
    setenv("XDG_CACHE_HOME", "relative", 1);
    EXPECT_EQ(wheelforge::store::default_cache_directory(), "/home/somebody/.cache/wheelforge");
}

TEST_F(CacheDirectory, EmptyVariablesCountAsUnset) {
    setenv("XDG_CACHE_HOME", "", 1);
    setenv("WHEELFORGE_CACHE_DIR", "", 1);
    EXPECT_EQ(wheelforge::store::default_cache_directory(), "/home/somebody/.cache/wheelforge");
}
