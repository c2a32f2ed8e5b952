// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "index/simple_page.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge::index {
namespace {

using support::thrown_error;
using Kind = DistributionFile::Kind;

constexpr const char* json_type = "application/vnd.pypi.simple.v1+json";
const std::string digest(64, 'a');

ProjectPage
html(const std::string& body, const std::string& url = "https://i.example/simple/click/") {
    return parse_simple_page("click", url, "text/html; charset=utf-8", body);
}

ProjectPage json(const std::string& body) {
    return parse_simple_page("click", "https://i.example/simple/click/", json_type, body);
}

std::string link(const std::string& href, const std::string& text, const std::string& more = "") {
    return "<a href=\"" + href + "\" " + more + ">" + text + "</a>\n";
}

TEST(HtmlPage, GivesFilesWithAllThatTheirLinksSay) {
    const auto page = html(
        "<!DOCTYPE html><html><head><meta name=\"pypi:repository-version\" content=\"1.1\">"
        "<title>Links</title></head><body><h1>Links for click</h1>"
        + link(
            "../../files/click-8.1.7-py3-none-any.whl#sha256=" + digest,
            "click-8.1.7-py3-none-any.whl",
            "data-requires-python=\"&gt;=3.7,&lt;4\" data-core-metadata=\"sha256=" + digest
                + "\" data-upload-time=\"2023-08-17T17:29:11Z\""
        )
        + link(
            "https://f.example/click-8.1.7.tar.gz",
            "click-8.1.7.tar.gz",
            "data-yanked=\"br&amp;oken\""
        )
        + "</body></html>"
    );
    EXPECT_EQ(page.name, "click");
    ASSERT_EQ(page.files.size(), 2U);
    EXPECT_TRUE(page.skipped.empty());
    const auto& wheel = page.files[0];
    EXPECT_EQ(wheel.kind, Kind::wheel);
    EXPECT_EQ(wheel.url, "https://i.example/files/click-8.1.7-py3-none-any.whl");
    EXPECT_EQ(wheel.filename, "click-8.1.7-py3-none-any.whl");
    EXPECT_EQ(wheel.version.text(), "8.1.7");
    EXPECT_EQ(wheel.hashes.at("sha256"), digest);
    EXPECT_EQ(wheel.requires_python->text(), "<4,>=3.7");
    EXPECT_EQ(wheel.metadata_hashes->at("sha256"), digest);
    EXPECT_EQ(wheel.upload_time, "2023-08-17T17:29:11Z");
    EXPECT_FALSE(wheel.yanked);
    const auto& sdist = page.files[1];
    EXPECT_EQ(sdist.kind, Kind::sdist);
    EXPECT_TRUE(sdist.yanked);
    EXPECT_EQ(sdist.yanked_reason, "br&oken");
    EXPECT_TRUE(sdist.hashes.empty());
    EXPECT_FALSE(sdist.requires_python);
    EXPECT_FALSE(sdist.metadata_hashes);
}

TEST(HtmlPage, SurvivesWhatPeopleWrite) {
    const auto page =
        html("<A HREF='click-1.0.tar.gz'>click-1.0.tar.gz</A>"           // case, quotes, no html
             "<a href=click-1.1.tar.gz>click-1.1.tar.gz"                 // not closed, not quoted
             "<a href=\"click-1.2.tar.gz\"> \n click-1.2.tar.gz\t</a>"   // blanks
             "<a href=\"click-1.3.tar.gz\"><b>click-1.3</b>.tar.gz</a>"  // elements inside
             "<a name=top>no href</a>"
             "<!-- <a href=\"click-9.tar.gz\">click-9.tar.gz</a> -->"
             "<a href=\"click-1.4.tar.gz\" data-yanked>click-1.4.tar.gz</a>"  // no value
             "<a href=\"click-1.5.tar.gz\"></a>"                              // no text
             "<a href=\"click-1.6.tar.gz\" data-requires-python=\"whatever\">click-1.6.tar.gz</a>"
             "<p><a href=\"click%2D1.7.tar.gz\">click-1.7.tar.gz"  // the end of the page
        );
    std::vector<std::string> versions;
    for (const auto& file : page.files) {
        versions.push_back(file.version.text());
    }
    EXPECT_EQ(
        versions, (std::vector<std::string>{"1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7"})
    );
    EXPECT_TRUE(page.files[4].yanked);
    EXPECT_FALSE(page.files[6].requires_python);
    EXPECT_TRUE(page.skipped.empty()) << page.skipped[0];
}

TEST(HtmlPage, ResolvesAgainstItsBaseElement) {
    const auto page = html(
        "<head><base href=\"/mirror/\"><base href=\"/other/\"></head>"
        + link("click-1.0.tar.gz", "click-1.0.tar.gz")
    );
    ASSERT_EQ(page.files.size(), 1U);
    EXPECT_EQ(page.files[0].url, "https://i.example/mirror/click-1.0.tar.gz");
}

TEST(HtmlPage, SkipsWhatIsNoDistributionAndSaysWhy) {
    const auto page = html(
        link("click-0.1-py2.7.egg", "click-0.1-py2.7.egg") + link("click-0.1.exe", "click-0.1.exe")
        + link("Click-1.0-py3.whl", "Click-1.0-py3.whl")
        + link("flask-1.0.tar.gz", "flask-1.0.tar.gz") + link("../", "Parent directory")
    );
    EXPECT_TRUE(page.files.empty());
    ASSERT_EQ(page.skipped.size(), 5U);
    EXPECT_EQ(page.skipped[0], "click-0.1-py2.7.egg: neither an sdist nor a wheel");
}

TEST(HtmlPage, RefusesUrlsThatLeadAstray) {
    const auto page = html(
        link("javascript:click-1.0.tar.gz", "click-1.0.tar.gz")
        + link("file:///srv/click-1.1.tar.gz", "click-1.1.tar.gz")
        + link("ftp://h/click-1.2.tar.gz", "click-1.2.tar.gz")
        + link("http://h/click-1.3.tar.gz", "click-1.3.tar.gz")
        + link("http://h/click-1.4.tar.gz#sha256=" + digest, "click-1.4.tar.gz")
    );
    ASSERT_EQ(page.files.size(), 1U);
    EXPECT_EQ(page.files[0].version.text(), "1.4");
    EXPECT_EQ(page.skipped.size(), 4U);
}

TEST(HtmlPage, RefusesNamesThatAreNoSafeFileNames) {
    const auto page = html(
        link("..%2Fclick-1.0.tar.gz", "click-1.0.tar.gz")
        + link("-click-1.0.tar.gz", "-click-1.0.tar.gz")
        + link(".click-1.0.tar.gz", ".click-1.0.tar.gz")
        + link("click-1.0%0A.tar.gz", "click-1.0.tar.gz")
        + link("click-1.0%00.tar.gz", "click-1.0.tar.gz")
        + link("click%5C-1.0.tar.gz", "click-1.0.tar.gz")
        + link("click-" + std::string(300, '1') + ".tar.gz", "")
    );
    EXPECT_TRUE(page.files.empty());
    EXPECT_EQ(page.skipped.size(), 7U);
    for (const auto& line : page.skipped) {
        EXPECT_EQ(line.find_first_of(std::string("\n\0", 2)), std::string::npos);
    }
}

TEST(HtmlPage, RefusesALinkWhoseTextNamesAnotherFile) {
    const auto page = html(link("click-1.0.tar.gz", "click-2.0.tar.gz"));
    EXPECT_TRUE(page.files.empty());
    ASSERT_EQ(page.skipped.size(), 1U);
    EXPECT_EQ(page.skipped[0], "click-1.0.tar.gz: the page calls it click-2.0.tar.gz");
}

TEST(HtmlPage, RefusesABrokenHashRatherThanToForgetIt) {
    const auto page = html(
        link("click-1.0.tar.gz#sha256=abc", "click-1.0.tar.gz")
        + link("click-1.1.tar.gz#sha256=" + std::string(64, 'g'), "click-1.1.tar.gz")
        + link("click-1.2.tar.gz#egg=click&amp;sha256=" + std::string(64, 'A'), "click-1.2.tar.gz")
        + link("click-1.3.tar.gz#future=xyz", "click-1.3.tar.gz")
    );
    ASSERT_EQ(page.files.size(), 2U);
    EXPECT_EQ(page.files[0].hashes, (std::map<std::string, std::string>{{"sha256", digest}}));
    EXPECT_EQ(page.files[1].version.text(), "1.3");
}

TEST(HtmlPage, ListsAtMostTwoHundredSkippedFiles) {
    std::string body;
    for (int i = 0; i < 1000; ++i) {
        body += link("x-" + std::to_string(i) + ".exe", "");
    }
    EXPECT_EQ(html(body).skipped.size(), 200U);
}

TEST(HtmlPage, TellsTheStatusOfAProject) {
    const auto page = html("<meta name=\"pypi:project-status\" content=\"quarantined\">"
                           "<meta name=\"pypi:project-status-reason\" content=\"mal&lt;ware\">");
    EXPECT_EQ(page.status, "quarantined");
    EXPECT_EQ(page.status_reason, "mal<ware");
}

TEST(HtmlPage, KnowsTheOldAndTheNewNameOfMetadata) {
    const auto page = html(
        link("click-1-py3-none-any.whl", "", "data-dist-info-metadata=\"true\"")
        + link(
            "click-2-py3-none-any.whl",
            "",
            "data-dist-info-metadata=\"true\" data-core-metadata=\"false\""
        )
        + link(
            "click-3-py3-none-any.whl",
            "",
            "data-core-metadata=\"SHA256=" + std::string(64, 'A') + "\""
        )
    );
    ASSERT_EQ(page.files.size(), 3U);
    EXPECT_TRUE(page.files[0].metadata_hashes && page.files[0].metadata_hashes->empty());
    EXPECT_FALSE(page.files[1].metadata_hashes);
    EXPECT_EQ(page.files[2].metadata_hashes->at("sha256"), digest);
}

TEST(HtmlPage, ReadsWheelTagsAndBuildNumbers) {
    const auto page = html(link("click-1.0-2ab-cp312-abi3-manylinux_2_17_x86_64.whl", ""));
    ASSERT_EQ(page.files.size(), 1U);
    EXPECT_EQ(page.files[0].build_number, 2U);
    EXPECT_EQ(page.files[0].build_suffix, "ab");
    ASSERT_EQ(page.files[0].tags.size(), 1U);
    EXPECT_EQ(page.files[0].tags[0].text(), "cp312-abi3-manylinux_2_17_x86_64");
}

TEST(HtmlPage, NeverShowsCredentialsOfLinks) {
    const auto page = html(link("https://u:secret@f.example/click-1.0.tar.gz", ""));
    ASSERT_EQ(page.files.size(), 1U);
    EXPECT_EQ(page.files[0].url, "https://f.example/click-1.0.tar.gz");
}

TEST(HtmlPage, EncodesOddBytesInUrls) {
    const auto page = html("<a href='a b/\xc3\xa4/click-1.0.tar.gz?x=\"y\"'></a>");
    ASSERT_EQ(page.files.size(), 1U);
    EXPECT_EQ(
        page.files[0].url, "https://i.example/simple/click/a%20b/%C3%A4/click-1.0.tar.gz?x=%22y%22"
    );
}

TEST(HtmlPage, RefusesAnApiVersionToCome) {
    const auto error =
        thrown_error([] { (void)html("<meta name=\"pypi:repository-version\" content=\"2.0\">"); });
    EXPECT_EQ(error.id(), "bad-index-page");
    EXPECT_EQ(error.code(), ExitCode::surroundings);
    EXPECT_NO_THROW((void)html("<meta name=\"pypi:repository-version\" content=\"1.99\">"));
}

TEST(HtmlPage, RefusesDeepNesting) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) {
        deep += "<div>";
    }
    EXPECT_EQ(thrown_error([&] { (void)html(deep); }).id(), "bad-index-page");
    std::string many_ends;
    for (int i = 0; i < 200'000; ++i) {
        many_ends += "</i><b";
    }
    EXPECT_TRUE(html(many_ends).files.empty());
}

