// SPDX-License-Identifier: Apache-2.0
// The typed readers of yaml::Node.
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/yaml.hpp"

namespace wheelforge::yaml {

namespace {

std::string description(const Node& node) {
    switch (node.kind) {
    case Node::Kind::null:
        return "nothing";
    case Node::Kind::sequence:
        return "a list";
    case Node::Kind::mapping:
        return "a mapping";
    case Node::Kind::scalar:
        break;
    }
    constexpr std::size_t shown = 60;
    const bool cut = node.scalar.size() > shown;
    return fmt::format(
        "{}'{}{}'", node.quoted ? "text " : "", node.scalar.substr(0, shown), cut ? "..." : ""
    );
}

Error unexpected(const Node& node, std::string_view expected) {
    const std::string subject = node.key.empty() ? "" : fmt::format("'{}': ", node.key);
    return {
        ExitCode::usage,
        "bad-value",
        fmt::format(
            "{}: {}expected {}, got {}", node.position.text(), subject, expected, description(node)
        )
    };
}

/// Quotes say that something is text, whatever it looks like.
bool is_plain(const Node& node) {
    return node.kind == Node::Kind::scalar && !node.quoted;
}

}  // namespace

std::string Position::text() const {
    return fmt::format("{}:{}:{}", file, line, column);
}

const Node* Node::find(std::string_view wanted) const noexcept {
    const auto entry = std::find_if(mapping.begin(), mapping.end(), [wanted](const Entry& each) {
        return each.key == wanted;
    });
    return entry == mapping.end() ? nullptr : &entry->value;
}

const std::string& Node::as_string() const& {
    if (kind != Kind::scalar) {
        throw unexpected(*this, "text");
    }
    return scalar;
}

bool Node::as_bool() const {
    if (is_plain(*this) && (scalar == "true" || scalar == "false")) {
        return scalar == "true";
    }
    throw unexpected(*this, "true or false");
}

std::int64_t Node::as_int() const {
    std::int64_t value = 0;
    const char* const end = scalar.data() + scalar.size();
    const auto [stop, error] = std::from_chars(scalar.data(), end, value);
    // 010 is eight to one reader and ten to another.
    const auto digits = std::string_view(scalar).substr(scalar.starts_with('-') ? 1 : 0);
    const bool octal = digits.size() > 1 && digits.starts_with('0');
    if (!is_plain(*this) || error != std::errc{} || stop != end || octal) {
        throw unexpected(*this, "a whole number");
    }
    return value;
}

double Node::as_number() const {
    double value = 0;
    const char* const end = scalar.data() + scalar.size();
    const auto [stop, error] = std::from_chars(scalar.data(), end, value);
    if (!is_plain(*this) || error != std::errc{} || stop != end || !std::isfinite(value)) {
        throw unexpected(*this, "a number");
    }
    return value;
}

std::vector<std::string> Node::as_strings() const {
    std::vector<std::string> texts;
    for (const Node& item : as_sequence()) {
        texts.push_back(item.as_string());
    }
    return texts;
}

const std::vector<Node::Entry>& Node::as_mapping() const& {
    if (kind != Kind::mapping) {
        throw unexpected(*this, "a mapping");
    }
    return mapping;
}

const std::vector<Node>& Node::as_sequence() const& {
    if (kind != Kind::sequence) {
        throw unexpected(*this, "a list");
    }
    return sequence;
}

void Node::only_keys(const std::vector<std::string>& known, std::string_view what) const {
    if (is_null()) {
        return;
    }
    for (const auto& [name, value] : as_mapping()) {
        if (std::find(known.begin(), known.end(), name) != known.end()) {
            continue;
        }
        const auto near = nearest(name, known, 1);
        throw Error{
            ExitCode::usage,
            "unknown-key",
            fmt::format("{}: unknown key '{}' in {}", value.key_position.text(), name, what)
        }
            .advise(near.empty() ? "known keys: " + join(known, ", ") : "did you mean " + near[0]);
    }
}

}  // namespace wheelforge::yaml
