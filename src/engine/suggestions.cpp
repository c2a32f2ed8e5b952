// SPDX-License-Identifier: Apache-2.0
#include "engine/suggestions.hpp"

#include <chrono>

#include "base/text.hpp"
#include "engine/buildable_versions.hpp"
#include "pep/requirement_credentials.hpp"
#include "resolve/suggest.hpp"

namespace wheelforge::engine {
namespace {

struct OutOfTime {};

/// KnownFacts one after the other, from memory where they were needed before.
class KnownFacts : public resolve::Answerer {
public:
    KnownFacts(Session& session, Scopes& scopes, std::chrono::steady_clock::time_point end)
        : session_(session), scopes_(scopes), end_(end) {}

    std::vector<resolve::Offer> versions(const std::string& name, const std::string& url) override {
        return wait_for<std::vector<resolve::Offer>>([&](auto answer) {
            scopes_.ask_offers(name, url, answer);
        });
    }
    resolve::Dependencies
    requirements(const std::string& name, const pep::Version& version) override {
        return wait_for<resolve::Dependencies>([&](auto answer) {
            session_.requirements.want({name, version}, answer);
        });
    }

private:
    template <typename T, typename Ask>
    T wait_for(Ask ask) {
        if (std::chrono::steady_clock::now() > end_ || session_.stop.stop_requested()) {
            throw OutOfTime();
        }
        auto answer = std::make_shared<std::optional<T>>();
        ask([answer](const T& value) { *answer = value; });
        session_.loop.run([] {});
        return answer->value_or(T());
    }

    Session& session_;
    Scopes& scopes_;
    std::chrono::steady_clock::time_point end_;
};

std::string told(const resolve::Suggestion& suggestion) {
    std::vector<std::string> parts;
    for (const auto& relaxation : suggestion.relaxations) {
        auto part = pep::without_credentials(relaxation.wanted.requirement).text() + " ("
                    + relaxation.wanted.origin.text + ")";
        part += relaxation.version ? ": would give " + relaxation.wanted.requirement.name + " "
                                         + relaxation.version->text()
                                   : ": it would not be needed";
        parts.push_back(std::move(part));
    }
    return "relax " + join(parts, " and ");
}

}  // namespace

std::vector<std::string> suggestions(
    Session& session,
    Scopes& scopes,
    const UnsolvedScope& unsolved,
    std::chrono::steady_clock::time_point end
) {
    std::vector<std::string> lines;
    session.may_build = false;
    try {
        KnownFacts facts(session, scopes, end);
        for (const auto& suggestion :
             resolve::suggest(unsolved.problem, unsolved.conflict, facts)) {
            lines.push_back(told(suggestion));
        }
    } catch (const OutOfTime&) {
    } catch (const Error&) {
        // What is wrong with some other version is not what the user asked about.
    }
    return lines;
}

WaysOut ways_out(
    Session& session,
    Scopes& scopes,
    const UnsolvedScopes& unsolved,
    std::chrono::steady_clock::time_point end
) {
    WaysOut ways;
    std::vector<plugin::PackageId> without;
    for (const auto& [id, scope] : unsolved) {
        if (auto lines = suggestions(session, scopes, scope, end); !lines.empty()) {
            ways[id] = std::move(lines);
        } else {
            without.push_back(id);
        }
    }
    if (!without.empty() && !session.request.backtrack_builds) {
        for (auto& [id, line] : bounds_that_build(session.request, without, end)) {
            ways[id].push_back(std::move(line));
        }
    }
    return ways;
}

void advise_on_scopes(Session& session, Scopes& scopes, Jobs& jobs) {
    UnsolvedScopes unsolved;
    for (const auto& [id, job] : jobs.all()) {
        const auto* failed = std::get_if<Failed>(&job.state);
        if (failed != nullptr && failed->unsolved) {
            unsolved.emplace(id, *failed->unsolved);
        }
    }
    const auto end = std::chrono::steady_clock::now() + time_for_suggestions;
    for (const auto& [id, lines] : ways_out(session, scopes, unsolved, end)) {
        jobs.advise(id, lines);
    }
}

}  // namespace wheelforge::engine
