// SPDX-License-Identifier: Apache-2.0
#include "build/scripts.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelforge::build {
namespace {

constexpr std::size_t kernel_limit = 127;  // of a first line, in older kernels

std::string plain_head(const std::filesystem::path& prefix, std::string_view arguments) {
    return "#!" + (prefix / "bin" / "python").string() + std::string(arguments) + '\n';
}

bool is_identifier(std::string_view text) {
    const auto is_start = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
               || static_cast<unsigned char>(c) >= 0x80U;
    };
    const auto is_part = [&](char c) { return is_start(c) || (c >= '0' && c <= '9'); };
    return !text.empty() && is_start(text.front())
           && std::all_of(text.begin(), text.end(), is_part);
}

bool is_dotted_name(std::string_view text) {
    const auto parts = split(text, '.');
    return std::all_of(parts.begin(), parts.end(), is_identifier);
}

bool is_file_name(std::string_view name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos
           && printable(name) == name;
}

}  // namespace

std::string script_head(const std::filesystem::path& prefix, std::string_view arguments) {
    std::string head = plain_head(prefix, arguments);
    const std::string path = prefix.string();
    if (head.size() <= kernel_limit && path.find_first_of(" \t") == std::string::npos) {
        return head;
    }
    // Read by sh, line two runs the interpreter; read by Python, lines two and three are a string.
    return "#!/bin/sh\n'''exec' \"" + (prefix / "bin" / "python").string() + '"'
           + std::string(arguments) + " \"$0\" \"$@\"\n' '''\n";
}

std::optional<std::string>
with_interpreter(std::string_view script, const std::filesystem::path& prefix) {
    constexpr std::string_view placeholder = "#!python";
    if (!script.starts_with(placeholder)) {
        return std::nullopt;
    }
    const auto line_end = std::min(script.find('\n'), script.size());
    auto arguments = script.substr(placeholder.size(), line_end - placeholder.size());
    if (arguments.starts_with('w')) {  // pythonw: the same here
        arguments.remove_prefix(1);
    }
    if (arguments.ends_with('\r')) {
        arguments.remove_suffix(1);
    }
    if (!arguments.empty() && arguments.front() != ' ' && arguments.front() != '\t') {
        return std::nullopt;  // "#!python3": not the placeholder
    }
    return script_head(prefix, arguments)
           + std::string(script.substr(std::min(line_end + 1, script.size())));
}

std::optional<std::string> moved_script(
    std::string_view script, const std::filesystem::path& from, const std::filesystem::path& to
) {
    const std::string start = "#!" + (from / "bin" / "python").string();
    if (!script.starts_with(start)) {
        return std::nullopt;
    }
    return with_interpreter("#!python" + std::string(script.substr(start.size())), to);
}

std::string
launcher(std::string_view name, std::string_view target, const std::filesystem::path& prefix) {
    const auto plain = trim(target.substr(0, target.find('[')));  // extras say nothing here
    const auto colon = plain.find(':');
    const auto module = trim(plain.substr(0, colon));
    const auto object = colon == std::string_view::npos ? "" : trim(plain.substr(colon + 1));
    if (!is_file_name(name) || !is_dotted_name(module) || !is_dotted_name(object)) {
        throw Error(
            ExitCode::refused,
            "bad-entry-point",
            "the entry point '" + printable(name) + " = " + printable(target)
                + "' names no script or no object"
        );
    }
    const auto first = object.substr(0, object.find('.'));
    return script_head(prefix) + "import sys\n\nfrom " + std::string(module) + " import "
           + std::string(first) + "\n\nif __name__ == \"__main__\":\n    sys.exit("
           + std::string(object) + "())\n";
}

}  // namespace wheelforge::build
