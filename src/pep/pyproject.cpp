// SPDX-License-Identifier: Apache-2.0
#include "pep/pyproject.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <toml++/toml.h>

#include "base/text.hpp"
#include "pep/build_backend.hpp"
#include "pep/name.hpp"
#include "pep/toml_depth.hpp"

namespace wheelforge::pep {

namespace {

constexpr std::string_view legacy_backend = "setuptools.build_meta:__legacy__";
constexpr std::string_view legacy_requirement = "setuptools >= 40.8.0";

std::size_t offset_of(std::string_view text, const toml::source_position& position) {
    std::size_t at = 0;
    for (std::uint32_t line = 1; line < position.line && at < text.size(); ++line) {
        at = std::min(text.find('\n', at), text.size() - 1) + 1;
    }
    // Columns count characters; the bytes behind the first of each do not begin one.
    for (std::uint32_t column = 1; column < position.column && at < text.size(); ++column) {
        ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) {
            ++at;
        }
    }
    return std::min(at, text.size());
}

/// Reads one document; all it says about what is wrong carries the place.
class PyprojectReader {
public:
    explicit PyprojectReader(std::string_view text) : text_(text) {}

    Parsed<Pyproject> read(const toml::table& root) {
        Pyproject made;
        try {
            made.build_system = read_build_system(root);
            made.project = read_project(root);
            made.dependency_groups = read_groups(root);
        } catch (const ParseError& error) {
            return tl::unexpected(error);
        }
        return made;
    }

private:
    // Thrown inside this class only; read() turns it into a value.
    [[noreturn]] void fail(const toml::node& node, std::string message) const {
        throw ParseError{std::move(message), offset_of(text_, node.source().begin)};
    }

    const toml::table* table(const toml::table& parent, std::string_view key) const {
        const toml::node* node = parent.get(key);
        if (node != nullptr && !node->is_table()) {
            fail(*node, "'" + std::string(key) + "' must be a table");
        }
        return node == nullptr ? nullptr : node->as_table();
    }

    std::string string(const toml::node& node, std::string_view what) const {
        const auto* value = node.as_string();
        if (value == nullptr) {
            fail(node, "'" + std::string(what) + "' must be a string");
        }
        return value->get();
    }

    std::optional<std::string>
    optional_string(const toml::table& parent, std::string_view key) const {
        const toml::node* node = parent.get(key);
        return node == nullptr ? std::nullopt : std::optional(string(*node, key));
    }

    std::vector<std::string> strings(const toml::node& node, std::string_view what) const {
        const auto* array = node.as_array();
        if (array == nullptr) {
            fail(node, "'" + std::string(what) + "' must be an array of strings");
        }
        std::vector<std::string> values;
        for (const toml::node& element : *array) {
            values.push_back(string(element, what));
        }
        return values;
    }

    std::vector<std::string>
    optional_strings(const toml::table& parent, std::string_view key) const {
        const toml::node* node = parent.get(key);
        return node == nullptr ? std::vector<std::string>() : strings(*node, key);
    }

    std::vector<Requirement> requirements(const toml::node& node, std::string_view what) const {
        std::vector<Requirement> values;
        for (const std::string& text : strings(node, what)) {
            auto requirement = Requirement::parse(text);
            if (!requirement) {
                fail(
                    node,
                    "'" + std::string(what) + "' holds '" + printable(text)
                        + "': " + requirement.error().message
                );
            }
            values.push_back(*std::move(requirement));
        }
        return values;
    }

    BuildSystem read_build_system(const toml::table& root) const {
        const toml::table* table_found = table(root, "build-system");
        if (table_found == nullptr) {
            return BuildSystem::legacy_default();
        }
        BuildSystem system;
        const toml::node* required = table_found->get("requires");
        if (required == nullptr) {
            fail(*table_found, "[build-system] must have 'requires'");
        }
        system.requires_text = strings(*required, "requires");
        system.requires_ = requirements(*required, "requires");
        read_backend(*table_found, system);
        return system;
    }

    void read_backend(const toml::table& from, BuildSystem& system) const {
        const auto backend = optional_string(from, "build-backend");
        system.legacy = !backend;
        system.backend = backend.value_or(std::string(legacy_backend));
        if (!is_backend(system.backend)) {
            fail(
                *from.get("build-backend"), "'build-backend' must look like 'module' or 'a.b:c.d'"
            );
        }
        system.backend_path = optional_strings(from, "backend-path");
        for (const std::string& path : system.backend_path) {
            if (!stays_in_tree(path)) {
                fail(*from.get("backend-path"), "'backend-path' must stay in the source tree");
            }
        }
        if (!system.backend_path.empty() && system.legacy) {
            fail(*from.get("backend-path"), "'backend-path' needs 'build-backend'");
        }
    }

