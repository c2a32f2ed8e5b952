// SPDX-License-Identifier: Apache-2.0
#include "index/ini.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text.hpp"

namespace wheelforge::index {

namespace {

struct Complaint {
    std::string message;
};

class Reader {
public:
    /// Takes one line; throws Complaint.
    void take(std::string_view line);
    [[nodiscard]] Ini finish();

private:
    void take_section(std::string_view header);
    void take_option(std::string_view line, std::size_t indent);

    Ini ini_;
    std::map<std::string, std::string>* section_ = nullptr;
    std::string* value_ = nullptr;  ///< of the option that may go on
    std::size_t indent_ = 0;        ///< of that option's line
};

void Reader::take(std::string_view line) {
    const auto text = trim(line);
    if (text.starts_with('#') || text.starts_with(';')) {
        return;
    }
    if (text.empty()) {
        if (value_ != nullptr) {
            value_->push_back('\n');
        }
        return;
    }
    const auto indent = std::min(line.find_first_not_of(" \t"), line.size());
    if (value_ != nullptr && indent > indent_) {
        value_->append("\n").append(text);
    } else if (text.starts_with('[')) {
        take_section(text);
    } else {
        take_option(text, indent);
    }
}

void Reader::take_section(std::string_view header) {
    const auto end = header.rfind(']');
    if (end == std::string_view::npos || end < 2) {
        throw Complaint{"a section header has no name or no ']'"};
    }
    const auto [entry, is_new] = ini_.try_emplace(std::string(header.substr(1, end - 1)));
    if (!is_new && entry->first != "DEFAULT") {
        throw Complaint{"section [" + printable(entry->first) + "] is there twice"};
    }
    section_ = &entry->second;
    value_ = nullptr;
}

void Reader::take_option(std::string_view line, std::size_t indent) {
    if (section_ == nullptr) {
        throw Complaint{"a line stands before the first [section]"};
    }
    const auto mark = line.find_first_of("=:");
    const auto key = to_lower(trim(line.substr(0, std::min(mark, line.size()))));
    if (mark == std::string_view::npos || key.empty()) {
        throw Complaint{"expected 'key = value'"};
    }
    const auto [entry, is_new] = section_->try_emplace(key, trim(line.substr(mark + 1)));
    if (!is_new) {
        throw Complaint{"'" + printable(key) + "' is there twice"};
    }
    value_ = &entry->second;
    indent_ = indent;
}

Ini Reader::finish() {
    const auto defaults = ini_.extract("DEFAULT");
    for (auto& [name, section] : ini_) {
        if (!defaults.empty()) {
            section.insert(defaults.mapped().begin(), defaults.mapped().end());
        }
        for (auto& [key, value] : section) {
            value = trim(value);
        }
    }
    return std::move(ini_);
}

}  // namespace

Parsed<Ini> parse_ini(std::string_view text) {
    Reader reader;
    const char* const begin = text.data();
    if (text.starts_with("\xef\xbb\xbf")) {
        text.remove_prefix(3);
    }
    for (const auto line : lines(text)) {
        try {
            reader.take(line);
        } catch (const Complaint& complaint) {
            return parse_error(complaint.message, static_cast<std::size_t>(line.data() - begin));
        }
    }
    return reader.finish();
}

}  // namespace wheelforge::index
