// SPDX-License-Identifier: Apache-2.0
// A value of a JSON document from outside, together with where it stands, so that whoever finds
// something wrong can say where: "nodes[3].edges[1].to is a number, not a string".
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/json.hpp"

namespace wheelforge::engine {

/// What is wrong, place included. Caught by whoever started reading.
class WrongDocument : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Lives no longer than the document and the place it was reached from. The path is spelt out only
/// when somebody asks, so walking costs nothing.
class JsonPlace {
public:
    explicit JsonPlace(const Json& root) : value_(&root) {}

    /// Throws WrongDocument when this is no object or has no such member.
    [[nodiscard]] JsonPlace at(std::string_view key) const;
    /// nullopt when it is missing or null.
    [[nodiscard]] std::optional<JsonPlace> find(std::string_view key) const;
    [[nodiscard]] const std::string& text() const;
    /// "" for a missing or null member.
    [[nodiscard]] std::string text_or_empty(std::string_view key) const;
    [[nodiscard]] bool flag() const;
    [[nodiscard]] std::size_t number() const;
    [[nodiscard]] double real() const;
    void each_element(const std::function<void(const JsonPlace&)>& visit) const;
    void each_member(const std::function<void(const std::string&, const JsonPlace&)>& visit) const;

    [[nodiscard]] std::string path() const;
    [[noreturn]] void refuse(const std::string& problem) const;

private:
    JsonPlace(const Json& value, const JsonPlace* above, std::string_view key, std::size_t index)
        : value_(&value), above_(above), key_(key), index_(index) {}
    [[noreturn]] void refuse_type(const char* wanted) const;

    const Json* value_;
    const JsonPlace* above_ = nullptr;
    std::string_view key_;
    std::size_t index_ = 0;
};

}  // namespace wheelforge::engine
