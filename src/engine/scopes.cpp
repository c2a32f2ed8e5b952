// SPDX-License-Identifier: Apache-2.0
#include "engine/scopes.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace wheelforge::engine {

struct Scopes::Session {
    explicit Session(resolve::Problem problem, bool is_build)
        : resolver(std::move(problem)), build(is_build) {}
    resolve::Resolver resolver;
    bool build;
    bool queued = false;
    std::optional<Answer> answer;
    std::vector<Done> waiting;
};

Scopes::Scopes(
    Loop& loop,
    Catalog& catalog,
    Requirements& requirements,
    const std::vector<InstalledTool>& tools
)
    : loop_(loop), catalog_(catalog), requirements_(requirements), tools_(tools) {}

void Scopes::solve_runtime(resolve::Problem problem, Done done) {
    auto session = std::make_shared<Session>(std::move(problem), false);
    session->waiting.push_back(std::move(done));
    advance_soon(session);
}

void Scopes::solve_build(resolve::Problem problem, Done done) {
    std::map<std::string, pep::Version> installed;
    for (const auto& tool : tools_) {
        installed.emplace(tool.name, tool.version);
    }
    problem.preferences.insert(problem.preferences.begin(), std::move(installed));
    const auto key = scope_key(problem);
    const auto existing = builds_.find(key);
    if (existing != builds_.end()) {
        if (existing->second->answer) {
            done(*existing->second->answer);
        } else {
            existing->second->waiting.push_back(std::move(done));
        }
        return;
    }
    auto session = std::make_shared<Session>(std::move(problem), true);
    session->waiting.push_back(std::move(done));
    builds_.emplace(key, session);
    advance_soon(session);
}

const InstalledTool* Scopes::tool_for(const std::string& name, const pep::Version& version) const {
    const auto tool = std::find_if(tools_.begin(), tools_.end(), [&](const InstalledTool& each) {
        return each.name == name && each.version == version;
    });
    return tool == tools_.end() ? nullptr : &*tool;
}

/// Several answers that arrive together cost one step of the resolver.
void Scopes::advance_soon(const SessionPtr& session) {
    if (std::exchange(session->queued, true)) {
        return;
    }
    loop_.soon([this, session] {
        session->queued = false;
        advance(session);
    });
}

void Scopes::advance(const SessionPtr& session) {
    auto step = session->resolver.next();
    if (auto* versions = std::get_if<resolve::NeedVersions>(&step)) {
        for (const auto& name : versions->names) {
            const auto url = versions->urls.find(name);
            ask_versions(session, name, url == versions->urls.end() ? "" : url->second);
        }
    } else if (auto* requirements = std::get_if<resolve::NeedRequirements>(&step)) {
        for (const auto& [name, version] : requirements->versions) {
            ask_requirements(session, name, version);
        }
    } else if (auto* resolution = std::get_if<resolve::Resolution>(&step)) {
        finish(session, std::make_shared<const resolve::Resolution>(std::move(*resolution)));
    } else {
        finish(session, std::get<resolve::Conflict>(std::move(step)));
    }
}

void Scopes::ask_offers(
    const std::string& name,
    const std::string& url,
    const std::function<void(std::vector<resolve::Offer>)>& ready
) {
    if (url.empty()) {
        catalog_.want(name, [this, name, ready] { ready(catalog_.offers(name)); });
    } else {
        catalog_.want_direct(name, url, [this, name, url, ready] {
            ready(catalog_.direct_offers(name, url));
        });
    }
}

void Scopes::ask_versions(
    const SessionPtr& session, const std::string& name, const std::string& url
) {
    ask_offers(name, url, [this, session, name, url](std::vector<resolve::Offer> offers) {
        for (const auto& tool : tools_) {
            if (!session->build || tool.name != name || !url.empty()) {
                continue;
            }
            std::erase_if(offers, [&](const auto& offer) { return offer.version == tool.version; });
            offers.push_back({tool.version, std::nullopt, false});
        }
        std::sort(offers.begin(), offers.end(), [](const auto& a, const auto& b) {
            return a.version < b.version;
        });
        session->resolver.answer_versions(name, std::move(offers), url);
        advance_soon(session);
    });
}

void Scopes::ask_requirements(
    const SessionPtr& session, const std::string& name, const pep::Version& version
) {
    if (session->build && tool_for(name, version) != nullptr) {
        session->resolver.answer_requirements(name, version, {});
        advance_soon(session);
        return;
    }
    requirements_.want({name, version}, [this, session, name, version](const auto& dependencies) {
        session->resolver.answer_requirements(name, version, dependencies);
        advance_soon(session);
    });
}

void Scopes::finish(const SessionPtr& session, Answer answer) {
    session->answer = std::move(answer);
    for (auto& waiter : std::exchange(session->waiting, {})) {
        waiter(*session->answer);
    }
}

std::string scope_key(const resolve::Problem& problem) {
    std::vector<std::string> texts;
    for (const auto& root : problem.roots) {
        texts.push_back(root.requirement.text());
    }
    for (const auto& [name, lock] : problem.locked) {
        texts.push_back("locked " + name + " " + lock.first.text());
    }
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    return join(texts, "\n");
}

bool provides(
    const resolve::Resolution& solution,
    const pep::Requirement& requirement,
    const pep::Target& target
) {
    if (requirement.marker && !requirement.marker->evaluate(target.markers)) {
        return true;
    }
    const auto* pin = solution.find(requirement.name);
    return pin != nullptr && !requirement.url && requirement.specifier.contains(pin->version)
           && std::includes(
               pin->extras.begin(),
               pin->extras.end(),
               requirement.extras.begin(),
               requirement.extras.end()
           );
}

}  // namespace wheelforge::engine
