// SPDX-License-Identifier: Apache-2.0
// Strict YAML for settings, variants and plugins: yaml-cpp's events gathered into our own tree.
//
// yaml-cpp's own loader takes duplicate keys silently; this one refuses duplicate keys, anchors
// and aliases, merge keys, tags, more than one document, depth over 64, and files over 4 MiB.
// Scalars keep their text and whether they were quoted, so that `1.10` stays "1.10"; the reader
// of a key decides the type. Every node knows its line, and every error is an Error{usage}
// "bad-yaml" with file:line:column.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge::yaml {

struct Position {
    std::string file;
    int line = 0;                            ///< from 1
    int column = 0;                          ///< from 1
    [[nodiscard]] std::string text() const;  ///< "file:line:column"
};

class Node {
public:
    enum class Kind { null, scalar, sequence, mapping };
    struct Entry;

    Kind kind = Kind::null;
    std::string scalar;
    bool quoted = false;
    std::vector<Node> sequence;
    std::vector<Entry> mapping;  ///< in file order; keys are unique
    Position position;           ///< of the value; of the key for mapping entries: see key_position
    Position key_position;
    std::string key;  ///< of a value in a mapping, else empty

    [[nodiscard]] bool is_null() const noexcept { return kind == Kind::null; }
    [[nodiscard]] const Node* find(std::string_view key) const noexcept;

    // Typed readers: throw Error{usage} "bad-value" with position, key and what was expected.
    [[nodiscard]] const std::string& as_string() const&;  ///< any scalar, by its text
    const std::string& as_string() && = delete;
    [[nodiscard]] bool as_bool() const;  ///< true/false only; yes/no are refused
    [[nodiscard]] std::int64_t as_int() const;
    [[nodiscard]] double as_number() const;
    [[nodiscard]] std::vector<std::string> as_strings() const;  ///< a sequence of scalars
    [[nodiscard]] const std::vector<Entry>& as_mapping() const&;
    const std::vector<Entry>& as_mapping() && = delete;  // would outlive the node in a range-for
    [[nodiscard]] const std::vector<Node>& as_sequence() const&;
    const std::vector<Node>& as_sequence() && = delete;
    /// Refuses keys other than these (id "unknown-key"), naming the nearest known one.
    void only_keys(const std::vector<std::string>& known, std::string_view what) const;
};

/// One `key: value` of a mapping.
struct Node::Entry {
    std::string key;
    Node value;
};

/// @param file  name used in messages; need not exist
[[nodiscard]] Node parse(std::string_view text, std::string file);
/// Reads and parses; an empty file gives a null node.
[[nodiscard]] Node load(const std::string& path);

}  // namespace wheelforge::yaml
