// SPDX-License-Identifier: Apache-2.0
// PackageIndex against the loopback index.
#include <algorithm>
#include <future>

#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "base/zip.hpp"
#include "index/index.hpp"
#include "support/fixture_index.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge::index {
namespace {

using namespace std::chrono_literals;
using support::FixtureIndex;
using support::thrown_error;

const std::string metadata =
    "Metadata-Version: 2.1\nName: click\nVersion: 1.0\nRequires-Python: >=3.7\n";
constexpr const char* wheel_name = "click-1.0-py3-none-any.whl";

/// Calls an asynchronous method and waits for its answer.
template <typename T, typename Call>
T wait(Call&& call) {
    auto promise = std::make_shared<std::promise<T>>();
    call([promise](T value, std::exception_ptr error) {
        error ? promise->set_exception(error) : promise->set_value(std::move(value));
    });
    return promise->get_future().get();
}

class Index : public testing::Test {
protected:
    TempDir folder{testing::TempDir(), "index-"};
    std::unique_ptr<FixtureIndex> server;
    IndexSettings settings;

    void SetUp() override {
        if (!FixtureIndex::python()) {
            GTEST_SKIP() << "no python3 to run the loopback server";
        }
        start({});
    }
    void start(const std::vector<std::string>& options) {
        server = std::make_unique<FixtureIndex>(options);
        server->add("click", "click-1.0.tar.gz", "sdist");
        server->add("click", wheel_name, wheel());
        settings.index_urls = {server->url("/simple")};
        settings.http.retries = 1;
    }
    /// With METADATA far from its end.
    std::string wheel() {
        ZipWriter writer(folder.path() / wheel_name);
        writer.add("click-1.0.dist-info/METADATA", metadata);
        std::string noise;
        for (std::uint32_t state = 1; noise.size() < 200'000;) {
            state = state * 1664525U + 1013904223U;
            noise.push_back(static_cast<char>(state >> 24U));
        }
        writer.add("click/data", noise);
        writer.commit();
        return read_file(folder.path() / wheel_name);
    }
    ProjectPage project(const std::string& name, std::optional<std::string> only = std::nullopt) {
        PackageIndex index(settings);
        return wait<ProjectPage>([&](auto done) { index.project(name, only, done); });
    }
    DistributionFile file(const std::string& name) {
        const auto page = project("click");
        const auto found = std::ranges::find(page.files, name, &DistributionFile::filename);
        if (found == page.files.end()) {
            throw std::runtime_error("no " + name);
        }
        return *found;
    }
    PackageIndex::Download download(const DistributionFile& wanted) {
        PackageIndex index(settings);
        return wait<PackageIndex::Download>([&](auto done) { index.download(wanted, out(), done); }
        );
    }
    std::optional<std::string> wheel_metadata(const DistributionFile& wanted) {
        PackageIndex index(settings);
        return wait<std::optional<std::string>>([&](auto done) {
            index.wheel_metadata(wanted, done);
        });
    }
    [[nodiscard]] fs::path out() const { return folder.path() / "out"; }
    template <typename Work>
    static std::string id_of(Work&& work) {
        return thrown_error(std::forward<Work>(work)).id();
    }
};

TEST_F(Index, HtmlAndJsonSayTheSame) {
    for (const auto* format : {"html", "json", "both"}) {
        start({"--format", format, "--metadata"});
        const auto page = project("click");
        ASSERT_EQ(page.files.size(), 2U) << format;
        const auto& found = page.files[0];
        EXPECT_EQ(found.filename, wheel_name);
        EXPECT_EQ(found.url, server->url("/files/click/" + std::string(wheel_name)));
        EXPECT_EQ(found.hashes.at("sha256"), sha256(wheel()));
        EXPECT_EQ(found.requires_python->text(), ">=3.7");
        EXPECT_EQ(found.metadata_hashes->at("sha256"), sha256(metadata));
        EXPECT_EQ(found.index_url, server->url("/simple"));
    }
}

TEST_F(Index, PrefersJson) {
    (void)project("click");
    EXPECT_EQ(server->requests("vnd.pypi.simple.v1+json").size(), 1U);
}

TEST_F(Index, UnknownProjectIsAnEmptyPage) {
    const auto page = project("no-such");
    EXPECT_EQ(page.name, "no-such");
    EXPECT_TRUE(page.files.empty());
}

TEST_F(Index, NextIndexIsAskedOnlyWhereTheFirstKnowsNothing) {
    FixtureIndex second;
    second.add("click", "click-9.0.tar.gz", "newer, elsewhere");
    second.add("flask", "flask-1.0.tar.gz", "x");
    settings.index_urls.push_back(second.url("/simple/"));
    EXPECT_EQ(project("click").files.size(), 2U);
    EXPECT_EQ(project("flask").files.size(), 1U);
    EXPECT_TRUE(second.requests("/click/").empty());
}

TEST_F(Index, FailingIndexIsNeverPassedOver) {
    FixtureIndex second;
    second.add("click", "click-9.0.tar.gz", "somebody else's");
    settings.index_urls.push_back(second.url("/simple/"));
    for (const auto& [status, id] : std::map<int, const char*>{
             {500, "index-unreachable"},
             {503, "index-unreachable"},
             {400, "index-unreachable"},
             {401, "index-unauthorized"},
             {403, "index-unauthorized"}
         }) {
        server->set_faults(
            R"([{"path": "/simple/*", "fault": "status", "status": )" + std::to_string(status)
            + "}]"
        );
        const auto error = thrown_error([&] { (void)project("click"); });
        EXPECT_EQ(error.id(), id) << status;
        EXPECT_EQ(error.code(), ExitCode::surroundings);
    }
    EXPECT_TRUE(second.requests().empty());
}

TEST_F(Index, PackagesOwnIndexAnswersAlone) {
    FixtureIndex own({"--auth", "me:s3cret"});
    own.add("click", "click-7.0-py3-none-any.whl", "x");
    auto url = own.url("/simple");
    const auto page = project("click", "http://me:s3cret@" + url.substr(7));
    ASSERT_EQ(page.files.size(), 1U);
    EXPECT_EQ(page.files[0].index_url, url);
    EXPECT_TRUE(server->requests().empty());
}

TEST_F(Index, CredentialsOfTheIndexUrlServeItsFilesToo) {
    start({"--auth", "me:s3cret"});
    EXPECT_EQ(id_of([&] { (void)project("click"); }), "index-unauthorized");
    settings.index_urls = {"http://me:s3cret@" + server->url("/simple").substr(7)};
    const auto wanted = file("click-1.0.tar.gz");
    EXPECT_EQ(wanted.url.find("s3cret"), std::string::npos);
    EXPECT_EQ(read_file(download(wanted).path), "sdist");
}

TEST_F(Index, CredentialsAreKnownEvenWhenThePageComesFromTheCache) {
    start({"--auth", "me:s3cret"});
    settings.page_cache = folder.path() / "cache";
    settings.index_urls = {"http://me:s3cret@" + server->url("/simple").substr(7)};
    (void)project("click");
    EXPECT_EQ(read_file(download(file("click-1.0.tar.gz")).path), "sdist");
    EXPECT_EQ(server->requests("/simple/").size(), 1U);
}

TEST_F(Index, CredentialsDoNotGoWhereTheFilesAre) {
    FixtureIndex files;
    files.add("click", "click-1.0.tar.gz", "sdist");
    start({"--auth", "me:s3cret", "--files-url", files.url("/files")});
    settings.index_urls = {"http://me:s3cret@" + server->url("/simple").substr(7)};
    EXPECT_EQ(read_file(download(file("click-1.0.tar.gz")).path), "sdist");
    EXPECT_EQ(files.requests().size(), 1U);
    EXPECT_TRUE(files.requests("authorization").empty());
}

TEST_F(Index, PlainHttpIsForThisMachineOrTrustedHosts) {
    settings.index_urls = {"http://index.invalid/simple"};
    EXPECT_EQ(id_of([&] { (void)project("click"); }), "insecure-index");
    settings.http.trusted_hosts = {"index.invalid"};
    EXPECT_EQ(id_of([&] { (void)project("click"); }), "index-unreachable");
}

TEST_F(Index, SameQuestionInFlightIsAskedOnce) {
    server->set_faults(R"([{"path": "/simple/*", "fault": "status", "status": 503, "times": 1}])");
    PackageIndex index(settings);
    std::vector<std::future<ProjectPage>> answers;
    for (int i = 0; i < 10; ++i) {
        auto promise = std::make_shared<std::promise<ProjectPage>>();
        answers.push_back(promise->get_future());
        index.project("click", std::nullopt, [promise](ProjectPage page, std::exception_ptr error) {
            error ? promise->set_exception(error) : promise->set_value(std::move(page));
        });
    }
    for (auto& answer : answers) {
        EXPECT_EQ(answer.get().files.size(), 2U);
    }
    EXPECT_EQ(server->requests("/simple/").size(), 2U);
}

TEST_F(Index, WhoeverAsksTogetherGetsAnErrorOfTheirOwn) {
    server->set_faults(R"([{"path": "/simple/*", "fault": "status", "status": 503}])");
    PackageIndex index(settings);
    std::vector<std::shared_ptr<std::promise<std::exception_ptr>>> answers;
    for (int i = 0; i < 3; ++i) {
        answers.push_back(std::make_shared<std::promise<std::exception_ptr>>());
        index.project(
            "click",
            std::nullopt,
            [promise = answers.back()](ProjectPage, std::exception_ptr error) {
                promise->set_value(error);
            }
        );
    }
    for (auto& answer : answers) {
        const auto error = answer->get_future().get();
        const auto add = [&] {
            while_doing([] { return "asking"; }, [&] { std::rethrow_exception(error); });
        };
        EXPECT_EQ(thrown_error(add).context().size(), 2U);
    }
}

TEST_F(Index, PageIsKeptForAWhileWhereThereIsNoETag) {
    settings.page_cache = folder.path() / "cache";
    (void)project("click");
    const auto again = project("click");
    EXPECT_EQ(again.files.size(), 2U);
    EXPECT_EQ(again.files[0].hashes.at("sha256"), sha256(wheel()));
    EXPECT_EQ(server->requests("/simple/click/").size(), 1U);
    settings.refresh = true;
    (void)project("click");
    EXPECT_EQ(server->requests("/simple/click/").size(), 2U);
}

TEST_F(Index, ETagIsAskedByEveryTime) {
    start({"--etag"});
    settings.page_cache = folder.path() / "cache";
    (void)project("click");
    EXPECT_EQ(project("click").files.size(), 2U);
    EXPECT_EQ(server->requests("\"status\": 304").size(), 1U);
    server->add("click", "click-2.0.tar.gz", "new");
    EXPECT_EQ(project("click").files.size(), 3U);
    EXPECT_EQ(project("click").files.size(), 3U);
    EXPECT_EQ(server->requests("\"status\": 304").size(), 2U);
}

TEST_F(Index, UnknownProjectIsAskedForAnew) {
    settings.page_cache = folder.path() / "cache";
    EXPECT_TRUE(project("flask").files.empty());
    server->add("flask", "flask-1.0.tar.gz", "just published");
    EXPECT_EQ(project("flask").files.size(), 1U);
}

TEST_F(Index, OfflineLivesOnWhatWasSeen) {
    settings.page_cache = folder.path() / "cache";
    const auto sdist = file("click-1.0.tar.gz");
    const auto path = download(sdist).path;
    (void)project("flask");
    server.reset();
    settings.offline = true;
    EXPECT_EQ(project("click").files.size(), 2U);
    EXPECT_TRUE(project("flask").files.empty());
    EXPECT_EQ(download(sdist).path, path);
    const auto error = thrown_error([&] { (void)project("attrs"); });
    EXPECT_EQ(error.id(), "offline-missing");
    auto other = sdist;
    other.hashes["sha256"] = std::string(64, '0');
    EXPECT_EQ(id_of([&] { (void)download(other); }), "offline-missing");
    EXPECT_FALSE(wheel_metadata(other));
}

TEST_F(Index, HostilePagesAreRefused) {
    settings.http.retries = 0;
    const auto reply = [&](const std::string& type, const std::string& body) {
        server->set_faults(
            R"([{"path": "/simple/*", "fault": "reply", "headers": {"Content-Type": ")" + type
            + R"("}, "body": ")" + body + "\"}]"
        );
        return id_of([&] { (void)project("click"); });
    };
    EXPECT_EQ(reply("application/octet-stream", "x"), "bad-index-page");
    EXPECT_EQ(reply("application/vnd.pypi.simple.v1+json", "<html>"), "bad-index-page");
    EXPECT_EQ(reply("application/vnd.pypi.simple.v2+json", "{}"), "bad-index-page");
    server->set_faults(R"([{"path": "/simple/*", "fault": "gzip_bomb", "mebibytes": 200}])");
    EXPECT_EQ(id_of([&] { (void)project("click"); }), "response-too-large");
    server->set_faults(R"([{"path": "/simple/*", "fault": "truncate", "bytes": 50}])");
    EXPECT_EQ(id_of([&] { (void)project("click"); }), "index-unreachable");
}

TEST_F(Index, StatusAndYankedFilesReachTheCaller) {
    server->add(
        "click",
        "index.json",
        R"({"status": "quarantined", "reason": "malware", "files": {"click-1.0.tar.gz":
            {"yanked": "broken", "upload-time": "2024-01-01T00:00:00Z", "requires-python": ">=3.9"}}})"
    );
    for (const auto* format : {"html", "json"}) {
        const FixtureIndex* previous = server.get();
        const auto root = previous->root();
        FixtureIndex other({"--format", format});
        fs::copy(root, other.root(), fs::copy_options::recursive);
        settings.index_urls = {other.url("/simple")};
        const auto page = project("click");
        EXPECT_EQ(page.status, "quarantined");
        EXPECT_EQ(page.status_reason, "malware");
        const auto sdist = file("click-1.0.tar.gz");
        EXPECT_EQ(sdist.yanked_reason, "broken");
        EXPECT_EQ(sdist.upload_time, "2024-01-01T00:00:00Z");
        EXPECT_EQ(sdist.requires_python->text(), ">=3.9");
    }
}

TEST_F(Index, FindLinksPageIsReadOnceForAllProjects) {
    server->add("flask", "flask-1.0.tar.gz", "x");
    server->set_faults(
        R"([{"path": "/page", "fault": "reply", "headers": {"Content-Type": "text/html"},
             "body": "<a href=/files/click/click-1.0.tar.gz>Click!</a><a href=/files/flask/flask-1.0.tar.gz>x</a>"}])"
    );
    settings.no_index = true;
    settings.find_links = {server->url("/page")};
    PackageIndex index(settings);
    for (const auto* name : {"click", "flask", "attrs", "click"}) {
        const auto page =
            wait<ProjectPage>([&](auto done) { index.project(name, std::nullopt, done); });
        EXPECT_EQ(page.files.size(), std::string(name) == "attrs" ? 0U : 1U);
    }
    EXPECT_EQ(server->requests("/page").size(), 1U);
    settings.find_links = {server->url("/nowhere")};
    EXPECT_EQ(id_of([&] { (void)project("click"); }), "index-file-missing");
}

TEST_F(Index, DownloadIsCheckedAndFoundAgain) {
    const auto sdist = file("click-1.0.tar.gz");
    const auto done = download(sdist);
    EXPECT_TRUE(done.hash_was_stated);
    EXPECT_EQ(done.sha256, sha256("sdist"));
    EXPECT_EQ(done.path, out() / sha256("sdist") / "click-1.0.tar.gz");
    EXPECT_EQ(download(sdist).path, done.path);
    EXPECT_EQ(server->requests("/files/").size(), 1U);
    write_file(done.path, "poison");
    EXPECT_EQ(read_file(download(sdist).path), "sdist");
    EXPECT_EQ(server->requests("/files/").size(), 2U);
}

TEST_F(Index, WeakHashesAreCheckedButDoNotCount) {
    start({"--hash", "md5"});
    const auto sdist = file("click-1.0.tar.gz");
    EXPECT_FALSE(download(sdist).hash_was_stated);
    server->set_faults(R"([{"path": "/files/*", "fault": "corrupt"}])");
    EXPECT_EQ(id_of([&] { (void)download(sdist); }), "hash-mismatch");
}

TEST_F(Index, WrongBytesLeaveNothing) {
    const auto sdist = file("click-1.0.tar.gz");
    server->set_faults(R"([{"path": "/files/*", "fault": "corrupt"}])");
    const auto error = thrown_error([&] { (void)download(sdist); });
    EXPECT_EQ(error.id(), "hash-mismatch");
    EXPECT_EQ(error.code(), ExitCode::refused);
    EXPECT_TRUE(fs::is_empty(out()));
}

TEST_F(Index, WrongSizeIsRefusedBeforeTheHash) {
    auto sdist = file("click-1.0.tar.gz");
    for (const std::uint64_t size : {4U, 6U}) {
        sdist.size = size;
        EXPECT_EQ(id_of([&] { (void)download(sdist); }), "size-mismatch");
    }
    EXPECT_TRUE(fs::is_empty(out()));
}

TEST_F(Index, TruncatedDownloadStartsOver) {
    const auto found = file(wheel_name);
    server->set_faults(R"([{"path": "/files/*", "fault": "truncate", "bytes": 100000, "times": 1}])"
    );
    EXPECT_EQ(download(found).sha256, sha256(wheel()));
    server->set_faults(R"([{"path": "/files/*", "fault": "truncate", "bytes": 99999}])");
    fs::remove_all(out());
    EXPECT_EQ(id_of([&] { (void)download(found); }), "index-unreachable");
    EXPECT_TRUE(fs::is_empty(out()));
}

TEST_F(Index, RefusedDownloadSaysWhatItIs) {
    const auto sdist = file("click-1.0.tar.gz");
    const auto id_with = [&](int status) {
        server->set_faults(
            R"([{"path": "/files/*", "fault": "status", "status": )" + std::to_string(status) + "}]"
        );
        return id_of([&] { (void)download(sdist); });
    };
    EXPECT_EQ(id_with(404), "index-file-missing");
    EXPECT_EQ(id_with(403), "index-unauthorized");
    EXPECT_EQ(id_with(500), "index-unreachable");
}

TEST_F(Index, MetadataComesFromBesideTheWheel) {
    start({"--metadata"});
    settings.page_cache = folder.path() / "cache";
    const auto found = file(wheel_name);
    EXPECT_EQ(wheel_metadata(found), metadata);
    EXPECT_EQ(wheel_metadata(found), metadata);
    EXPECT_EQ(server->requests("/files/").size(), 1U);
}

TEST_F(Index, MetadataThatIsNotWhatTheIndexStatesIsRefused) {
    start({"--metadata"});
    const auto found = file(wheel_name);
    server->set_faults(R"([{"path": "*.metadata", "fault": "corrupt"}])");
    EXPECT_EQ(id_of([&] { (void)wheel_metadata(found); }), "hash-mismatch");
}

TEST_F(Index, MetadataAnnouncedButMissingIsReadByRanges) {
    start({"--metadata"});
    const auto found = file(wheel_name);
    server->set_faults(R"([{"path": "*.metadata", "fault": "status", "status": 404}])");
    EXPECT_EQ(wheel_metadata(found), metadata);
}

TEST_F(Index, MetadataIsReadByRangesAndRemembered) {
    settings.page_cache = folder.path() / "cache";
    for (const bool with_etag : {false, true}) {
        start(with_etag ? std::vector<std::string>{"--etag"} : std::vector<std::string>{});
        const auto found = file(wheel_name);
        EXPECT_EQ(wheel_metadata(found), metadata);
        EXPECT_EQ(server->requests("\"status\": 206").size(), 2U);
        EXPECT_EQ(wheel_metadata(found), metadata);
        EXPECT_EQ(server->requests("/files/").size(), 2U);
    }
}

TEST_F(Index, ServerWithoutRangesGivesNoMetadata) {
    start({"--no-range"});
    EXPECT_FALSE(wheel_metadata(file(wheel_name)));
}

TEST_F(Index, LiesAboutRangesGiveNoMetadata) {
    const auto found = file(wheel_name);
    for (const auto* kind : {"offset", "total", "full", "416", "longer"}) {
        server->set_faults(
            R"([{"path": "/files/*", "fault": "range_lie", "kind": ")" + std::string(kind) + "\"}]"
        );
        EXPECT_FALSE(wheel_metadata(found)) << kind;
    }
    server->set_faults("[]");
    EXPECT_EQ(wheel_metadata(found), metadata);
}

TEST_F(Index, EndAnswersEveryQuestion) {
    server->set_faults(R"([{"path": "/simple/*", "fault": "hang", "seconds": 30}])");
    std::atomic<int> interrupted = 0;
    const auto begin = std::chrono::steady_clock::now();
    {
        settings.http.connections = 4;
        PackageIndex index(settings);
        for (int i = 0; i < 20; ++i) {
            index.project(
                "p" + std::to_string(i),
                std::nullopt,
                [&](ProjectPage, std::exception_ptr error) {
                    interrupted +=
                        thrown_error([&] { std::rethrow_exception(error); }).id() == "interrupted";
                }
            );
        }
        std::this_thread::sleep_for(200ms);
    }
    EXPECT_EQ(interrupted, 20);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
}

}  // namespace
}  // namespace wheelforge::index
