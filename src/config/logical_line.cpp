// SPDX-License-Identifier: Apache-2.0
#include "config/logical_line.hpp"

#include <algorithm>

namespace wheelforge::config {

namespace {

constexpr std::string_view blanks = " \t\v\f";

struct PhysicalLine {
    std::string_view text;
    int number = 0;
};

/// LF, CRLF and a lone CR end a line.
std::vector<PhysicalLine> physical_lines(std::string_view text) {
    std::vector<PhysicalLine> lines;
    int number = 0;
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of("\r\n"), text.size());
        lines.push_back({text.substr(0, end), ++number});
        const bool crlf = text.substr(end).starts_with("\r\n");
        text.remove_prefix(std::min(text.size(), end + (crlf ? 2U : 1U)));
    }
    return lines;
}

bool is_comment_line(std::string_view line) {
    const auto first = line.find_first_not_of(blanks);
    return first != std::string_view::npos && line[first] == '#';
}

/// Joins what ends in a backslash with what follows. A comment line ends the joining.
std::vector<LogicalLine> joined_lines(std::string_view text) {
    std::vector<LogicalLine> joined;
    bool open = false;
    for (const auto& line : physical_lines(text)) {
        if (!open) {
            joined.emplace_back();
        }
        const bool comment = is_comment_line(line.text);
        open = !comment && line.text.ends_with('\\');
        auto content = line.text;
        while (open && content.ends_with('\\')) {
            content.remove_suffix(1);
        }
        if (comment) {
            joined.back().append_replacement(" ", {line.number, 1});
        }
        joined.back().append(content, {line.number, 1});
    }
    return joined;
}

/// Up to a '#' at the start or after a blank, without blanks at either end.
LogicalLine without_comment(const LogicalLine& line) {
    const std::string_view text = line.text();
    std::size_t end = 0;
    while (end < text.size()) {
        const bool at_word = end == 0 || blanks.find(text[end - 1]) != std::string_view::npos;
        if (text[end] == '#' && at_word) {
            break;
        }
        ++end;
    }
    const auto first = text.substr(0, end).find_first_not_of(blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    const auto last = text.substr(0, end).find_last_not_of(blanks);
    return line.part(first, last - first + 1);
}

/// Length of "${NAME}" at the start of `text`, 0 if there is none. Upper case only.
std::size_t reference_length(std::string_view text) {
    constexpr std::string_view name = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (!text.starts_with("${")) {
        return 0;
    }
    const auto end = text.find_first_not_of(name, 2);
    return end != std::string_view::npos && end > 2 && text[end] == '}' ? end + 1 : 0;
}

LogicalLine with_variables(const LogicalLine& line, const LookUp& variable) {
    const std::string_view text = line.text();
    if (text.find("${") == std::string_view::npos) {
        return line;
    }
    LogicalLine out;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = reference_length(text.substr(at));
        const auto value =
            length > 0 ? variable(std::string(text.substr(at + 2, length - 3))) : std::nullopt;
        if (value) {
            out.append_replacement(*value, line.position(at));
            at += length;
        } else {
            out.append(text.substr(at, 1), line.position(at));
            ++at;
        }
    }
    return out;
}

}  // namespace

void LogicalLine::append(std::string_view text, FilePosition at) {
    segments_.push_back({text_.size(), at, false});
    text_ += text;
}

void LogicalLine::append_replacement(std::string_view text, FilePosition at) {
    segments_.push_back({text_.size(), at, true});
    text_ += text;
}

FilePosition LogicalLine::position(std::size_t offset) const {
    const auto after = std::upper_bound(
        segments_.begin(),
        segments_.end(),
        offset,
        [](std::size_t wanted, const Segment& segment) { return wanted < segment.start; }
    );
    if (after == segments_.begin()) {
        return {};
    }
    const Segment& segment = *(after - 1);
    FilePosition position = segment.at;
    if (!segment.replacement) {
        position.column += static_cast<int>(offset - segment.start);
    }
    return position;
}

LogicalLine LogicalLine::part(std::size_t front, std::size_t length) const {
    LogicalLine out;
    out.text_ = text_.substr(front, length);
    for (std::size_t i = 0; i < segments_.size(); ++i) {
        const std::size_t end = i + 1 < segments_.size() ? segments_[i + 1].start : text_.size();
        if (end <= front && i + 1 < segments_.size()) {
            continue;
        }
        const std::size_t start = std::max(segments_[i].start, front);
        out.segments_.push_back({start - front, position(start), segments_[i].replacement});
    }
    return out;
}

std::vector<LogicalLine> logical_lines(std::string_view text, const LookUp& variable) {
    std::vector<LogicalLine> lines;
    for (const auto& joined : joined_lines(text)) {
        auto line = without_comment(joined);
        if (!line.text().empty()) {
            lines.push_back(with_variables(line, variable));
        }
    }
    return lines;
}

}  // namespace wheelforge::config
