// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "index/pip_config.hpp"
#include "index/pip_values.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge::index {
namespace {

using support::thrown_error;
using Strings = std::vector<std::string>;

/// A home of its own; /etc/pip.conf of the machine stays, so values are set where they outrank it.
class PipConfig : public testing::Test {
protected:
    TempDir home{testing::TempDir(), "home-"};
    PipConfigInput input;

    void SetUp() override {
        input.env = {
            {"HOME", home.path().string()},
            {"PIP_INDEX_URL", "https://main.example/simple"},
            {"XDG_CONFIG_DIRS", (home.path() / "xdg").string()},
        };
    }
    void write(const std::string& path, const std::string& text) {
        write_file(home.path() / path, text);
    }
    IndexSettings settings() { return pip_index_settings(input); }
    [[nodiscard]] std::optional<HttpCredential> credential(const std::string& origin) {
        const auto all = settings().http.credentials;
        const auto found = std::ranges::find(all, origin, &HttpCredential::origin);
        return found == all.end() ? std::nullopt : std::optional(*found);
    }
};

TEST_F(PipConfig, TakesIndexesFromTheEnvironment) {
    input.env["PIP_EXTRA_INDEX_URL"] = " https://a.example/simple\n https://b.example/simple ";
    input.env["PIP_FIND_LINKS"] = "/srv/a /srv/b";
    const auto result = settings();
    EXPECT_EQ(
        result.index_urls,
        (Strings{
            "https://main.example/simple", "https://a.example/simple", "https://b.example/simple"
        })
    );
    EXPECT_EQ(result.find_links, (Strings{"/srv/a", "/srv/b"}));
    EXPECT_FALSE(result.no_index);
}

TEST_F(PipConfig, CommandLineReplacesTheIndexAndAddsTheRest) {
    input.env["PIP_EXTRA_INDEX_URL"] = "https://a.example/simple";
    input.index_urls = {"https://x.example/", "https://y.example/"};
    input.extra_index_urls = {"https://b.example/simple"};
    input.find_links = {"https://f.example/"};
    const auto result = settings();
    EXPECT_EQ(
        result.index_urls,
        (Strings{"https://y.example/", "https://a.example/simple", "https://b.example/simple"})
    );
    EXPECT_EQ(result.find_links, Strings{"https://f.example/"});
}

TEST_F(PipConfig, NoIndexLeavesFindLinksAlone) {
    input.env["PIP_NO_INDEX"] = "1";
    input.env["PIP_FIND_LINKS"] = home.path().string();
    const auto result = settings();
    EXPECT_TRUE(result.no_index);
    EXPECT_TRUE(result.index_urls.empty());
    EXPECT_EQ(result.find_links, Strings{file_url(home.path())});
    input.env["PIP_NO_INDEX"] = "off";
    EXPECT_FALSE(settings().no_index);
    input.env["PIP_NO_INDEX"] = "";
    EXPECT_FALSE(settings().no_index);
    input.no_index = true;
    EXPECT_TRUE(settings().no_index);
}

TEST_F(PipConfig, LaterFilesOutrankEarlierOnesAndTheEnvironmentAll) {
    const auto proxy = [&] { return settings().http.proxy; };
    write(".pip/pip.conf", "[global]\nproxy = legacy\n");
    EXPECT_EQ(proxy(), "legacy");
    write(".config/pip/pip.conf", "[global]\nproxy = user\n");
    EXPECT_EQ(proxy(), "user");
    write("elsewhere/pip/pip.conf", "[global]\nproxy = user of XDG\n");
    input.env["XDG_CONFIG_HOME"] = (home.path() / "elsewhere").string();
    EXPECT_EQ(proxy(), "user of XDG");
    write("named.conf", "[global]\nproxy = named\n");
    input.env["PIP_CONFIG_FILE"] = (home.path() / "named.conf").string();
    EXPECT_EQ(proxy(), "named");
    input.env["PIP_PROXY"] = "environment";
    EXPECT_EQ(proxy(), "environment");
}

TEST_F(PipConfig, SectionInstallOutranksGlobalOfAnyFile) {
    write(".pip/pip.conf", "[install]\nproxy = install\n[download]\nproxy = other\n");
    write(".config/pip/pip.conf", "[global]\nproxy = global\n");
    EXPECT_EQ(settings().http.proxy, "install");
}

TEST_F(PipConfig, FilesStandInPipsOrder) {
    const auto base = home.path();
    EXPECT_EQ(
        pip_config_files(input.env, "/venv"),
        (std::vector<fs::path>{
            base / "xdg/pip/pip.conf",
            "/etc/pip.conf",
            base / ".pip/pip.conf",
            base / ".config/pip/pip.conf",
            "/venv/pip.conf"
        })
    );
    input.env.erase("XDG_CONFIG_DIRS");
    EXPECT_EQ(pip_config_files(input.env, "").front(), "/etc/xdg/pip/pip.conf");
    input.env["PIP_CONFIG_FILE"] = "/dev/null";
    EXPECT_TRUE(pip_config_files(input.env, "/venv").empty());
    // A file that is there takes the user's place, one that is not does no harm.
    write("named.conf", "");
    input.env["PIP_CONFIG_FILE"] = (base / "named.conf").string();
    const auto files = pip_config_files(input.env, "/venv");
    EXPECT_EQ(files.back(), base / "named.conf");
    EXPECT_EQ(std::ranges::count(files, base / ".pip/pip.conf"), 0);
}

TEST_F(PipConfig, OptionsHaveSeveralSpellings) {
    input.env.erase("PIP_INDEX_URL");
    write(
        ".pip/pip.conf",
        "[global]\nindex_url = https://i.example/\n--trusted-host =\n   a\n   b:81\n"
    );
    EXPECT_EQ(settings().index_urls, Strings{"https://i.example/"});
    EXPECT_EQ(settings().http.trusted_hosts, (Strings{"a", "b:81"}));
}

TEST_F(PipConfig, NumbersAreChecked) {
    EXPECT_EQ(settings().http.timeout, HttpSettings{}.timeout);
    input.env["PIP_DEFAULT_TIMEOUT"] = "180";
    EXPECT_EQ(settings().http.timeout, std::chrono::seconds(180));
    input.env["PIP_TIMEOUT"] = "0.5";
    input.env["PIP_RETRIES"] = "2";
    EXPECT_EQ(settings().http.timeout, std::chrono::seconds(1));
    EXPECT_EQ(settings().http.retries, 2);
    input.env["PIP_RETRIES"] = "many";
    const auto error = thrown_error([&] { (void)settings(); });
    EXPECT_EQ(error.id(), "bad-pip-config");
    EXPECT_EQ(error.message(), "PIP_RETRIES: retries is 'many', expected a number");
    input.env["PIP_RETRIES"] = "-1";
    EXPECT_EQ(thrown_error([&] { (void)settings(); }).id(), "bad-pip-config");
}

TEST_F(PipConfig, BrokenFileIsToldByItsLine) {
    write(".pip/pip.conf", "[global]\n# fine\noops\n");
    const auto error = thrown_error([&] { (void)settings(); });
    EXPECT_EQ(error.id(), "bad-pip-config");
    EXPECT_EQ(
        error.message(), (home.path() / ".pip/pip.conf").string() + ":3: expected 'key = value'"
    );
}

TEST_F(PipConfig, CertificatesComeFromWherePipLooks) {
    const auto bundle = [&] { return settings().http.ca_bundle.string(); };
    input.env["PIP_CONFIG_FILE"] = "/dev/null";
    EXPECT_EQ(bundle(), "");
    input.env["SSL_CERT_FILE"] = "/ssl";
    EXPECT_EQ(bundle(), "/ssl");
    input.env["CURL_CA_BUNDLE"] = "/curl";
    EXPECT_EQ(bundle(), "/curl");
    input.env["REQUESTS_CA_BUNDLE"] = "/requests";
    EXPECT_EQ(bundle(), "/requests");
    input.env["PIP_CERT"] = "~/cert";
    EXPECT_EQ(bundle(), (home.path() / "cert").string());
    input.env["PIP_CLIENT_CERT"] = "/client";
    EXPECT_EQ(settings().http.client_certificate, "/client");
}

TEST_F(PipConfig, CredentialsLeaveTheUrl) {
    input.env["PIP_INDEX_URL"] = "https://me:p%40ss@main.example:8443/simple";
    input.env["PIP_FIND_LINKS"] = "https://token@links.example/";
    const auto result = settings();
    EXPECT_EQ(result.index_urls, Strings{"https://main.example:8443/simple"});
    EXPECT_EQ(result.find_links, Strings{"https://links.example/"});
    EXPECT_EQ(credential("https://main.example:8443")->password, "p@ss");
    EXPECT_EQ(credential("https://links.example:443")->user, "token");
    EXPECT_FALSE(credential("https://main.example:443"));
}

TEST_F(PipConfig, NetrcSpeaksForHostsOnTheirPorts) {
    input.env["PIP_INDEX_URL"] = "https://main.example:8443/simple";
    write(
        ".netrc",
        "machine main.example login a password b\nmachine other.example login c password d"
    );
    EXPECT_EQ(credential("https://main.example:8443")->user, "a");
    EXPECT_EQ(credential("https://main.example:443")->user, "a");
    EXPECT_EQ(credential("http://other.example:80")->password, "d");
    EXPECT_FALSE(credential("https://other.example:8443"));
}

TEST_F(PipConfig, UserInfoOutranksNetrcAndTheLaterEntryCounts) {
    input.env["PIP_INDEX_URL"] = "https://url@main.example/simple";
    write(
        ".netrc",
        "machine main.example login netrc\nmachine x.example login first\nmachine x.example login "
        "second"
    );
    EXPECT_EQ(credential("https://main.example:443")->user, "url");
    EXPECT_EQ(credential("https://x.example:443")->user, "second");
}

TEST_F(PipConfig, DefaultOfNetrcIsForConfiguredLocationsOnly) {
    input.env["PIP_EXTRA_INDEX_URL"] = "https://named.example/";
    write(".netrc", "default login anybody\nmachine named.example login named");
    EXPECT_EQ(credential("https://main.example:443")->user, "anybody");
    EXPECT_EQ(credential("https://named.example:443")->user, "named");
    EXPECT_EQ(settings().http.credentials.size(), 5U);
}

TEST_F(PipConfig, NetrcMayBeNamedAndABrokenOneIsNoHindrance) {
    write("mine", "machine a.example login b");
    write(".netrc", "machine a.example login c");
    EXPECT_EQ(credential("https://a.example:443")->user, "c");
    input.env["NETRC"] = "~/mine";
    EXPECT_EQ(credential("https://a.example:443")->user, "b");
    write("mine", "what is this");
    EXPECT_FALSE(credential("https://a.example:443"));
}

TEST_F(PipConfig, IndexMayBeAFolder) {
    input.index_urls = {home.path().string()};
    EXPECT_EQ(settings().index_urls, Strings{file_url(home.path())});
}

TEST_F(PipConfig, WithoutAnyPipThereIsNoDefaultIndex) {
    input.env.erase("PIP_INDEX_URL");
    input.env["PIP_CONFIG_FILE"] = "/dev/null";
    input.env["PATH"] = (home.path() / "nowhere").string();
    const auto error = thrown_error([&] { (void)settings(); });
    EXPECT_EQ(error.id(), "no-index-configured");
    EXPECT_EQ(error.code(), ExitCode::usage);
}

}  // namespace
}  // namespace wheelforge::index