TEST(HtmlPage, IgnoresAttributesThatAreTooLong) {
    const auto page = html(
        link(
            "click-1.0.tar.gz", "", "data-requires-python=\">=3." + std::string(10'000, '0') + "\""
        )
        + link(std::string(10'000, 'x') + "/click-1.1.tar.gz", "")
    );
    ASSERT_EQ(page.files.size(), 1U);
    EXPECT_FALSE(page.files[0].requires_python);
}

TEST(HtmlPage, RefusesTagsOfEndlessAttributes) {
    std::string attributes = "<a";
    for (int i = 0; i < 300; ++i) {
        attributes += " a" + std::to_string(i) + "='>'";
    }
    for (const auto& body :
         {attributes + ">", "<!-- " + attributes, "<a b='" + attributes, "<a b=x\">" + attributes
         }) {
        EXPECT_EQ(thrown_error([&] { (void)html(body); }).id(), "bad-index-page")
            << body.substr(0, 20);
    }
    std::string many_starts;
    for (int i = 0; i < 100'000; ++i) {
        many_starts += "<a b='";
    }
    many_starts += std::string(1U << 20U, 'x');
    EXPECT_EQ(thrown_error([&] { (void)html(many_starts); }).id(), "bad-index-page");
}

TEST(HtmlPage, MayHaveMuchElse) {
    const auto page = html(
        "<!-- " + std::string(200'000, '-') + " --><script>if (a<b) {" + std::string(200'000, ' ')
        + "}</script>" + std::string(200'000, ' ') + "<p title=\"" + std::string(200'000, ' ')
        + "\">" + link("click-1.0.tar.gz", "click-1.0.tar.gz")
    );
    EXPECT_EQ(page.files.size(), 1U);
}

TEST(HtmlPage, RefusesABaseThatWouldMakeEveryLinkLong) {
    const std::string base = "<base href=\"/" + std::string(4000, 'x') + "/\">";
    EXPECT_EQ(thrown_error([&] { (void)html(base); }).id(), "bad-index-page");
    EXPECT_EQ(
        thrown_error([] { (void)html("", "https://h/" + std::string(4000, 'x')); }).id(),
        "bad-index-page"
    );
}

TEST(JsonPage, GivesFilesWithAllThatItSays) {
    const auto page = json(
        R"({"meta": {"api-version": "1.4"}, "name": "click", "versions": ["8.1.7"],
            "project-status": {"status": "archived", "reason": "done"},
            "files": [
              {"filename": "click-8.1.7-py3-none-any.whl", "url": "../../f/click-8.1.7-py3-none-any.whl",
               "hashes": {"sha256": ")"
        + digest + R"("}, "requires-python": ">=3.7", "size": 97941, "yanked": false,
               "upload-time": "2023-08-17T17:29:10.123456Z", "core-metadata": {"sha256": ")"
        + digest + R"("}, "gpg-sig": false, "provenance": null},
              {"filename": "click-8.1.7.tar.gz", "url": "https://f.example/get?id=5",
               "hashes": {}, "requires-python": null, "yanked": "why not", "core-metadata": false},
              {"filename": "click-8.1.6-py3-none-any.whl", "url": "click-8.1.6-py3-none-any.whl", "hashes": {},
               "yanked": true, "dist-info-metadata": true}]})"
    );
    EXPECT_EQ(page.status, "archived");
    EXPECT_EQ(page.status_reason, "done");
    ASSERT_EQ(page.files.size(), 3U) << page.skipped.at(0);
    EXPECT_EQ(page.files[0].url, "https://i.example/f/click-8.1.7-py3-none-any.whl");
    EXPECT_EQ(page.files[0].size, 97941U);
    EXPECT_EQ(page.files[0].upload_time, "2023-08-17T17:29:10.123456Z");
    EXPECT_EQ(page.files[0].metadata_hashes->at("sha256"), digest);
    EXPECT_FALSE(page.files[0].yanked);
    EXPECT_EQ(page.files[1].filename, "click-8.1.7.tar.gz");
    EXPECT_EQ(page.files[1].yanked_reason, "why not");
    EXPECT_TRUE(page.files[2].yanked);
    EXPECT_TRUE(page.files[2].metadata_hashes && page.files[2].metadata_hashes->empty());
}

TEST(JsonPage, RefusesAUrlThatEndsInAnotherDistribution) {
    const auto page = json(
        R"({"files": [{"filename": "click-1.0.tar.gz", "url": "click-2.0.tar.gz", "hashes": {}}]})"
    );
    EXPECT_TRUE(page.files.empty());
    EXPECT_EQ(page.skipped.size(), 1U);
}

TEST(JsonPage, IsRefusedAsAWholeWhereItIsBroken) {
    for (const auto* body :
         {"",
          "{",
          "[]",
          "{}",
          R"({"files": {}})",
          R"({"files": [1]})",
          R"({"files": [{"filename": "click-1.0.tar.gz"}]})",
          R"({"files": [{"filename": 1, "url": "x"}]})",
          R"({"files": [{"filename": "x", "url": "x", "hashes": {"sha256": 1}}]})",
          R"({"files": [{"filename": "x", "url": "x", "hashes": []}]})",
          R"({"files": [{"filename": "x", "url": "x", "size": -1}]})",
          R"({"files": [{"filename": "x", "url": "x", "yanked": 1}]})",
          R"({"files": [{"filename": "x", "url": "x", "core-metadata": "true"}]})",
          R"({"files": [], "files": []})",
          R"({"files": []} x)",
          R"({"files": [], "meta": {"api-version": "2.0"}})",
          R"({"files": [], "meta": {"api-version": 1}})",
          R"({"files": [], "meta": 1})",
          R"({"files": [], "project-status": "archived"})"}) {
        EXPECT_EQ(thrown_error([&] { (void)json(body); }).id(), "bad-index-page") << body;
    }
}

TEST(JsonPage, IsRefusedWhenItIsNestedWithoutEnd) {
    const std::string deep = "{\"files\": " + std::string(100'000, '[');
    EXPECT_EQ(thrown_error([&] { (void)json(deep); }).id(), "bad-index-page");
}

TEST(SimplePage, IsReadByItsContentType) {
    const auto parse = [](const char* type, const char* body) {
        return parse_simple_page("click", "https://i.example/", type, body);
    };
    EXPECT_NO_THROW((void)parse("Text/HTML", ""));
    EXPECT_NO_THROW((void)parse("application/vnd.pypi.simple.v1+html", ""));
    EXPECT_NO_THROW((void
    )parse("application/vnd.pypi.simple.v1+JSON; charset=utf-8", R"({"files":[]})"));
    EXPECT_NO_THROW((void)parse("application/vnd.pypi.simple.latest+json", R"({"files":[]})"));
    for (const auto* type :
         {"",
          "text/plain",
          "application/octet-stream",
          "application/vnd.pypi.simple.v2+json",
          "application/vnd.pypi.simple.+json",
          "application/vnd.pypi.simple.v1+xml"}) {
        EXPECT_EQ(thrown_error([&] { (void)parse(type, "{}"); }).id(), "bad-index-page") << type;
    }
}

TEST(SimplePage, MayPointToFilesOnlyWhereAllowed) {
    const std::string body = link("click-1.0.tar.gz", "click-1.0.tar.gz");
    const auto parse = [&](bool allow_file) {
        return parse_simple_page(
            "click", "file:///srv/simple/click/", "text/html", body, allow_file
        );
    };
    EXPECT_TRUE(parse(false).files.empty());
    ASSERT_EQ(parse(true).files.size(), 1U);
    EXPECT_EQ(parse(true).files[0].url, "file:///srv/simple/click/click-1.0.tar.gz");
}

}  // namespace
}  // namespace wheelforge::index
