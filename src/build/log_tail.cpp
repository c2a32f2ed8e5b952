// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "base/text.hpp"
#include "build/diagnosis.hpp"

namespace wheelforge::build {
namespace {

/// Without the colours and cursor movements of ECMA-48: ESC [ parameters letter, ESC ] ... BEL.
std::string without_terminal_codes(std::string_view line) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\x1b' || i + 1 == line.size()) {
            text += line[i];
            continue;
        }
        const char kind = line[++i];
        if (kind == '[') {
            while (i + 1 < line.size() && (line[i + 1] < '@' || line[i + 1] > '~')) {
                ++i;
            }
            ++i;
        } else if (kind == ']') {
            i = std::min(line.find('\a', i), line.size());
        }
    }
    return text;
}

/// What a terminal would show of a line in the end: progress bars overwrite themselves.
std::string shown(std::string_view line) {
    while (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    line = line.substr(line.rfind('\r') + 1);  // npos + 1 is 0
    return printable(replace_all(without_terminal_codes(line), "\t", "    "));
}

}  // namespace

std::string log_tail(const std::filesystem::path& log, std::size_t bytes) {
    std::ifstream file(log, std::ios::binary | std::ios::ate);
    if (!file) {
        throw Error(ExitCode::surroundings, "cannot-read", "cannot read the log " + log.string());
    }
    const auto size = static_cast<std::size_t>(std::max<std::streamoff>(file.tellg(), 0));
    const std::size_t length = std::min(size, bytes);
    std::string raw(length, '\0');
    file.seekg(static_cast<std::streamoff>(size - length));
    file.read(raw.data(), static_cast<std::streamsize>(length));
    raw.resize(static_cast<std::size_t>(file.gcount()));
    std::string_view text = raw;
    if (length < size) {  // begins somewhere in a line
        const auto line_end = text.find('\n');
        text.remove_prefix(line_end == std::string_view::npos ? 0 : line_end + 1);
    }
    std::string tail;
    for (const auto line : lines(text)) {
        tail += shown(line);
        tail += '\n';
    }
    return tail;
}

std::vector<std::string> last_lines(std::string_view tail, std::size_t count) {
    std::vector<std::string> last;
    for (const auto line : lines(tail)) {
        if (!trim(line).empty()) {
            last.emplace_back(line);
        }
    }
    last.erase(
        last.begin(), last.end() - static_cast<std::ptrdiff_t>(std::min(count, last.size()))
    );
    return last;
}

}  // namespace wheelforge::build
