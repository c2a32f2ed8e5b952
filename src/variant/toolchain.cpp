// SPDX-License-Identifier: Apache-2.0
#include "variant/toolchain.hpp"

#include "pep/name.hpp"
#include "variant/reading.hpp"

namespace wheelforge::variant {
namespace {

RootRule read_root(const yaml::Node& node) {
    node.only_keys(
        {"variable", "program", "up", "path", "python", "distributions"}, "a root of a toolchain"
    );
    if (node.as_mapping().empty()) {
        throw bad_value(node, "expected variable, program, path or python");
    }
    RootRule root;
    if (given(node, "variable") != nullptr) {
        root.kind = RootRule::Kind::variable;
        root.text = variable_name_at(node, "variable");
    } else if (given(node, "program") != nullptr) {
        root.kind = RootRule::Kind::program;
        root.text = text_at(node, "program");
    } else if (given(node, "python") != nullptr) {
        root.kind = RootRule::Kind::python;
        root.command = texts_at(node, "python");
        for (const auto& name : texts_at(node, "distributions")) {
            root.distributions.push_back(pep::normalize_name(name));
        }
    } else {
        root.text = text_at(node, "path");
    }
    if (const auto* up = given(node, "up")) {
        root.up = static_cast<unsigned>(up->as_int());
    }
    return root;
}

VersionReader read_reader(const yaml::Node& node) {
    node.only_keys({"file", "command", "pattern"}, "a reader of versions");
    VersionReader reader;
    reader.file = text_at(node, "file");
    reader.command = texts_at(node, "command");
    reader.pattern = pattern_at(node, "pattern");
    if (reader.file.empty() == reader.command.empty() || reader.pattern.empty()) {
        throw bad_value(node, "expected 'pattern' and one of 'file' and 'command'");
    }
    return reader;
}

std::vector<std::vector<std::string>> read_commands(const yaml::Node& node) {
    std::vector<std::vector<std::string>> commands;
    for (const auto& each : node.as_sequence()) {
        auto command = each.as_strings();
        if (command.empty()) {
            throw bad_value(each, "an empty command");
        }
        commands.push_back(std::move(command));
    }
    return commands;
}

void read_fingerprint(const yaml::Node& node, ToolchainRule& rule) {
    node.only_keys({"files", "commands"}, "fingerprint");
    rule.fingerprint_files = texts_at(node, "files");
    rule.fingerprint_commands.clear();
    if (const auto* commands = given(node, "commands")) {
        rule.fingerprint_commands = read_commands(*commands);
    }
}

void read_accepts(const yaml::Node& node, ToolchainRule& rule) {
    node.only_keys({"commands", "pattern"}, "accepts");
    rule.accepts.pattern = pattern_at(node, "pattern");
    rule.accepts.commands.clear();
    if (const auto* commands = given(node, "commands")) {
        rule.accepts.commands = read_commands(*commands);
    }
}

void replace(std::vector<std::string>& list, const yaml::Node& node, std::string_view key) {
    if (given(node, key) != nullptr) {
        list = texts_at(node, key);
    }
}

template <typename Item, typename Read>
void replace_each(
    std::vector<Item>& list, const yaml::Node& node, std::string_view key, Read read
) {
    if (const auto* items = given(node, key)) {
        list.clear();
        for (const auto& item : items->as_sequence()) {
            list.push_back(read(item));
        }
    }
}

void read_limits(const yaml::Node& node, ToolchainRule& rule) {
    if (given(node, "minimum") != nullptr) {
        rule.minimum = version_at(node, "minimum");
    }
    if (given(node, "below") != nullptr) {
        rule.below = version_at(node, "below");
    }
    if (given(node, "because") != nullptr) {
        rule.because = text_at(node, "because");
    }
}

}  // namespace

void read_toolchain(const yaml::Node& node, ToolchainRule& rule) {
    node.only_keys(
        {"name",
         "roots",
         "marker",
         "version",
         "minimum",
         "below",
         "because",
         "device_libraries",
         "accepts",
         "path",
         "fingerprint",
         "mend",
         "env"},
        "a toolchain"
    );
    rule.origin = origin_of_key(node);
    if (given(node, "name") != nullptr) {
        rule.name = text_at(node, "name");
    }
    replace_each(rule.roots, node, "roots", read_root);
    replace_each(rule.version, node, "version", read_reader);
    replace(rule.marker, node, "marker");
    replace(rule.device_libraries, node, "device_libraries");
    replace(rule.path, node, "path");
    replace(rule.mend, node, "mend");
    read_limits(node, rule);
    if (const auto* accepts = given(node, "accepts")) {
        read_accepts(*accepts, rule);
    }
    if (const auto* fingerprint = given(node, "fingerprint")) {
        read_fingerprint(*fingerprint, rule);
    }
}

ProgramRule read_program(const std::string& program, const yaml::Node& node) {
    node.only_keys(
        {"version",
         "minimum",
         "below",
         "at_most",
         "toolchain",
         "required",
         "system_only",
         "because",
         "apt",
         "dnf",
         "mend"},
        "a system tool"
    );
    ProgramRule rule;
    rule.program = program;
    rule.origin = origin_of_key(node);
    if (const auto* version = given(node, "version")) {
        rule.version = read_reader(*version);
    }
    rule.minimum = version_at(node, "minimum");
    rule.below = version_at(node, "below");
    if (const auto* at_most = given(node, "at_most")) {
        rule.at_most = read_reader(*at_most);
    }
    rule.toolchain = versions_at(node, "toolchain");
    if (const auto* required = given(node, "required")) {
        rule.required = required->as_bool();
    }
    if (const auto* system_only = given(node, "system_only")) {
        rule.system_only = system_only->as_bool();
    }
    rule.because = text_at(node, "because");
    rule.apt = text_at(node, "apt");
    rule.dnf = text_at(node, "dnf");
    rule.mend = text_at(node, "mend");
    return rule;
}

}  // namespace wheelforge::variant
