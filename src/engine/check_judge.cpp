// SPDX-License-Identifier: Apache-2.0
#include "engine/check_judge.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/text.hpp"

namespace wheelforge::engine {
namespace {

using Version = Catalog::Version;

/// The newest few versions on offer, newest first.
std::string newest(const Catalog::Versions& versions) {
    constexpr std::size_t shown = 3;
    std::vector<std::string> texts;
    for (auto each = versions.rbegin(); each != versions.rend() && texts.size() < shown; ++each) {
        texts.push_back(each->first.text());
    }
    return join(texts, ", ") + (versions.size() > shown ? ", ..." : "");
}

/// Its versions that the requirement allows, newest first.
std::vector<const Version*>
allowed(const Catalog::Versions& versions, const pep::SpecifierSet& specifier) {
    std::vector<const Version*> matching;
    for (auto each = versions.rbegin(); each != versions.rend(); ++each) {
        if (specifier.contains(each->first)) {
            matching.push_back(&each->second);
        }
    }
    return matching;
}

CheckFinding not_on_index(const std::string& name, const config::Settings& settings) {
    CheckFinding finding;
    finding.id = "not-on-index";
    finding.package = name;
    finding.needs = "git";
    finding.message = name + " is not on the index";
    if (const auto present = settings.renamed(name)) {
        finding.needs.clear();
        finding.advice.push_back("the project is called " + *present + " now");
    }
    return finding;
}

CheckFinding no_such_version(const pep::Requirement& wanted, const Catalog::Versions& versions) {
    CheckFinding finding;
    finding.id = "version-not-on-index";
    finding.package = wanted.name;
    finding.needs = "git";
    finding.message = fmt::format(
        "the index has no {}{}; it has {}", wanted.name, wanted.specifier.text(), newest(versions)
    );
    return finding;
}

/// All that is allowed is on the index and may not be used.
CheckFinding unusable(
    const pep::Requirement& wanted,
    const Version& best,
    const config::PackageSettings& settings,
    bool is_lent
) {
    CheckFinding finding;
    finding.package = wanted.name;
    const auto& stranger = settings.resolution.never_from_index;
    if (stranger && !best.file && !best.wheel) {
        finding.id = "stranger";
        finding.message = fmt::format(
            "{} is somebody else's on the index: {}", wanted.name, stranger->value.because
        );
        finding.advice.push_back(stranger->value.instead);
        return finding;
    }
    finding.message = fmt::format(
        "{} {} {}", wanted.name, best.offer.version.text(), best.offer.unusable.value_or("")
    );
    const bool only_wheels = best.wheel && !best.file && !settings.takes_wheel() && !is_lent;
    finding.id = only_wheels ? "only-wheels" : "version-unusable";
    finding.needs = only_wheels ? "pre_built" : "version";
    if (only_wheels) {
        finding.message = fmt::format("{} {} has no sdist", wanted.name, best.offer.version.text());
    }
    return finding;
}

}  // namespace

std::optional<std::string> pinned_version(const pep::SpecifierSet& specifier) {
    for (const auto& each : specifier.specifiers()) {
        if (each.op() == pep::Specifier::Operator::equal && !each.wildcard() && each.version()) {
            return each.version()->text();
        }
    }
    return std::nullopt;
}

std::optional<CheckFinding> judge_requirement(
    const pep::Requirement& requirement, const Catalog& catalog, const config::Settings& settings
) {
    const auto package = settings.package(requirement.name);
    if (config::value_or(package.resolution.drop, false)) {
        return std::nullopt;
    }
    auto wanted = requirement;
    if (package.resolution.override_version) {
        wanted.specifier = package.resolution.override_version->value;
    }
    const auto& versions = catalog.versions(wanted.name);
    const auto matching = allowed(versions, wanted.specifier);
    const bool is_met = std::any_of(matching.begin(), matching.end(), [](const Version* each) {
        return !each->offer.unusable;
    });
    if (is_met) {
        return std::nullopt;
    }
    auto finding =
        versions.empty() ? not_on_index(wanted.name, settings)
        : matching.empty()
            ? no_such_version(wanted, versions)
            : unusable(wanted, *matching.front(), package, catalog.lends_wheels(wanted.name));
    finding.version = pinned_version(wanted.specifier).value_or("");
    return finding;
}

void assume_mended(const CheckFinding& finding, config::Settings& settings, Catalog& catalog) {
    if (finding.needs == "pre_built") {
        catalog.lend_wheels(finding.package);
    } else {
        settings.drop(finding.package, "check");
    }
}

}  // namespace wheelforge::engine
