// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/expectation.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

namespace wheelforge::wheel {

namespace {

Error bad_value(const yaml::Node& node, const std::string& what) {
    return Error(ExitCode::usage, "bad-value", fmt::format("{}: {}", node.position.text(), what));
}

Kernels read_kernels_word(const yaml::Node& node) {
    const std::string& word = node.as_string();
    if (word == "required") {
        return Kernels::required;
    }
    if (word == "jit") {
        return Kernels::jit;
    }
    if (word == "none") {
        return Kernels::none;
    }
    throw bad_value(node, "kernels are required, jit or none, not '" + printable(word) + "'");
}

std::vector<ConditionalKernels> read_kernels(const yaml::Node& node) {
    if (node.kind == yaml::Node::Kind::scalar) {
        return {{{}, {}, read_kernels_word(node)}};
    }
    std::vector<ConditionalKernels> rules;
    for (const yaml::Node& item : node.as_sequence()) {
        item.only_keys({"variants", "when", "expect"}, "a rule for kernels");
        ConditionalKernels rule;
        if (const yaml::Node* variants = item.find("variants")) {
            rule.variants = variants->as_strings();
        }
        if (const yaml::Node* when = item.find("when")) {
            for (const auto& [name, value] : when->as_mapping()) {
                rule.when.emplace(name, value.as_string());
            }
        }
        const yaml::Node* expect = item.find("expect");
        if (expect == nullptr) {
            throw bad_value(item, "a rule for kernels needs expect:");
        }
        rule.kernels = read_kernels_word(*expect);
        rules.push_back(std::move(rule));
    }
    return rules;
}

std::vector<Arch> read_archs(const yaml::Node& node) {
    std::vector<Arch> archs;
    for (const std::string& text : node.as_strings()) {
        const Parsed<std::vector<Arch>> parsed = parse_arch_list(text);
        if (!parsed) {
            throw bad_value(node, parsed.error().message);
        }
        archs.insert(archs.end(), parsed->begin(), parsed->end());
    }
    return archs;
}

FileExpectation read_file_expectation(const std::string& glob, const yaml::Node& node) {
    node.only_keys({"archs", "min_kernels"}, "an expectation of a file");
    FileExpectation file;
    file.glob = glob;
    file.origin = node.key_position.text();
    if (const yaml::Node* archs = node.find("archs")) {
        file.archs = read_archs(*archs);
    }
    if (const yaml::Node* least = node.find("min_kernels")) {
        file.least_kernels = static_cast<std::uint64_t>(std::max<std::int64_t>(0, least->as_int()));
    }
    return file;
}

void read_smoke(const yaml::Node& node, PackageExpectation& expectation) {
    node.only_keys({"imports", "commands"}, "smoke");
    if (const yaml::Node* imports = node.find("imports")) {
        expectation.imports = imports->as_strings();
    }
    if (const yaml::Node* commands = node.find("commands")) {
        expectation.commands = commands->as_strings();
    }
}

bool says_something(const Json& object, const char* key) {
    return object.is_object() && object.contains(key) && !object[key].is_null();
}

}  // namespace

Kernels PackageExpectation::kernels_in(
    const std::map<std::string, std::string>& environment, std::string_view family
) const {
    for (const ConditionalKernels& rule : kernels) {
        const bool is_for_family =
            rule.variants.empty()
            || std::find(rule.variants.begin(), rule.variants.end(), family) != rule.variants.end();
        const bool holds =
            is_for_family
            && std::all_of(rule.when.begin(), rule.when.end(), [&](const auto& wanted) {
                   const auto found = environment.find(wanted.first);
                   return found != environment.end() && found->second == wanted.second;
               });
        if (holds) {
            return rule.kernels;
        }
    }
    return Kernels::automatic;
}

std::vector<std::string> expectation_keys() {
    return {"kernels", "archs", "files", "aliases", "externals", "smoke"};
}

PackageExpectation read_expectation(const yaml::Node& node) {
    PackageExpectation result;
    if (const yaml::Node* kernels = node.find("kernels")) {
        result.kernels = read_kernels(*kernels);
    }
    if (const yaml::Node* archs = node.find("archs")) {
        result.archs = read_archs(*archs);
    }
    if (const yaml::Node* files = node.find("files")) {
        for (const auto& [glob, expected] : files->as_mapping()) {
            result.files.push_back(read_file_expectation(glob, expected));
        }
    }
    if (const yaml::Node* aliases = node.find("aliases")) {
        for (const auto& [arch, others] : aliases->as_mapping()) {
            result.aliases.emplace(arch, others.as_strings());
        }
    }
    if (const yaml::Node* externals = node.find("externals")) {
        result.externals = externals->as_strings();
    }
    if (const yaml::Node* smoke = node.find("smoke")) {
        read_smoke(*smoke, result);
    }
    return result;
}

std::optional<DeclaredBuild> read_declared_build(std::string_view path, std::string_view text) {
    const Parsed<Json> json = parse_json(text);
    if (!path.ends_with("cpp_lib.json") || !json || !json->is_object()
        || !json->contains("version")) {
        return std::nullopt;
    }
    DeclaredBuild declared;
    declared.file = std::string(path);
    declared.has_cuda = says_something((*json)["version"], "cuda");
    declared.has_hip = says_something((*json)["version"], "hip");
    const Json environment = json->value("env", Json::object());
    const char* variable = declared.has_hip ? "PYTORCH_ROCM_ARCH" : "TORCH_CUDA_ARCH_LIST";
    if (says_something(environment, variable) && environment[variable].is_string()) {
        declared.arch_list = environment[variable].get<std::string>();
        declared.archs = parse_arch_list(declared.arch_list).value_or(std::vector<Arch>());
    }
    return declared;
}

}  // namespace wheelforge::wheel
