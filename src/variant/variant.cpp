// SPDX-License-Identifier: Apache-2.0
#include "variant/variant.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/resources.hpp"
#include "base/text.hpp"
#include "base/yaml.hpp"
#include "variant/definition.hpp"

namespace wheelforge::variant {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view folder = "variants/";
constexpr std::string_view suffix = ".yaml";

/// A name may come from the command line and becomes part of a path.
bool is_variant_name(std::string_view name) {
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    return !name.empty() && is_plain(name.front())
           && std::all_of(name.begin(), name.end(), [&](char c) {
                  return is_plain(c) || c == '.' || c == '_' || c == '-';
              });
}

enum class Users { first, skipped };

std::optional<Definition> find_definition(const std::string& name, Users users) {
    if (!is_variant_name(name)) {
        return std::nullopt;
    }
    const std::string path = fmt::format("{}{}{}", folder, name, suffix);
    std::error_code error;
    if (users == Users::first && fs::exists(path, error)) {
        const std::string shown = "./" + path;  // told apart from the one carried inside
        return read_definition(yaml::load(shown), shown);
    }
    const auto content = resource(path);
    if (!content) {
        return std::nullopt;
    }
    return read_definition(yaml::parse(*content, path), path);
}

[[noreturn]] void unknown_variant(const std::string& name, std::string_view where) {
    const auto known = known_variants();
    const auto near = nearest(name, known, 1);
    throw Error{
        ExitCode::usage, "unknown-variant", fmt::format("{}there is no variant '{}'", where, name)
    }
        .advise(
            near.empty() ? "variants: " + join(known, ", ")
                         : fmt::format("did you mean {}? variants: {}", near[0], join(known, ", "))
        );
}

/// The definition and all it extends, most special first.
std::vector<Definition> definition_chain(const std::string& name) {
    auto definition = find_definition(name, Users::first);
    if (!definition) {
        unknown_variant(name, "");
    }
    std::vector<Definition> chain;
    std::set<std::string> files;
    std::string current = name;
    for (;;) {
        if (!files.insert(definition->file).second) {
            throw Error{
                ExitCode::usage,
                "variant-cycle",
                fmt::format("{}: variant '{}' extends itself", chain.back().extends_at, current)
            };
        }
        chain.push_back(std::move(*definition));
        const auto& last = chain.back();
        if (last.extends.empty()) {
            return chain;
        }
        const Users users = last.extends == current ? Users::skipped : Users::first;
        current = last.extends;
        definition = find_definition(current, users);
        if (!definition) {
            unknown_variant(current, last.extends_at + ": ");
        }
    }
}

std::string stem_of(std::string_view file) {
    return fs::path(file).stem().string();
}

}  // namespace

bool Variant::is(std::string_view other) const {
    return std::find(lineage.begin(), lineage.end(), other) != lineage.end();
}

Variant load_variant(const std::string& name) {
    const auto chain = definition_chain(name);
    Variant variant;
    variant.name = name;
    for (auto definition = chain.rbegin(); definition != chain.rend(); ++definition) {
        const std::string stem = stem_of(definition->file);
        if (!variant.is(stem)) {
            variant.lineage.push_back(stem);
            variant.settings_keys.push_back(stem);
        }
        apply(*definition, stem, variant);
    }
    if (variant.family.empty()) {
        variant.family = name;
    }
    return variant;
}

Variant variant_of_settings(const std::string& name) {
    Variant variant = load_variant("base");
    variant.name = name;
    variant.family = name;
    variant.lineage.push_back(name);
    variant.settings_keys.push_back(name);
    return variant;
}

std::vector<std::string> known_variants() {
    std::set<std::string> names;
    for (const auto path : resources_below(folder)) {
        names.insert(stem_of(path));
    }
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == suffix && is_variant_name(stem_of(entry.path().string()))) {
            names.insert(stem_of(entry.path().string()));
        }
    }
    names.erase("base");
    return {names.begin(), names.end()};
}

}  // namespace wheelforge::variant
