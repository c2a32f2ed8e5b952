// SPDX-License-Identifier: Apache-2.0
#include "engine/check_tags.hpp"

#include <future>
#include <optional>

#include <fmt/core.h>

#include "base/text.hpp"

namespace wheelforge::engine {
namespace {

constexpr std::chrono::seconds patience{8};

/// Tags are compared as versions: 0.11.2b is 0.11.2b0.
struct Question {
    CheckFinding* finding = nullptr;
    std::string url;
    std::string before;  ///< what stands before the version in a tag: "v"
    std::string after;
    pep::Version version;
};

/// What repositories say.
struct Answer {
    bool asked = false;
    std::optional<std::string> tag;
};

/// The caller's git configuration counts (mirrors, proxies); nothing is asked of a person.
Environment git_environment(const Environment& callers) {
    Environment environment{{"GIT_TERMINAL_PROMPT", "0"}, {"LC_ALL", "C"}};
    for (const auto* name :
         {"PATH", "HOME", "https_proxy", "http_proxy", "HTTPS_PROXY", "no_proxy", "SSL_CERT_FILE"
         }) {
        const auto value = callers.find(name);
        if (value != callers.end()) {
            environment.insert(*value);
        }
    }
    return environment;
}

/// The tag of the version among the lines "<commit>\trefs/tags/<tag>".
std::optional<std::string> tag_among(std::string_view refs, const Question& question) {
    constexpr std::string_view prefix = "refs/tags/";
    for (const auto line : lines(refs)) {
        const auto start = line.find(prefix);
        if (start == std::string_view::npos) {
            continue;
        }
        const auto tag = line.substr(start + prefix.size());
        const auto affixes = question.before.size() + question.after.size();
        if (tag.size() <= affixes || !tag.starts_with(question.before)
            || !tag.ends_with(question.after)) {
            continue;
        }
        const auto version =
            pep::Version::parse(tag.substr(question.before.size(), tag.size() - affixes));
        if (version && *version == question.version) {
            return std::string(tag);
        }
    }
    return std::nullopt;
}

Answer ask(const Question& question, const Environment& environment, std::stop_token stop) {
    Launch launch;
    launch.argv = {
        "git",
        "ls-remote",
        "--refs",
        "--tags",
        "--",
        question.url,
        "refs/tags/" + question.before + "*"
    };
    launch.env = environment;
    launch.timeout = patience;
    try {
        const auto result = run(launch, std::move(stop));
        if (result.exit_code != 0) {
            return {};
        }
        return {true, tag_among(result.out, question)};
    } catch (const Error&) {
        return {};  // no git
    }
}

std::string advice_for(const Question& question, const Answer& answer) {
    const auto version = question.version.text();
    if (!answer.asked) {
        return fmt::format("whether {} has a tag for {} could not be asked", question.url, version);
    }
    if (!answer.tag) {
        return fmt::format("{} has no tag for {}", question.url, version);
    }
    return fmt::format(
        "its repository has a tag for it: {} @ git+{}@{}",
        question.finding->package,
        question.url,
        printable(*answer.tag)
    );
}

std::vector<Question>
questions_about(std::vector<CheckFinding>& findings, const config::Settings& settings) {
    std::vector<Question> questions;
    for (auto& finding : findings) {
        const auto source = settings.package(finding.package).source;
        const auto version = pep::Version::parse(finding.version);
        if (finding.needs != "git" || !version || !source.repository) {
            continue;
        }
        const config::Set<std::string> plain{"${version}", source.repository->origin};
        const std::string mark(1, '\0');
        const auto shape =
            config::expand_location(source.tag.value_or(plain), finding.package, mark);
        const auto at = std::min(shape.find(mark), shape.size());
        questions.push_back(
            {&finding,
             source.repository->value,
             shape.substr(0, at),
             at < shape.size() ? shape.substr(at + 1) : std::string(),
             *version}
        );
    }
    return questions;
}

}  // namespace

void ask_for_tags(
    std::vector<CheckFinding>& findings, const BootstrapRequest& request, std::stop_token stop
) {
    const auto questions = questions_about(findings, request.settings);
    const auto environment = git_environment(request.callers_environment);
    std::vector<std::future<Answer>> answers;
    for (const auto& question : questions) {
        if (request.index.offline) {
            question.finding->advice.push_back("its repository was not asked: offline");
            continue;
        }
        answers.push_back(std::async(std::launch::async, [&question, &environment, stop] {
            return ask(question, environment, stop);
        }));
    }
    for (std::size_t i = 0; i < answers.size(); ++i) {
        questions[i].finding->advice.push_back(advice_for(questions[i], answers[i].get()));
    }
}

}  // namespace wheelforge::engine
