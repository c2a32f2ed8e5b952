// SPDX-License-Identifier: Apache-2.0
#include "config/group_keys.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "config/read_value.hpp"

namespace wheelforge::config {

namespace {

/// The value of a key that must be there.
const yaml::Node& required(const yaml::Node& node, std::string_view key, std::string_view what) {
    const auto* value = given(node, key);
    if (value == nullptr) {
        throw Error{
            ExitCode::usage,
            "bad-value",
            fmt::format("{}: {} needs '{}'", node.position.text(), what, key)
        };
    }
    return *value;
}

std::vector<std::string> read_texts(const yaml::Node& node) {
    std::vector<std::string> texts;
    for (const auto* item : items_of(node)) {
        texts.push_back(read_text(*item));
    }
    return texts;
}

std::vector<std::string> read_variants(const yaml::Node& node) {
    const auto* variants = given(node, "variants");
    return variants == nullptr ? std::vector<std::string>() : read_texts(*variants);
}

std::string text_or_empty(const yaml::Node& node, std::string_view key) {
    const auto* value = given(node, key);
    return value == nullptr ? std::string() : read_text(*value);
}

CouplingEntry read_coupling(const yaml::Node& node) {
    node.only_keys({"when", "require", "constrain", "because", "source", "variants"}, "a coupling");
    CouplingEntry entry;
    entry.rule.when = read_requirements(required(node, "when", "a coupling"));
    if (const auto* require = given(node, "require")) {
        entry.rule.require = read_requirements(*require);
    }
    if (const auto* constrain = given(node, "constrain")) {
        entry.rule.constrain = read_requirements(*constrain);
    }
    if (entry.rule.require.empty() && entry.rule.constrain.empty()) {
        throw Error{
            ExitCode::usage,
            "bad-value",
            node.position.text() + ": a coupling needs 'require' or 'constrain'"
        };
    }
    entry.rule.because = text_or_empty(node, "because");
    (void)text_or_empty(node, "source");  // for the reader of the file
    entry.rule.origin = fmt::format("{}:{}", node.position.file, node.position.line);
    entry.variants = read_variants(node);
    return entry;
}

}  // namespace

void only_keys_of_group(
    const yaml::Node& node,
    const std::vector<std::string>& accepted,
    const std::vector<std::string>& fromager_keys
) {
    only_accepted_keys(node, accepted, fromager_keys, "'" + node.key + "'", {});
}

void read_requires_dist(const yaml::Node& node, LayerValues& values) {
    only_keys_of_group(node, {"replace", "remove", "add"});
    auto& edit = values.resolution.requires_dist;
    if (const auto* replace = given(node, "replace")) {
        edit.replace = set_by(*replace, read_requirements(*replace));
    }
    if (const auto* remove = given(node, "remove")) {
        for (const auto* item : items_of(*remove)) {
            edit.remove.push_back(set_by(*item, read_name_pattern(*item)));
        }
    }
    if (const auto* add = given(node, "add")) {
        for (const auto* item : items_of(*add)) {
            edit.add.push_back(set_by(*item, read_requirement(*item)));
        }
    }
}

void read_match_runtime(const yaml::Node& node, LayerValues& values) {
    std::vector<std::string> names;
    for (const auto* item : items_of(node)) {
        names.push_back(read_name(*item));
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    values.resolution.match_runtime = set_by(node, std::move(names));
}

void read_never_from_index(const yaml::Node& node, LayerValues& values) {
    only_keys_of_group(node, {"because", "instead", "source"});
    Stranger stranger;
    stranger.because = read_text(required(node, "because", "never_from_index"));
    stranger.instead = read_text(required(node, "instead", "never_from_index"));
    (void)text_or_empty(node, "source");
    values.resolution.never_from_index = set_by(node, std::move(stranger));
}

void read_renamed_from(const yaml::Node& node, LayerValues& values) {
    for (const auto* item : items_of(node)) {
        FormerName former;
        if (item->kind == yaml::Node::Kind::mapping) {
            item->only_keys({"name", "because", "source"}, "renamed_from");
            former.name = read_name(required(*item, "name", "renamed_from"));
            former.because = text_or_empty(*item, "because");
            (void)text_or_empty(*item, "source");
        } else {
            former.name = read_name(*item);
        }
        former.origin = fmt::format("{}:{}", item->position.file, item->position.line);
        values.resolution.renamed_from.push_back(std::move(former));
    }
}

void read_repository(const yaml::Node& node, LayerValues& values) {
    only_keys_of_group(node, {"url", "tag"});
    const auto& url = required(node, "url", "repository");
    values.source.repository = set_by(url, read_url(url));
    if (const auto* tag = given(node, "tag")) {
        values.source.tag = set_by(*tag, read_text(*tag));
        (void)expand_location(*values.source.tag, "name", "1");
    }
}

std::vector<CouplingEntry> read_couplings(const yaml::Node& node) {
    std::vector<CouplingEntry> entries;
    for (const auto& item : node.as_sequence()) {
        entries.push_back(read_coupling(item));
    }
    return entries;
}

OverrideItem read_override(const yaml::Node& node) {
    OverrideItem item;
    const yaml::Node* require = &node;
    if (node.kind == yaml::Node::Kind::mapping) {
        node.only_keys({"require", "drop", "variants"}, "an override");
        require = given(node, "require");
        const auto* drop = given(node, "drop");
        if ((require == nullptr) == (drop == nullptr)) {
            throw bad_value(node, "an override has either 'require' or 'drop'");
        }
        item.variants = read_variants(node);
        if (drop != nullptr) {
            item.name = read_name(*drop);
            item.values.resolution.drop = set_by(*drop, true);
            return item;
        }
    }
    const auto requirement = read_requirement(*require);
    if (requirement.specifier.empty() || requirement.marker || !requirement.extras.empty()) {
        throw bad_value(*require, "expected a name and a version, as torch==2.10.0");
    }
    item.name = requirement.name;
    item.values.resolution.override_version = set_by(*require, requirement.specifier);
    return item;
}

}  // namespace wheelforge::config
