// SPDX-License-Identifier: Apache-2.0
// Answers about file names, tags, licence expressions and pyproject.toml.
#include <nlohmann/json.hpp>

#include "pep/filename.hpp"
#include "pep/json_fields.hpp"
#include "pep/license.hpp"
#include "pep/pyproject.hpp"

namespace wheelforge::pep {

namespace {

Json texts(const std::vector<Tag>& tags) {
    Json list = Json::array();
    for (const Tag& tag : tags) {
        list.push_back(tag.text());
    }
    return list;
}

Json texts(const std::vector<Requirement>& requirements) {
    Json list = Json::array();
    for (const Requirement& requirement : requirements) {
        list.push_back(requirement.text());
    }
    return list;
}

Json wheel_answer(const std::string& filename) {
    const WheelFilename wheel = value_or_throw(WheelFilename::parse(filename), "filename");
    return {
        {"ok", true},
        {"kind", "wheel"},
        {"name", wheel.name},
        {"version", wheel.version.text()},
        {"build", wheel.build ? Json::array({wheel.build->first, wheel.build->second}) : Json()},
        {"tags", texts(wheel.tags)},
    };
}

Json sdist_answer(const std::string& filename, const std::string& project) {
    const SdistFilename sdist = value_or_throw(SdistFilename::parse(filename, project), "filename");
    return {
        {"ok", true},
        {"kind", "sdist"},
        {"name", sdist.name},
        {"version", sdist.version.text()},
        {"extension", sdist.extension},
    };
}

/// "2.36" as two numbers that a C library may really have.
std::pair<int, int> glibc_version(const std::string& text) {
    const Version version = value_or_throw(Version::parse(text), "glibc");
    const auto number = [&](std::size_t i) {
        const auto small = i < version.release().size() ? version.release()[i].small() : 0;
        return small && *small <= 99 ? static_cast<int>(*small) : -1;
    };
    const std::pair result(number(0), number(1));
    if (version.release().size() != 2 || result.first < 2 || result.second < 0) {
        throw ParseError{"glibc: expected a version such as 2.36", 0};
    }
    return result;
}

Target target_of(const Json& question) {
    const Version python =
        value_or_throw(Version::parse(required_string(question, "python")), "python");
    const auto [major, minor] = glibc_version(optional_string(question, "glibc").value_or("2.36"));
    return cpython_linux_target(
        python,
        optional_string(question, "machine").value_or("x86_64"),
        major,
        minor,
        optional_bool(question, "free_threaded").value_or(false)
    );
}

Json target_answer(const Json& question) {
    const Target target = target_of(question);
    Json ranks = Json::array();
    for (const std::string& text : optional_strings(question, "candidates")) {
        ranks.push_back(target.rank(value_or_throw(parse_tag_set(text), "candidates")));
    }
    Json answer{{"ok", true}, {"tags", texts(target.tags)}, {"environment", target.markers}};
    if (question.contains("candidates")) {
        answer["ranks"] = ranks;
    }
    return answer;
}

Json project_json(const Project& project) {
    Json extras;
    if (project.optional_dependencies) {
        extras = Json::object();
        for (const auto& [name, requirements] : *project.optional_dependencies) {
            extras[name] = texts(requirements);
        }
    }
    return {
        {"name", project.name},
        {"version", project.version ? Json(*project.version) : Json()},
        {"dependencies", project.dependencies ? texts(*project.dependencies) : Json()},
        {"optional_dependencies", extras},
        {"requires_python", project.requires_python ? Json(*project.requires_python) : Json()},
        {"dynamic", project.dynamic},
    };
}

Json build_system_json(const BuildSystem& system, const std::optional<Project>& project) {
    return {
        {"ok", true},
        {"requires", system.requires_text},
        {"backend", system.backend},
        {"backend_path", system.backend_path},
        {"legacy", system.legacy},
        {"project", project ? project_json(*project) : Json()},
    };
}

}  // namespace

Json answer_filename(const Json& question) {
    const std::string filename = required_string(question, "filename");
    return filename.ends_with(".whl")
               ? wheel_answer(filename)
               : sdist_answer(filename, optional_string(question, "project").value_or(""));
}

Json answer_tags(const Json& question) {
    if (find_field(question, "tag") == nullptr) {
        return target_answer(question);
    }
    const auto tags = value_or_throw(parse_tag_set(required_string(question, "tag")), "tag");
    return {{"ok", true}, {"tags", texts(tags)}};
}

Json answer_license(const Json& question) {
    const LicenseExpression expression = value_or_throw(
        LicenseExpression::parse(required_string(question, "expression")), "expression"
    );
    return {
        {"ok", true},
        {"normalized", expression.text},
        {"licenses", expression.licenses},
        {"exceptions", expression.exceptions},
        {"deprecated", expression.deprecated},
    };
}

Json answer_build_system(const Json& question) {
    const auto text = optional_string(question, "pyproject");
    if (!text) {
        return build_system_json(BuildSystem::legacy_default(), std::nullopt);
    }
    const Pyproject pyproject = value_or_throw(Pyproject::parse(*text), "pyproject");
    Json answer = build_system_json(pyproject.build_system, pyproject.project);
    if (const auto group = optional_string(question, "group")) {
        answer["group"] =
            texts(value_or_throw(pyproject.dependency_groups.resolve(*group), "group"));
    }
    return answer;
}

}  // namespace wheelforge::pep