    std::optional<Project> read_project(const toml::table& root) const {
        const toml::table* from = table(root, "project");
        if (from == nullptr) {
            return std::nullopt;
        }
        Project project;
        const toml::node* name = from->get("name");
        if (name == nullptr) {
            fail(*from, "[project] must have 'name'");
        }
        project.name = string(*name, "name");
        if (!is_valid_name(project.name)) {
            fail(*name, "'name' is not the name of a project");
        }
        project.dynamic = optional_strings(*from, "dynamic");
        project.version = optional_string(*from, "version");
        project.requires_python = optional_string(*from, "requires-python");
        read_dependencies(*from, project);
        return project;
    }

    /// What is listed as dynamic is not known, whatever else the table says about it (PEP 808).
    void read_dependencies(const toml::table& from, Project& project) const {
        const auto is_static = [&](std::string_view field) {
            return std::find(project.dynamic.begin(), project.dynamic.end(), field)
                   == project.dynamic.end();
        };
        if (const toml::node* node = from.get("dependencies")) {
            project.dependencies = requirements(*node, "dependencies");
        }
        if (!is_static("dependencies")) {
            project.dependencies.reset();
        } else if (!project.dependencies) {
            project.dependencies.emplace();
        }
        auto extras = read_extras(from);
        if (is_static("optional-dependencies")) {
            project.optional_dependencies = std::move(extras);
        }
    }

    std::vector<std::pair<std::string, std::vector<Requirement>>>
    read_extras(const toml::table& from) const {
        std::vector<std::pair<std::string, std::vector<Requirement>>> extras;
        const toml::table* found = table(from, "optional-dependencies");
        if (found == nullptr) {
            return extras;
        }
        std::set<std::string> seen;
        for (const auto& [key, node] : *found) {
            if (!is_valid_name(key.str()) || !seen.insert(normalize_name(key.str())).second) {
                fail(node, "'" + printable(key.str()) + "' is no name of an extra, or used twice");
            }
            extras.emplace_back(normalize_name(key.str()), requirements(node, key.str()));
        }
        return extras;
    }

    /// Kept as written: a group that nobody asks for may hold what it likes (PEP 735).
    DependencyGroups read_groups(const toml::table& root) const {
        DependencyGroups groups;
        const toml::table* found = table(root, "dependency-groups");
        if (found == nullptr) {
            return groups;
        }
        for (const auto& [key, node] : *found) {
            DependencyGroup group{std::string(key.str()), {}, ""};
            if (const auto* items = node.as_array()) {
                for (const toml::node& item : *items) {
                    read_group_item(item, group);
                }
            } else {
                group.problem = "must be an array";
            }
            groups.groups.push_back(std::move(group));
        }
        return groups;
    }

    static void read_group_item(const toml::node& item, DependencyGroup& group) {
        if (const auto* text = item.as_string()) {
            group.items.push_back({DependencyGroup::Item::Kind::requirement, text->get()});
            return;
        }
        const auto* entry = item.as_table();
        const toml::node* name =
            entry != nullptr && entry->size() == 1 ? entry->get("include-group") : nullptr;
        const auto* included = name == nullptr ? nullptr : name->as_string();
        if (included == nullptr) {
            group.problem = "may hold only requirements and {include-group = \"NAME\"}";
            return;
        }
        group.items.push_back({DependencyGroup::Item::Kind::include, included->get()});
    }

    std::string_view text_;
};

}  // namespace

BuildSystem BuildSystem::legacy_default() {
    BuildSystem system;
    system.requires_text = {std::string(legacy_requirement)};
    system.requires_ = {Requirement::parse(legacy_requirement).value()};
    system.backend = legacy_backend;
    system.legacy = true;
    return system;
}

Parsed<Pyproject> Pyproject::parse(std::string_view toml) {
    if (const auto offset = find_overlong_toml_key(toml)) {
        return parse_error("a dotted key has too many parts", *offset);
    }
    try {
        return PyprojectReader(toml).read(toml::parse(toml));
    } catch (const toml::parse_error& error) {
        return parse_error(printable(error.description()), offset_of(toml, error.source().begin));
    }
}

}  // namespace wheelforge::pep
