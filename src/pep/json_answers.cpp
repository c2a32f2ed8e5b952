// SPDX-License-Identifier: Apache-2.0
// Answers about versions, specifiers, markers and requirements.
#include <nlohmann/json.hpp>

#include "pep/json_fields.hpp"
#include "pep/requirement.hpp"

namespace wheelforge::pep {

namespace {

/// A JSON number, or its digits where JSON readers would lose some.
Json number_json(const Number& number) {
    const auto small = number.small();
    return small ? Json(*small) : Json(number.text());
}

Json compare(const Json& question) {
    const Version a = value_or_throw(Version::parse(required_string(question, "a")), "a");
    const Version b = value_or_throw(Version::parse(required_string(question, "b")), "b");
    const auto order = a <=> b;
    return {{"ok", true}, {"compare", order < 0 ? -1 : order > 0 ? 1 : 0}};
}

std::vector<WrittenVersion> written_versions(const Json& question) {
    std::vector<WrittenVersion> versions;
    for (std::string& text : optional_strings(question, "versions")) {
        versions.push_back(WrittenVersion::of(std::move(text)));
    }
    return versions;
}

struct Surroundings {
    MarkerEnvironment values;
    MarkerSets sets;
};

std::set<std::string> names_of(const Json& environment, const std::string& field) {
    const auto names = optional_strings(environment, field);
    return {names.begin(), names.end()};
}

/// Strings are variables; `extras` and `dependency_groups` may be arrays (PEP 751).
Surroundings surroundings(const Json& question) {
    Surroundings result;
    const Json* environment = find_field(question, "environment");
    if (environment == nullptr) {
        return result;
    }
    if (!environment->is_object()) {
        throw ParseError{"'environment' must be an object", 0};
    }
    for (const auto& [name, value] : environment->items()) {
        if (value.is_array() && name == "extras") {
            result.sets.extras = names_of(*environment, name);
        } else if (value.is_array() && name == "dependency_groups") {
            result.sets.dependency_groups = names_of(*environment, name);
        } else if (const auto text = optional_string(*environment, name)) {
            result.values.emplace(name, *text);
        }
    }
    return result;
}

}  // namespace

Json answer_version(const Json& question) {
    if (question.contains("a") || question.contains("b")) {
        return compare(question);
    }
    const Version version =
        value_or_throw(Version::parse(required_string(question, "version")), "version");
    return {
        {"ok", true},
        {"normalized", version.text()},
        {"public", version.public_text()},
        {"base", version.base_text()},
        {"local", version.has_local() ? Json(version.local_text()) : Json()},
        {"epoch", number_json(version.epoch())},
        {"is_prerelease", version.is_prerelease()},
    };
}

Json answer_specifier(const Json& question) {
    const SpecifierSet set =
        value_or_throw(SpecifierSet::parse(required_string(question, "specifier")), "specifier");
    const auto versions = written_versions(question);
    const auto prereleases = optional_bool(question, "prereleases");
    Json contains = Json::array();
    for (const WrittenVersion& version : versions) {
        contains.push_back(set.contains(version, prereleases));
    }
    Json kept = Json::array();
    for (const std::size_t i : set.filter(versions, prereleases)) {
        kept.push_back(versions[i].text);
    }
    return {{"ok", true}, {"normalized", set.text()}, {"contains", contains}, {"filter", kept}};
}

Json answer_marker(const Json& question) {
    const Marker marker =
        value_or_throw(Marker::parse(required_string(question, "marker")), "marker");
    const std::string extra = optional_string(question, "extra").value_or("");
    const auto [values, sets] = surroundings(question);
    return {
        {"ok", true},
        {"normalized", marker.text()},
        {"value", marker.evaluate(values, extra, sets)},
    };
}

Json answer_requirement(const Json& question) {
    const Requirement requirement =
        value_or_throw(Requirement::parse(required_string(question, "requirement")), "requirement");
    return {
        {"ok", true},
        {"name", requirement.written_name},
        {"extras", requirement.written_extras},
        {"specifier", requirement.specifier.text()},
        {"url", requirement.url ? Json(*requirement.url) : Json()},
        {"marker", requirement.marker ? Json(requirement.marker->text()) : Json()},
    };
}

}  // namespace wheelforge::pep
