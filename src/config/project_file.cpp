// SPDX-License-Identifier: Apache-2.0
#include "config/project_file.hpp"

#include <array>
#include <filesystem>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "base/yaml.hpp"

namespace wheelforge::config {

namespace {

bool names_file(std::string_view item) {
    const bool has_slash = item.find('/') != std::string_view::npos;
    return item.ends_with(".txt") || (has_slash && item.find('@') == std::string_view::npos);
}

/// Reads the keys a variant and the file itself share.
class Reader {
public:
    explicit Reader(const std::string& file) : folder_(fs::path(file).parent_path()) {}

    /// `values` are those for all variants; what `node` says replaces them.
    ProjectVariant read(const yaml::Node& node, ProjectVariant values) const {
        if (const auto* requirements = given(node, "requirements")) {
            read_requirements(*requirements, values);
        }
        if (const auto* constraints = given(node, "constraints")) {
            values.constraints.clear();
            for (const auto& item : constraints->as_sequence()) {
                values.constraints.push_back(path_of(item));
            }
        }
        if (const auto* settings = given(node, "settings")) {
            values.settings = path_of(*settings);
        }
        if (const auto* archs = given(node, "archs")) {
            values.archs = archs->as_strings();
        }
        if (const auto* output = given(node, "output")) {
            values.output = path_of(*output);
        }
        return values;
    }

private:
    static const yaml::Node* given(const yaml::Node& node, std::string_view key) {
        const auto* value = node.find(key);
        return value == nullptr || value->is_null() ? nullptr : value;
    }

    void read_requirements(const yaml::Node& node, ProjectVariant& values) const {
        values.requirement_files.clear();
        values.requirements.clear();
        for (const auto& item : node.as_sequence()) {
            if (names_file(item.as_string())) {
                values.requirement_files.push_back(path_of(item));
                continue;
            }
            const auto& at = item.position;
            values.requirements.push_back(
                {parse_requirement(item.as_string(), at.text()),
                 fmt::format("{}:{}", at.file, at.line),
                 {}}
            );
        }
    }

    [[nodiscard]] std::string path_of(const yaml::Node& node) const {
        const std::string& text = node.as_string();
        if (text.empty()) {
            throw Error{
                ExitCode::usage, "bad-value", fmt::format("{}: an empty path", node.position.text())
            };
        }
        const bool is_url = text.find("://") != std::string::npos;
        return is_url || folder_.empty() ? text : (folder_ / text).string();
    }

    fs::path folder_;
};

constexpr std::array<std::string_view, 5> shared_keys{
    "requirements", "constraints", "settings", "archs", "output"
};

}  // namespace

std::optional<ProjectFile> ProjectFile::load_if_there(const std::string& path) {
    const auto text = read_file_if_there(path);
    return text ? std::optional(parse(*text, path)) : std::nullopt;
}

ProjectFile ProjectFile::parse(std::string_view text, const std::string& path) {
    const auto node = yaml::parse(text, path);
    const std::vector<std::string> keys(shared_keys.begin(), shared_keys.end());
    auto with_variants = keys;
    with_variants.emplace_back("variants");
    node.only_keys(with_variants, path);
    ProjectFile project;
    project.path_ = path;
    const Reader reader(path);
    project.any_ = reader.read(node, {});
    const auto* variants = node.find("variants");
    if (variants != nullptr && !variants->is_null()) {
        for (const auto& [name, value] : variants->as_mapping()) {
            value.only_keys(keys, fmt::format("variant {}", name));
            project.variants_[name] = reader.read(value, project.any_);
        }
    }
    return project;
}

ProjectVariant ProjectFile::for_variant(const std::string& name) const {
    if (variants_.empty()) {
        return any_;
    }
    const auto found = variants_.find(name);
    if (found == variants_.end()) {
        throw Error{
            ExitCode::usage,
            "unknown-variant",
            fmt::format("{} says nothing about variant '{}'", path_, name)
        }
            .advise("it has: " + join(variants(), ", "));
    }
    return found->second;
}

std::vector<std::string> ProjectFile::variants() const {
    std::vector<std::string> names;
    for (const auto& [name, values] : variants_) {
        names.push_back(name);
    }
    return names;
}

}  // namespace wheelforge::config
