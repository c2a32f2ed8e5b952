// SPDX-License-Identifier: Apache-2.0
#include "build/signatures.hpp"

#include <array>

#include "base/error.hpp"
#include "base/resources.hpp"
#include "base/yaml.hpp"

namespace wheelforge::build {
namespace {

constexpr const char* shipped_file = "src/build/signatures.yaml";
constexpr std::array table_names = {"headers", "libraries", "programs", "pkgconfig", "modules"};

[[noreturn]] void refuse(const yaml::Node& node, const std::string& why) {
    throw Error(ExitCode::usage, "bad-value", node.position.text() + ": " + why);
}

const yaml::Node& required(const yaml::Node& mapping, const char* key) {
    const yaml::Node* const value = mapping.find(key);
    if (value == nullptr) {
        refuse(mapping, std::string("a signature needs ") + key);
    }
    return *value;
}

std::string text_or_empty(const yaml::Node& mapping, const char* key) {
    const yaml::Node* const value = mapping.find(key);
    return value == nullptr ? "" : value->as_string();
}

SignatureClass rank_of(const yaml::Node& node) {
    const std::string& name = node.as_string();
    if (name == "decisive") {
        return SignatureClass::decisive;
    }
    if (name == "usual") {
        return SignatureClass::usual;
    }
    if (name == "weak") {
        return SignatureClass::weak;
    }
    refuse(node, "the class of a signature is decisive, usual or weak");
}

std::regex pattern_of(const yaml::Node& node) {
    try {
        return std::regex(node.as_string(), std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error& error) {
        refuse(node, error.what());
    }
}

Signature signature_of(const yaml::Node& node) {
    node.only_keys(
        {"id", "class", "literal", "pattern", "exit", "table", "cause", "advice"}, "a signature"
    );
    Signature signature;
    signature.id = required(node, "id").as_string();
    signature.rank = rank_of(required(node, "class"));
    signature.table = text_or_empty(node, "table");
    signature.cause = required(node, "cause").as_string();
    signature.advice = required(node, "advice").as_string();
    if (const yaml::Node* const code = node.find("exit")) {
        signature.exit_code = static_cast<int>(code->as_int());
    } else {
        signature.literal = required(node, "literal").as_string();
        signature.pattern = pattern_of(required(node, "pattern"));
    }
    return signature;
}

std::string advice_of(const yaml::Node& node) {
    node.only_keys({"apt", "dnf", "advice", "distribution"}, "an entry of a table");
    if (const yaml::Node* const advice = node.find("advice")) {
        return advice->as_string();
    }
    if (const yaml::Node* const distribution = node.find("distribution")) {
        return "add " + distribution->as_string()
               + " to the package's build requirements in its settings";
    }
    return "apt-get install " + required(node, "apt").as_string() + ", or dnf install "
           + required(node, "dnf").as_string();
}

}  // namespace

const Signatures& Signatures::shipped() {
    static const Signatures signatures = parse(resource(shipped_file).value(), shipped_file);
    return signatures;
}

Signatures Signatures::parse(std::string_view text, const std::string& file) {
    const yaml::Node root = yaml::parse(text, file);
    root.only_keys(
        {"signatures", "headers", "libraries", "programs", "pkgconfig", "modules"}, "the file"
    );
    Signatures result;
    for (const yaml::Node& node : required(root, "signatures").as_sequence()) {
        result.all.push_back(signature_of(node));
    }
    for (const char* const name : table_names) {
        if (const yaml::Node* const table = root.find(name)) {
            for (const auto& [key, entry] : table->as_mapping()) {
                result.tables[name][key] = advice_of(entry);
            }
        }
    }
    return result;
}

std::optional<std::string>
Signatures::look_up(const std::string& table, const std::string& key) const {
    const auto entries = tables.find(table);
    if (entries == tables.end()) {
        return std::nullopt;
    }
    if (const auto exact = entries->second.find(key); exact != entries->second.end()) {
        return exact->second;
    }
    for (auto slash = key.rfind('/'); slash != std::string::npos && slash > 0;
         slash = key.rfind('/', slash - 1)) {
        const auto folder = entries->second.find(key.substr(0, slash + 1));
        if (folder != entries->second.end()) {
            return folder->second;
        }
    }
    return std::nullopt;
}

}  // namespace wheelforge::build
