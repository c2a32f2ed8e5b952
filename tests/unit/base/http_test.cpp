// SPDX-License-Identifier: Apache-2.0
#include <future>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/http.hpp"
#include "base/http_policy.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge {
namespace {

using namespace std::chrono_literals;
using support::thrown_error;

TEST(Url, LosesItsCredentials) {
    EXPECT_EQ(without_credentials("https://user:pw@h/x"), "https://h/x");
    EXPECT_EQ(without_credentials("https://token@h:8443/x?a=b@c"), "https://h:8443/x?a=b@c");
    EXPECT_EQ(without_credentials("https://a@b:c@h/x"), "https://h/x");
    EXPECT_EQ(without_credentials("https://h/@scope/x"), "https://h/@scope/x");
    EXPECT_EQ(without_credentials("file:///a@b:c/d"), "file:///a@b:c/d");
    EXPECT_EQ(without_credentials("no url at all"), "no url at all");
}

TEST(Url, IsMaskedForMessages) {
    EXPECT_EQ(masked_url("https://user:pw@h/x"), "https://***@h/x");
    EXPECT_EQ(masked_url("https://h/x"), "https://h/x");
    // The password holds a slash, which a user forgot to encode: secret all the same.
    EXPECT_EQ(masked_url("https://user:p/w?d#@h/x"), "https://***@h/x");
}

TEST(Url, ShownInMessagesHidesSignaturesAndControlCharacters) {
    EXPECT_EQ(shown_url("https://u:p@h/x?signature=abc"), "https://***@h/x?***");
    EXPECT_EQ(shown_url("https://h/\x1b[31m").find('\x1b'), std::string::npos);
}

TEST(Url, GivesItsCredentialBoundToTheOrigin) {
    const auto credential = credential_in("https://us%40er:p%3Aw:x@Host/simple");
    ASSERT_TRUE(credential);
    EXPECT_EQ(credential->origin, "https://host:443");
    EXPECT_EQ(credential->user, "us@er");
    EXPECT_EQ(credential->password, "p:w:x");
    EXPECT_EQ(credential_in("https://token@h/")->password, "");
    EXPECT_FALSE(credential_in("https://h/"));
    EXPECT_FALSE(credential_in("ftp://u:p@h/"));
}

TEST(Url, HasAnOriginWithItsPort) {
    EXPECT_EQ(origin_of("HTTPS://Example.ORG/a"), "https://example.org:443");
    EXPECT_EQ(origin_of("http://u:p@h:8080?x"), "http://h:8080");
    EXPECT_EQ(origin_of("http://[::1]:80/"), "http://[::1]:80");
    EXPECT_EQ(origin_of("http://[::1]/"), "http://[::1]:80");
    EXPECT_EQ(origin_of("http://h:/"), "http://h:80");
}

TEST(Url, HasNoOriginWhereParsersDisagree) {
    for (const auto* url :
         {"ftp://h/",
          "file:///etc/passwd",
          "javascript:alert(1)",
          "http:/h/",
          "http://",
          "http://:80/",
          "http://h:0/",
          "http://h:65536/",
          "http://h:80x/",
          "http://good\\.evil/",
          "http://good%2eevil/",
          "http://h h/",
          "http://h\n/",
          "http://[::1/",
          "http://[]/",
          "http://[::1]x:80/"}) {
        EXPECT_FALSE(origin_of(url)) << url;
    }
}

// RFC 3986 section 5.4, without the examples that leave http.
TEST(Url, ResolvesReferencesAsTheRfcSays) {
    const std::string base = "http://a/b/c/d;p?q";
    const std::pair<const char*, const char*> cases[] = {
        {"g", "http://a/b/c/g"},
        {"./g", "http://a/b/c/g"},
        {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"},
        {"//g", "http://g"},
        {"?y", "http://a/b/c/d;p?y"},
        {"g?y", "http://a/b/c/g?y"},
        {"#s", "http://a/b/c/d;p?q#s"},
        {"g#s", "http://a/b/c/g#s"},
        {"g?y#s", "http://a/b/c/g?y#s"},
        {";x", "http://a/b/c/;x"},
        {"", "http://a/b/c/d;p?q"},
        {".", "http://a/b/c/"},
        {"..", "http://a/b/"},
        {"../g", "http://a/b/g"},
        {"../..", "http://a/"},
        {"../../g", "http://a/g"},
        {"../../../g", "http://a/g"},
        {"/./g", "http://a/g"},
        {"/../g", "http://a/g"},
        {"g.", "http://a/b/c/g."},
        {"..g", "http://a/b/c/..g"},
        {"./../g", "http://a/b/g"},
        {"g/./h", "http://a/b/c/g/h"},
        {"g/../h", "http://a/b/c/h"},
        {"g?y/../x", "http://a/b/c/g?y/../x"},
        {"g#s/../x", "http://a/b/c/g#s/../x"},
        {"https://h/x/../y", "https://h/y"},
        {"  g  ", "http://a/b/c/g"},
    };
    for (const auto& [reference, expected] : cases) {
        EXPECT_EQ(resolve_url(base, reference), expected) << reference;
    }
    EXPECT_EQ(resolve_url("http://a", "b"), "http://a/b");
    EXPECT_EQ(resolve_url("https://a/simple/x/", "../../files/x"), "https://a/files/x");
}

TEST(Url, DecodesAndEncodesPercents) {
    EXPECT_EQ(percent_decode("a%20b%2Bc%2b"), "a b+c+");
    EXPECT_EQ(percent_decode("100%"), "100%");
    EXPECT_EQ(percent_decode("%zz%4"), "%zz%4");
    EXPECT_EQ(percent_decode("%00").size(), 1U);
    EXPECT_EQ(percent_encode_path("/a b/\xc3\xa4+#?%"), "/a%20b/%C3%A4+%23%3F%25");
}

TEST(Url, OfAFileIsItsPathEncoded) {
    EXPECT_EQ(file_url("/a b/#c"), "file:///a%20b/%23c");
    EXPECT_EQ(path_of_file_url("file:///a%20b/%23c"), "/a b/#c");
    EXPECT_EQ(path_of_file_url("file://localhost/a"), "/a");
    EXPECT_FALSE(path_of_file_url("file://elsewhere/a"));
    EXPECT_FALSE(path_of_file_url("file:///a%00b"));
    EXPECT_FALSE(path_of_file_url("file:relative"));
    EXPECT_FALSE(path_of_file_url("https://h/a"));
}

TEST(Retry, WaitsTwiceAsLongEachTimeWithoutAWish) {
    EXPECT_EQ(retry_delay(0, "", 0), 250ms);
    EXPECT_EQ(retry_delay(1, "", 0), 500ms);
    EXPECT_EQ(retry_delay(4, "", 0), 4s);
    EXPECT_EQ(retry_delay(50, "", 0), 60s);
}

TEST(Retry, HonoursRetryAfterUpToAMinute) {
    EXPECT_EQ(retry_delay(0, "7", 0), 7s);
    EXPECT_EQ(retry_delay(0, " 0 ", 0), 0s);
    EXPECT_EQ(retry_delay(0, "86400", 0), 60s);
    EXPECT_EQ(retry_delay(0, "18446744073709551615", 0), 60s);
    const std::time_t now = 784111777;  // Sun, 06 Nov 1994 08:49:37 GMT
    EXPECT_EQ(retry_delay(0, "Sun, 06 Nov 1994 08:49:47 GMT", now), 10s);
    EXPECT_EQ(retry_delay(0, "Sun, 06 Nov 1994 08:49:30 GMT", now), 0s);
    EXPECT_EQ(retry_delay(2, "soon", now), 1s);
}

TEST(Redirect, MayLeadToAnotherHostButNotOutOfTls) {
    EXPECT_EQ(redirect_target("https://a/x/", "y#z"), "https://a/x/y");
    EXPECT_EQ(redirect_target("https://a/x", "https://b/y"), "https://b/y");
    EXPECT_EQ(redirect_target("http://a/x", "https://a/x"), "https://a/x");
    EXPECT_EQ(redirect_target("http://a/x", "http://u:p@b/y"), "http://b/y");
    for (const auto* location :
         {"http://a/x", "file:///etc/passwd", "ftp://a/x", "javascript:x", "//a\\.b/x"}) {
        EXPECT_EQ(
            thrown_error([&] { (void)redirect_target("https://a/x", location); }).id(),
            "redirect-refused"
        ) << location;
    }
}

TEST(ContentRange, IsReadOnlyIfItIsConsistent) {
    const auto range = parse_content_range("bytes 10-19/20");
    ASSERT_TRUE(range);
    EXPECT_EQ(range->first, 10U);
    EXPECT_EQ(range->last, 19U);
    EXPECT_EQ(range->total, 20U);
    EXPECT_TRUE(parse_content_range("Bytes 0-0/1"));
    for (const auto* text :
         {"",
          "bytes",
          "bytes */20",
          "bytes 0-9/*",
          "bytes 9-0/20",
          "bytes 0-20/20",
          "bytes 0-9",
          "bytes -9/20",
          "items 0-9/20",
          "bytes 0-9/20x",
          "bytes 0x0-9/20",
          "bytes 0-99999999999999999999/999999999999999999999"}) {
        EXPECT_FALSE(parse_content_range(text)) << text;
    }
}

class LocalFiles : public testing::Test {
protected:
    TempDir folder{testing::TempDir(), "http-"};
    HttpClient client{HttpSettings{}};
    HttpRequest request_for(const fs::path& path) const {
        HttpRequest request;
        request.url = file_url(path);
        request.allow_file_scheme = true;
        return request;
    }
};

TEST_F(LocalFiles, AreReadWhereTheRequestAllows) {
    write_file(folder.path() / "a b.html", "hello");
    const auto response = client.get(request_for(folder.path() / "a b.html"));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "hello");
    EXPECT_EQ(response.headers.at("content-type"), "text/html");
}

TEST_F(LocalFiles, AreRefusedElsewhere) {
    auto request = request_for("/etc/passwd");
    request.allow_file_scheme = false;
    EXPECT_EQ(thrown_error([&] { (void)client.get(request); }).id(), "bad-url");
}

TEST_F(LocalFiles, OfAFolderAreItsIndex) {
    write_file(folder.path() / "click/index.html", "page");
    const auto response = client.get(request_for(folder.path() / "click"));
    EXPECT_EQ(response.body, "page");
    EXPECT_TRUE(response.final_url.ends_with("/click/"));
}

TEST_F(LocalFiles, ThatAreMissingAreNotFound) {
    EXPECT_EQ(client.get(request_for(folder.path() / "no")).status, 404);
}

TEST_F(LocalFiles, AreBoundedAndCanBeRefusedByTheirHead) {
    write_file(folder.path() / "x", std::string(1000, 'x'));
    auto request = request_for(folder.path() / "x");
    request.max_bytes = 999;
    EXPECT_EQ(thrown_error([&] { (void)client.get(request); }).id(), "response-too-large");
    request.wants_body = [](const HttpResponse& head) { return head.status != 200; };
    EXPECT_EQ(client.get(request).body, "");
}

TEST_F(LocalFiles, ReachTheSinkInsteadOfTheBody) {
    write_file(folder.path() / "x", "content");
    auto request = request_for(folder.path() / "x");
    std::string sunk;
    request.sink = [&](std::string_view bytes, bool) { sunk += bytes; };
    EXPECT_EQ(client.get(request).body, "");
    EXPECT_EQ(sunk, "content");
    request.sink = [](std::string_view, bool) { throw Error(ExitCode::refused, "mine", "no"); };
    EXPECT_EQ(thrown_error([&] { (void)client.get(request); }).id(), "mine");
}

TEST(HttpClient, RefusesUrlsThatAreNone) {
    HttpClient client{HttpSettings{}};
    for (const auto* url :
         {"", "h/x", "ftp://h/", "http://h/a b", "http://h\\x/", "http://h/\r\nX: y"}) {
        HttpRequest request;
        request.url = url;
        EXPECT_EQ(thrown_error([&] { (void)client.get(request); }).id(), "bad-url") << url;
    }
}

TEST(HttpClient, AnswersEvenAfterItWasStopped) {
    HttpClient client{HttpSettings{}};
    client.stop();
    HttpRequest request;
    request.url = "http://127.0.0.1:9/";
    EXPECT_EQ(thrown_error([&] { (void)client.get(request); }).id(), "interrupted");
}

}  // namespace
}  // namespace wheelforge
