// SPDX-License-Identifier: Apache-2.0
#include "store/inputs.hpp"

#include <algorithm>
#include <utility>

#include "base/hash.hpp"
#include "base/text.hpp"

namespace wheelforge::store {

namespace {

std::string escaped_value(std::string_view value) {
    return printable(replace_all(std::string(value), "\\", "\\x5c"));
}

std::string escaped_word(std::string_view word) {
    return replace_all(escaped_value(word), " ", "\\x20");
}

}  // namespace

void Inputs::insert(std::string line) {
    auto place = std::lower_bound(lines_.begin(), lines_.end(), line);
    if (place == lines_.end() || *place != line) {
        lines_.insert(place, std::move(line));
    }
}

void Inputs::add(std::string_view kind, std::string_view name, std::string_view value) {
    std::string line = escaped_word(kind) + " " + escaped_word(name);
    if (!value.empty()) {
        line += " " + escaped_value(value);
    }
    insert(std::move(line));
}

void Inputs::add_all(const Inputs& other) {
    for (const std::string& line : other.lines_) {
        insert(line);
    }
}

std::string Inputs::text() const {
    std::string all;
    for (const std::string& line : lines_) {
        all += line;
        all += '\n';
    }
    return all;
}

std::string Inputs::key() const {
    return sha256(text());
}

}  // namespace wheelforge::store
