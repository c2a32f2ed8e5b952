// SPDX-License-Identifier: Apache-2.0
#include "plugin/git_checkout.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/http.hpp"
#include "base/text.hpp"

namespace wheelforge::plugin {
namespace {

constexpr std::chrono::seconds most_time = std::chrono::hours(1);

bool is_full_commit(const std::string& text) {
    return (text.size() == 40 || text.size() == 64)
           && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// One repository and how git is run for it.
class Git {
public:
    Git(const GitPlace& place, Environment environment)
        : place_(place), environment_(std::move(environment)) {
        for (const auto* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"}) {
            environment_.erase(name);
        }
        environment_["GIT_TERMINAL_PROMPT"] = "0";
        environment_["GIT_LFS_SKIP_SMUDGE"] = "1";
        environment_["LC_ALL"] = "C";
    }

    [[nodiscard]] ProcessResult
    try_run(std::vector<std::string> words, const std::filesystem::path& folder = "/") const {
        Launch launch;
        launch.argv = {"git", "-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false"};
        if (url_scheme(place_.url) == "file") {
            // Local submodules are as trusted as the local repository that was named.
            launch.argv.insert(launch.argv.end(), {"-c", "protocol.file.allow=always"});
        }
        launch.argv.insert(launch.argv.end(), words.begin(), words.end());
        launch.env = environment_;
        launch.cwd = folder;
        launch.network = true;
        launch.timeout = most_time;
        return run(launch);
    }

    std::string
    must_run(std::vector<std::string> words, const std::filesystem::path& folder) const {
        const auto what = words.front();
        const auto result = try_run(std::move(words), folder);
        if (result.exit_code != 0) {
            fail(what, result);
        }
        return std::string(trim(result.out));
    }

    [[noreturn]] void fail(const std::string& what, const ProcessResult& result) const {
        const auto said = lines(trim(result.err));
        throw Error(
            ExitCode::surroundings,
            "git-failed",
            "git " + what + " of " + masked_url(place_.url)
                + (place_.revision.empty() ? "" : " at " + printable(place_.revision)) + ": "
                + (said.empty() ? "exit status " + std::to_string(result.exit_code)
                                : printable(masked_url(said.back())))
        )
            .advise("try it by hand: git clone " + masked_url(place_.url));
    }

private:
    const GitPlace& place_;
    Environment environment_;
};

/// The default branch, or a branch, tag or full commit: what a server sends by name.
bool fetch_shallow(const Git& git, const GitPlace& place, const std::filesystem::path& folder) {
    const auto wanted = place.revision.empty() ? std::string("HEAD") : place.revision;
    return git.try_run({"fetch", "-q", "--depth", "1", "--", place.url, wanted}, folder).exit_code
           == 0;
}

}  // namespace

std::string find_commit(const GitPlace& place, const Environment& environment) {
    if (is_full_commit(place.revision)) {
        return place.revision;
    }
    const Git git(place, environment);
    const auto wanted = place.revision.empty() ? std::string("HEAD") : place.revision;
    const auto result = git.try_run({"ls-remote", "--", place.url, wanted, wanted + "^{}"});
    if (result.exit_code != 0) {
        git.fail("ls-remote", result);
    }
    // A tag's commit outranks the tag itself, and a tag outranks a branch, as in git.
    for (const auto& name :
         {"refs/tags/" + wanted + "^{}", "refs/tags/" + wanted, "refs/heads/" + wanted, wanted}) {
        for (const auto line : lines(result.out)) {
            const auto parts = split(line, '\t');
            if (parts.size() == 2 && parts[1] == name && is_full_commit(std::string(parts[0]))) {
                return std::string(parts[0]);
            }
        }
    }
    return "";
}

std::string check_out(
    const GitPlace& place, const std::filesystem::path& folder, const Environment& environment
) {
    const Git git(place, environment);
    git.must_run({"init", "-q", "--", folder.string()}, "/");
    git.must_run({"remote", "add", "origin", place.url}, folder);
    std::string commit = "FETCH_HEAD";
    if (!fetch_shallow(git, place, folder)) {
        git.must_run({"fetch", "-q", "--tags", "origin"}, folder);
        commit = git.must_run({"rev-parse", "--verify", place.revision + "^{commit}"}, folder);
    }
    git.must_run({"checkout", "-q", "--detach", commit}, folder);
    git.must_run({"submodule", "update", "-q", "--init", "--recursive", "--depth", "1"}, folder);
    return git.must_run({"rev-parse", "HEAD"}, folder);
}

std::string tag_of(const std::filesystem::path& folder, const Environment& environment) {
    const GitPlace here{folder.string(), ""};
    const auto result =
        Git(here, environment).try_run({"describe", "--tags", "--exact-match"}, folder);
    return result.exit_code == 0 ? std::string(trim(result.out)) : "";
}

}  // namespace wheelforge::plugin
