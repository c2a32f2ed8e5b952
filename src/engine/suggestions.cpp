// SPDX-License-Identifier: Apache-2.0
#include "engine/suggestions.hpp"

#include <chrono>

#include "base/text.hpp"
#include "pep/requirement_credentials.hpp"
#include "resolve/suggest.hpp"

namespace wheelforge::engine {
namespace {

/// A conflict is told in seconds; so is the way out of it, or it is left out.
constexpr std::chrono::seconds most_time(10);

struct OutOfTime {};

/// KnownFacts one after the other, from memory where they were needed before.
class KnownFacts : public resolve::Answerer {
public:
    KnownFacts(Session& session, Scopes& scopes) : session_(session), scopes_(scopes) {}

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
    std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + most_time;
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
    const resolve::Problem& problem,
    const resolve::Conflict& conflict
) {
    std::vector<std::string> lines;
    session.may_build = false;
    try {
        KnownFacts facts(session, scopes);
        for (const auto& suggestion : resolve::suggest(problem, conflict, facts)) {
            lines.push_back(told(suggestion));
        }
    } catch (const OutOfTime&) {
    } catch (const Error&) {
        // What is wrong with some other version is not what the user asked about.
    }
    return lines;
}

}  // namespace wheelforge::engine
