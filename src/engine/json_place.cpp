// SPDX-License-Identifier: Apache-2.0
#include "engine/json_place.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace wheelforge::engine {

void JsonPlace::refuse(const std::string& problem) const {
    const auto where = path();
    throw WrongDocument((where.empty() ? "the document" : where) + " " + problem);
}

void JsonPlace::refuse_type(const char* wanted) const {
    refuse("is of type " + std::string(value_->type_name()) + ", not " + wanted);
}

std::string JsonPlace::path() const {
    if (above_ == nullptr) {
        return "";
    }
    auto text = above_->path();
    if (above_->value_->is_array()) {
        return text + "[" + std::to_string(index_) + "]";
    }
    const bool plain =
        !key_.empty()
        && key_.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
           ) == std::string_view::npos;
    if (!plain) {
        return text + "[\"" + printable(key_.substr(0, 100)) + "\"]";
    }
    return text + (text.empty() ? "" : ".") + std::string(key_);
}

std::optional<JsonPlace> JsonPlace::find(std::string_view key) const {
    if (!value_->is_object()) {
        refuse_type("object");
    }
    const auto found = value_->find(key);
    if (found == value_->end() || found->is_null()) {
        return std::nullopt;
    }
    return JsonPlace(*found, this, key, 0);
}

JsonPlace JsonPlace::at(std::string_view key) const {
    auto found = find(key);
    if (!found) {
        refuse("has no \"" + std::string(key) + "\"");
    }
    return *found;
}

const std::string& JsonPlace::text() const {
    if (!value_->is_string()) {
        refuse_type("string");
    }
    return value_->get_ref<const std::string&>();
}

std::string JsonPlace::text_or_empty(std::string_view key) const {
    const auto member = find(key);
    return member ? member->text() : std::string();
}

bool JsonPlace::flag() const {
    if (!value_->is_boolean()) {
        refuse_type("boolean");
    }
    return value_->get<bool>();
}

std::size_t JsonPlace::number() const {
    if (!value_->is_number_unsigned()) {
        refuse_type("whole number from 0");
    }
    return value_->get<std::size_t>();
}

double JsonPlace::real() const {
    if (!value_->is_number()) {
        refuse_type("number");
    }
    return value_->get<double>();
}

void JsonPlace::each_element(const std::function<void(const JsonPlace&)>& visit) const {
    if (!value_->is_array()) {
        refuse_type("array");
    }
    std::size_t index = 0;
    for (const auto& element : *value_) {
        visit(JsonPlace(element, this, {}, index++));
    }
}

void JsonPlace::each_member(const std::function<void(const std::string&, const JsonPlace&)>& visit
) const {
    if (!value_->is_object()) {
        refuse_type("object");
    }
    for (const auto& [key, member] : value_->get_ref<const Json::object_t&>()) {
        visit(key, JsonPlace(member, this, key, 0));
    }
}

}  // namespace wheelforge::engine
