// SPDX-License-Identifier: Apache-2.0
// HttpClient against a server that misbehaves on demand.
#include <future>

#include <gtest/gtest.h>

#include "base/http.hpp"
#include "support/fixture_index.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge {
namespace {

using namespace std::chrono_literals;
using support::FixtureIndex;
using support::thrown_error;
using Clock = std::chrono::steady_clock;

class Http : public testing::Test {
protected:
    std::unique_ptr<FixtureIndex> server;
    HttpSettings settings;

    void SetUp() override {
        if (!FixtureIndex::python()) {
            GTEST_SKIP() << "no python3 to run the loopback server";
        }
        start({});
    }
    void start(const std::vector<std::string>& options) {
        server = std::make_unique<FixtureIndex>(options);
        server->add("p", "p-1.tar.gz", "0123456789");
    }
    HttpResponse get(const HttpRequest& request) {
        HttpClient client(settings);
        return client.get(request);
    }
    HttpResponse get(const std::string& url) {
        HttpRequest request;
        request.url = url;
        return get(request);
    }
    std::string file() { return server->url("/files/p/p-1.tar.gz"); }
    void fault(const std::string& fields) {
        server->set_faults(R"([{"path": "/files/p/*", )" + fields + "}]");
    }
    Error error_of(const std::string& url) {
        return thrown_error([&] { (void)get(url); });
    }
};

TEST_F(Http, GetsABodyWithItsHeaders) {
    const auto response = get(file());
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "0123456789");
    EXPECT_EQ(response.final_url, file());
    EXPECT_EQ(response.headers.at("content-type"), "application/octet-stream");
}

TEST_F(Http, GivesOtherAnswersBackWithoutTheirBody) {
    EXPECT_EQ(get(server->url("/nowhere")).status, 404);
    fault(R"("fault": "reply", "status": 403, "body": "long explanation")");
    const auto response = get(file());
    EXPECT_EQ(response.status, 403);
    EXPECT_EQ(response.body, "");
}

TEST_F(Http, TriesAgainAfterPassingTrouble) {
    fault(R"("fault": "status", "status": 503, "times": 2)");
    EXPECT_EQ(get(file()).status, 200);
    EXPECT_EQ(server->requests("\"status\": 503").size(), 2U);
    fault(R"("fault": "drop", "times": 1)");
    EXPECT_EQ(get(file()).body, "0123456789");
}

TEST_F(Http, GivesUpAfterTheRetriesItWasGiven) {
    settings.retries = 2;
    fault(R"("fault": "status", "status": 502)");
    EXPECT_EQ(get(file()).status, 502);
    EXPECT_EQ(server->requests("\"status\": 502").size(), 3U);
    fault(R"("fault": "drop")");
    const auto error = error_of(file());
    EXPECT_EQ(error.id(), "index-unreachable");
    EXPECT_EQ(error.context(), std::vector<std::string>{"trying 3 times"});
}

TEST_F(Http, DoesNotTryAgainWhereThatIsPointless) {
    fault(R"("fault": "status", "status": 501)");
    EXPECT_EQ(get(file()).status, 501);
    EXPECT_EQ(server->requests("/files").size(), 1U);
}

TEST_F(Http, WaitsAsLongAsTheServerAsks) {
    fault(R"("fault": "status", "status": 429, "times": 1, "retry_after": "1")");
    const auto begin = Clock::now();
    EXPECT_EQ(get(file()).status, 200);
    EXPECT_GE(Clock::now() - begin, 1s);
}

TEST_F(Http, NobodyListeningIsUnreachable) {
    settings.retries = 0;
    EXPECT_EQ(error_of("http://127.0.0.1:1/").id(), "index-unreachable");
    EXPECT_EQ(error_of("http://no-such-host.invalid/").id(), "index-unreachable");
}

TEST_F(Http, ProxyIsAskedForEveryHost) {
    settings.proxy = server->url("");
    EXPECT_EQ(get("http://index.invalid/files/p/p-1.tar.gz").body, "0123456789");
    EXPECT_EQ(server->requests("http://index.invalid/").size(), 1U);
}

TEST_F(Http, TruncatedBodyIsFetchedAnewAndTheSinkToldSo) {
    fault(R"("fault": "truncate", "bytes": 4, "times": 2)");
    std::vector<std::string> seen;
    HttpRequest request;
    request.url = file();
    request.sink = [&](std::string_view bytes, bool restart) {
        if (restart) {
            seen.emplace_back();
        } else {
            (seen.empty() ? seen.emplace_back() : seen.back()) += bytes;
        }
    };
    EXPECT_EQ(get(request).status, 200);
    EXPECT_EQ(seen, (std::vector<std::string>{"0123", "0123", "0123456789"}));
}

TEST_F(Http, BodyShorterThanStatedIsNeverTakenForWhole) {
    settings.retries = 1;
    fault(R"("fault": "length", "delta": 5)");
    EXPECT_EQ(error_of(file()).id(), "index-unreachable");
}

TEST_F(Http, BodyLongerThanStatedEndsWhereStated) {
    fault(R"("fault": "length", "delta": -5)");
    EXPECT_EQ(get(file()).body, "01234");
}

TEST_F(Http, SinkNeverSeesErrorPages) {
    fault(R"("fault": "reply", "status": 503, "body": "we are down", "times": 1)");
    HttpRequest request;
    request.url = file();
    std::string seen;
    bool restarted = false;
    request.sink = [&](std::string_view bytes, bool restart) {
        seen += bytes;
        restarted = restarted || restart;
    };
    EXPECT_EQ(get(request).status, 200);
    EXPECT_EQ(seen, "0123456789");
    EXPECT_FALSE(restarted);
}

TEST_F(Http, SlowServersAreNotWaitedForWithoutEnd) {
    settings.retries = 0;
    settings.timeout = 1s;
    fault(R"("fault": "hang", "seconds": 30)");
    auto begin = Clock::now();
    EXPECT_EQ(error_of(file()).id(), "index-unreachable");
    EXPECT_LT(Clock::now() - begin, 10s);
    // A byte now and then is no progress either.
    fault(R"("fault": "drip", "seconds": 0.4)");
    server->add("p", "p-1.tar.gz", std::string(200, 'x'));
    begin = Clock::now();
    EXPECT_EQ(error_of(file()).id(), "index-unreachable");
    EXPECT_LT(Clock::now() - begin, 20s);
}

TEST_F(Http, BodiesAreBoundedBothStatedAndUnstated) {
    HttpRequest request;
    request.url = file();
    request.max_bytes = 9;
    EXPECT_EQ(thrown_error([&] { (void)get(request); }).id(), "response-too-large");
    fault(R"("fault": "flood", "mebibytes": 64)");
    request.max_bytes = 1U << 20U;
    EXPECT_EQ(thrown_error([&] { (void)get(request); }).id(), "response-too-large");
}

TEST_F(Http, CompressedBodiesAreBoundedByWhatTheyUnpackTo) {
    fault(R"("fault": "gzip_bomb", "mebibytes": 256)");
    HttpRequest request;
    request.url = file();
    request.max_bytes = 16U << 20U;
    EXPECT_EQ(thrown_error([&] { (void)get(request); }).id(), "response-too-large");
    fault(R"("fault": "gzip_bomb", "mebibytes": 2)");
    EXPECT_EQ(get(request).body.size(), 2U << 20U);
}

TEST_F(Http, HeadersAreBounded) {
    settings.retries = 0;
    fault(R"("fault": "headers", "kibibytes": 400)");
    EXPECT_EQ(error_of(file()).id(), "response-too-large");
}

TEST_F(Http, HeadDecidesWhetherTheBodyIsWanted) {
    server->add("p", "p-1.tar.gz", std::string(8U << 20U, 'x'));
    HttpRequest request;
    request.url = file();
    request.headers["Range"] = "bytes=-5";
    request.wants_body = [](const HttpResponse& head) { return head.status == 206; };
    EXPECT_EQ(get(request).body, "xxxxx");
    fault(R"("fault": "range_lie", "kind": "full")");
    const auto response = get(request);
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "");
}

TEST_F(Http, FollowsRedirectsWithTheirHeaders) {
    server->set_faults(
        R"([{"path": "/a", "fault": "redirect", "location": "b", "status": 301},
            {"path": "/b", "fault": "redirect", "location": "/files/p/p-1.tar.gz#x", "status": 307}])"
    );
    HttpRequest request;
    request.url = server->url("/a");
    request.headers["Range"] = "bytes=0-1";
    const auto response = get(request);
    EXPECT_EQ(response.body, "01");
    EXPECT_EQ(response.final_url, file());
}

TEST_F(Http, RedirectsEndSomewhere) {
    server->set_faults(R"([{"path": "/a", "fault": "redirect", "location": "/a"}])");
    EXPECT_EQ(error_of(server->url("/a")).id(), "redirect-refused");
    EXPECT_EQ(server->requests("/a").size(), 11U);
}

TEST_F(Http, RedirectsLeaveNotTheWeb) {
    for (const auto* location :
         {"file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:70/_"}) {
        server->set_faults(
            R"([{"path": "/a", "fault": "redirect", "location": ")" + std::string(location) + "\"}]"
        );
        EXPECT_EQ(error_of(server->url("/a")).id(), "redirect-refused") << location;
    }
}

class HttpCredentials : public Http {
protected:
    void SetUp() override {
        if (!FixtureIndex::python()) {
            GTEST_SKIP() << "no python3 to run the loopback server";
        }
        start({"--auth", "me:s3cret", "--auth-path", "/files"});
    }
};

TEST_F(HttpCredentials, AreSentToTheirOrigin) {
    EXPECT_EQ(get(file()).status, 401);
    settings.credentials = {{*origin_of(file()), "me", "s3cret"}};
    EXPECT_EQ(get(file()).status, 200);
    settings.credentials[0].password = "wrong";
    EXPECT_EQ(get(file()).status, 401);
}

TEST_F(HttpCredentials, InAUrlCountForLaterRequestsToo) {
    HttpClient client(settings);
    HttpRequest request;
    request.url = "http://me:s3cret@" + file().substr(7);
    EXPECT_EQ(client.get(request).final_url, file());
    request.url = file();
    EXPECT_EQ(client.get(request).status, 200);
}

TEST_F(HttpCredentials, AreNotSentToAnotherHostOrPort) {
    FixtureIndex other;
    settings.credentials = {{*origin_of(file()), "me", "s3cret"}};
    for (const auto& location :
         {other.url("/x"), server->url("/files/p/p-1.tar.gz", "localhost")}) {
        server->set_faults(
            R"([{"path": "/away", "fault": "redirect", "location": ")" + location + "\"}]"
        );
        EXPECT_NE(get(server->url("/away")).status, 200);
    }
    EXPECT_EQ(server->requests("/away").size(), 2U);
    for (const auto& request : server->requests("/away")) {
        EXPECT_NE(request.find("authorization"), std::string::npos) << request;
    }
    ASSERT_EQ(other.requests("/x").size(), 1U);
    EXPECT_TRUE(other.requests("authorization").empty());
    EXPECT_TRUE(server->requests("localhost").at(0).find("authorization") == std::string::npos);
}

TEST_F(HttpCredentials, OfTheCallersHeadersStayToo) {
    server->set_faults(
        R"([{"path": "/away", "fault": "redirect", "location": ")"
        + server->url("/files/p/p-1.tar.gz", "localhost") + "\"}]"
    );
    HttpRequest request;
    request.url = server->url("/away");
    request.headers["Authorization"] = "Basic bWU6czNjcmV0";
    EXPECT_EQ(get(request).status, 401);
}

TEST_F(HttpCredentials, AreMaskedInErrors) {
    fault(R"("fault": "redirect", "location": "ftp://me:s3cret@127.0.0.1/")");
    settings.credentials = {{*origin_of(file()), "me", "s3cret"}};
    const auto error = error_of("http://me:s3cret@" + file().substr(7) + "?token=s3cret");
    EXPECT_EQ(error.id(), "redirect-refused");
    EXPECT_EQ(error.render().find("s3cret"), std::string::npos) << error.render();
}

TEST_F(Http, ManyRequestsShareTheirSlots) {
    settings.connections = 4;
    HttpClient client(settings);
    std::atomic<int> right = 0;
    std::atomic<int> left = 200;
    std::promise<void> all;
    for (int i = 0; i < 200; ++i) {
        HttpRequest request;
        request.url = file();
        client.start(request, [&](const HttpResponse& response, const std::exception_ptr&) {
            right += response.body == "0123456789" ? 1 : 0;
            if (--left == 0) {
                all.set_value();
            }
        });
    }
    all.get_future().wait();
    EXPECT_EQ(right, 200);
}

TEST_F(Http, EndOfTheClientAnswersEverythingInFlight) {
    fault(R"("fault": "hang", "seconds": 30)");
    std::atomic<int> interrupted = 0;
    const auto begin = Clock::now();
    {
        settings.connections = 4;
        HttpClient client(settings);
        for (int i = 0; i < 10; ++i) {
            HttpRequest request;
            request.url = file();
            client.start(request, [&](const HttpResponse&, const std::exception_ptr& error) {
                interrupted +=
                    thrown_error([&] { std::rethrow_exception(error); }).id() == "interrupted";
            });
        }
        std::this_thread::sleep_for(200ms);
    }
    EXPECT_EQ(interrupted, 10);
    EXPECT_LT(Clock::now() - begin, 5s);
}

TEST_F(Http, ARequestMayBeStartedFromAnAnswer) {
    HttpClient client(settings);
    std::promise<int> status;
    HttpRequest request;
    request.url = file();
    client.start(request, [&](const HttpResponse&, const std::exception_ptr&) {
        client.start(request, [&](const HttpResponse& response, const std::exception_ptr&) {
            status.set_value(response.status);
        });
    });
    EXPECT_EQ(status.get_future().get(), 200);
}

class HttpTls : public Http {
protected:
    TempDir folder{testing::TempDir(), "tls-"};
    void SetUp() override {
        Launch launch;
        launch.argv = {
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-keyout",
            "key",
            "-out",
            "cert",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost"
        };
        launch.env = current_environment();
        launch.cwd = folder.path();
        if (!FixtureIndex::python() || !find_program("openssl", launch.env["PATH"])
            || run(launch).exit_code != 0) {
            GTEST_SKIP() << "no python3, or no openssl to make a certificate";
        }
        const auto both = read_file(folder.path() / "cert") + read_file(folder.path() / "key");
        write_file(folder.path() / "both", both);
        start({"--tls", (folder.path() / "both").string()});
        server->scheme = "https";
        settings.ca_bundle = folder.path() / "cert";
        settings.retries = 0;
    }
    std::string file(const std::string& host = "localhost") {
        return server->url("/files/p/p-1.tar.gz", host);
    }
};

TEST_F(HttpTls, TrustsTheBundleItIsGiven) {
    EXPECT_EQ(get(file()).body, "0123456789");
}

TEST_F(HttpTls, TrustsNobodyElse) {
    EXPECT_EQ(
        error_of(file("127.0.0.1")).id(), "tls-failed"
    );  // another name than the certificate's
    settings.ca_bundle.clear();
    EXPECT_EQ(error_of(file()).id(), "tls-failed");
    settings.ca_bundle = folder.path() / "missing";
    EXPECT_EQ(error_of(file()).id(), "tls-failed");
}

TEST_F(HttpTls, TrustedHostNeedsNoCertificate) {
    settings.ca_bundle.clear();
    settings.trusted_hosts = {"LOCALHOST"};
    EXPECT_EQ(get(file()).status, 200);
    settings.trusted_hosts = {"localhost:1"};
    EXPECT_EQ(error_of(file()).id(), "tls-failed");
}

TEST_F(HttpTls, ShowsItsOwnCertificateWhereItHasOne) {
    const auto both = folder.path() / "both";
    start({"--tls", both.string(), "--client-ca", (folder.path() / "cert").string()});
    server->scheme = "https";
    settings.ca_bundle = folder.path() / "cert";
    settings.retries = 0;
    EXPECT_TRUE(
        error_of(file()).id() == "tls-failed" || error_of(file()).id() == "index-unreachable"
    );
    settings.client_certificate = both;
    EXPECT_EQ(get(file()).body, "0123456789");
    settings.client_certificate = folder.path() / "missing";
    EXPECT_EQ(error_of(file()).id(), "tls-failed");
}

TEST_F(HttpTls, NeverBecomesPlainHttp) {
    FixtureIndex plain;
    fault(R"("fault": "redirect", "location": ")" + plain.url("/x") + "\"");
    EXPECT_EQ(error_of(file()).id(), "redirect-refused");
    EXPECT_TRUE(plain.requests().empty());
}

}  // namespace
}  // namespace wheelforge
