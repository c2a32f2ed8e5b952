// SPDX-License-Identifier: Apache-2.0
#include "pep/json_fields.hpp"

#include <nlohmann/json.hpp>

namespace wheelforge::pep {

namespace {

[[noreturn]] void wrong_type(std::string_view field, std::string_view expected) {
    throw ParseError{"'" + std::string(field) + "' must be " + std::string(expected), 0};
}

const std::string& as_string(const Json& value, std::string_view field) {
    if (!value.is_string()) {
        wrong_type(field, "a string");
    }
    return value.get_ref<const std::string&>();
}

}  // namespace

const Json* find_field(const Json& question, std::string_view field) {
    const auto found = question.find(std::string(field));
    return found == question.end() || found->is_null() ? nullptr : &*found;
}

std::string required_string(const Json& question, std::string_view field) {
    const Json* value = find_field(question, field);
    if (value == nullptr) {
        throw ParseError{"'" + std::string(field) + "' is missing", 0};
    }
    return as_string(*value, field);
}

std::optional<std::string> optional_string(const Json& question, std::string_view field) {
    const Json* value = find_field(question, field);
    return value == nullptr ? std::nullopt : std::optional(as_string(*value, field));
}

std::optional<bool> optional_bool(const Json& question, std::string_view field) {
    const Json* value = find_field(question, field);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_boolean()) {
        wrong_type(field, "true, false or null");
    }
    return value->get<bool>();
}

std::vector<std::string> optional_strings(const Json& question, std::string_view field) {
    const Json* value = find_field(question, field);
    if (value != nullptr && !value->is_array()) {
        wrong_type(field, "an array of strings");
    }
    std::vector<std::string> strings;
    if (value != nullptr) {
        for (const Json& element : *value) {
            strings.push_back(as_string(element, field));
        }
    }
    return strings;
}

}  // namespace wheelforge::pep
