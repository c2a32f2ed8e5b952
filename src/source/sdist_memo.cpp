// SPDX-License-Identifier: Apache-2.0
#include "source/sdist_memo.hpp"

#include <nlohmann/json.hpp>

#include "base/json.hpp"

namespace wheelforge::source {
namespace {

Json text_or_null(const std::optional<std::string>& text) {
    return text ? Json(*text) : Json(nullptr);
}

std::optional<std::string> text_of(const Json& value) {
    return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
}

SdistFacts from_object(const Json& object) {
    SdistFacts facts;
    facts.root = object.at("root").get<std::string>();
    facts.pkg_info_text = text_of(object.at("pkg_info"));
    facts.pyproject_text = text_of(object.at("pyproject"));
    facts.has_setup_py = object.at("has_setup_py").get<bool>();
    facts.newest_mtime = object.at("newest_mtime").get<std::int64_t>();
    facts.notices = object.at("notices").get<std::vector<std::string>>();
    facts.languages = object.at("languages").get<std::set<std::string>>();
    facts.cargo_manifests = object.at("cargo_manifests").get<std::map<std::string, std::string>>();
    facts.cargo_locks = object.at("cargo_locks").get<std::set<std::string>>();
    facts.brings_crates = object.at("brings_crates").get<bool>();
    if (facts.pkg_info_text) {
        if (auto metadata = pep::Metadata::parse(*facts.pkg_info_text)) {
            facts.pkg_info = std::move(*metadata);
        }
    }
    facts.pyproject.build_system = pep::BuildSystem::legacy_default();
    if (facts.pyproject_text) {
        facts.pyproject = pep::Pyproject::parse(*facts.pyproject_text).value();
    }
    return facts;
}

}  // namespace

std::string facts_to_json(const SdistFacts& facts) {
    return dump_json(Json{
        {"root", facts.root},
        {"pkg_info", text_or_null(facts.pkg_info_text)},
        {"pyproject", text_or_null(facts.pyproject_text)},
        {"has_setup_py", facts.has_setup_py},
        {"newest_mtime", facts.newest_mtime},
        {"notices", facts.notices},
        {"languages", facts.languages},
        {"cargo_manifests", facts.cargo_manifests},
        {"cargo_locks", facts.cargo_locks},
        {"brings_crates", facts.brings_crates},
    });
}

std::optional<SdistFacts> facts_from_json(std::string_view json) {
    const auto value = parse_json(json);
    if (!value || !value->is_object()) {
        return std::nullopt;
    }
    try {
        return from_object(*value);
    } catch (const std::exception&) {
        return std::nullopt;  // written by another version, or damaged: open the archive again
    }
}

}  // namespace wheelforge::source
