// SPDX-License-Identifier: Apache-2.0
#include "variant/toolchain_probe.hpp"

#include <algorithm>
#include <fnmatch.h>
#include <regex>

#include <fmt/core.h>

#include "base/answers.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

namespace wheelforge::variant {
namespace {

/// More is not needed to find a version, and std::regex recurses over its input.
constexpr std::size_t most_text = 16384;

std::string absolute_program(const std::string& program, const fs::path& root) {
    const bool is_relative = program.find('/') != std::string::npos && program.front() != '/';
    return is_relative ? (root / program).string() : program;
}

bool is_there(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
}

bool has_pattern(std::string_view text) {
    return text.find_first_of("*?[") != std::string_view::npos;
}

/// Digits compare as numbers: core-7.9 < core-7.14.
bool is_older(const fs::path& a, const fs::path& b) {
    const auto key = [](const std::string& text) {
        std::vector<std::pair<std::string, unsigned long>> parts;
        std::size_t at = 0;
        while (at < text.size()) {
            const auto digit = std::min(text.find_first_of("0123456789", at), text.size());
            const auto end = std::min(text.find_first_not_of("0123456789", digit), text.size());
            const auto number = text.substr(digit, std::min<std::size_t>(end - digit, 18));
            parts.emplace_back(
                text.substr(at, digit - at), number.empty() ? 0 : std::stoul(number)
            );
            at = end;
        }
        return parts;
    };
    return key(a.string()) < key(b.string());
}

/// Paths that match, highest version first. '*' and '?' stand for parts of one name.
std::vector<fs::path> matching(const fs::path& pattern) {
    std::vector<fs::path> found = {"/"};
    for (const auto& part : pattern.relative_path()) {
        std::vector<fs::path> next;
        for (const auto& folder : found) {
            if (!has_pattern(part.string())) {
                next.push_back(folder / part);
                continue;
            }
            std::error_code error;
            for (const auto& entry : fs::directory_iterator(folder, error)) {
                const auto name = entry.path().filename().string();
                if (::fnmatch(part.c_str(), name.c_str(), FNM_PERIOD) == 0) {
                    next.push_back(entry.path());
                }
            }
        }
        found = std::move(next);
    }
    std::erase_if(found, [](const fs::path& path) { return !is_there(path); });
    std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
        return is_older(b, a);
    });
    return found;
}

std::string run_command(const std::vector<std::string>& argv, const std::string& path) {
    Launch launch;
    launch.argv = argv;
    launch.env = {{"PATH", path}, {"LC_ALL", "C"}, {"HOME", "/nonexistent"}};
    launch.cwd = "/";
    launch.timeout = std::chrono::seconds(10);
    launch.capture_limit = 1U << 20U;
    try {
        const auto result = run(launch);
        return result.exit_code == 0 ? result.out + result.err : std::string();
    } catch (const Error&) {
        return {};  // not there, or cannot be started: the same as no answer
    }
}

/// A candidate root and how one came to it.
struct Candidate {
    fs::path root;
    std::string how;
};

std::vector<Candidate>
candidates(const RootRule& rule, const Surroundings& where, std::vector<std::string>& tried) {
    switch (rule.kind) {
    case RootRule::Kind::variable: {
        const auto value = where.variables.find(rule.text);
        if (value == where.variables.end() || value->second.empty()) {
            tried.push_back(rule.text + ": not set");
            return {};
        }
        return {{value->second, rule.text}};
    }
    case RootRule::Kind::program: {
        const auto program = find_program(rule.text, where.path);
        if (!program) {
            tried.push_back(rule.text + ": not on PATH");
            return {};
        }
        std::error_code error;
        auto root = fs::canonical(*program, error);
        for (unsigned i = 0; i < rule.up; ++i) {
            root = root.parent_path();
        }
        return {{root, rule.text + " on PATH"}};
    }
    case RootRule::Kind::python: {
        const auto told = where.python_bin.empty() || rule.command.empty()
                              ? std::string()
                              : ask(rule.command, "/", where.python_bin.string());
        if (trim(told).empty()) {
            tried.push_back(join(rule.command, " ") + ": not in the interpreter's programs");
            return {};
        }
        return {{std::string(trim(told)), join(rule.command, " ")}};
    }
    case RootRule::Kind::path:
        break;
    }
    std::vector<Candidate> found;
    for (const auto& path : matching(rule.text)) {
        found.push_back({path, path.string()});
    }
    if (found.empty()) {
        tried.push_back(rule.text + ": not there");
    }
    return found;
}

bool is_root(const ToolchainRule& rule, const fs::path& folder) {
    return rule.marker.empty()
               ? is_there(folder)
               : std::any_of(rule.marker.begin(), rule.marker.end(), [&](const auto& marker) {
                     return is_there(folder / marker);
                 });
}

Toolchain describe(const ToolchainRule& rule, const Candidate& candidate, const std::string& path) {
    Toolchain toolchain;
    toolchain.root = fs::absolute(candidate.root).lexically_normal();
    toolchain.found_by = candidate.how;
    for (const auto& reader : rule.version) {
        toolchain.version = read_version(reader, toolchain.root, path);
        if (toolchain.version) {
            toolchain.version_from = reader.file.empty() ? join(reader.command, " ") : reader.file;
            break;
        }
    }
    for (const auto& folder : rule.device_libraries) {
        const auto found = matching(toolchain.root / folder);
        if (!found.empty()) {
            toolchain.device_libraries = found.front();
            break;
        }
    }
    return toolchain;
}

std::string digest_of(const fs::path& file) {
    const auto identity = answers::identity_of(file);
    const auto question = "sha256\n" + identity.value_or("");
    if (identity) {
        if (auto known = answers::recall(question)) {
            return *known;
        }
    }
    const auto digest = sha256_file(file);
    if (identity) {
        answers::remember(question, digest);
    }
    return digest;
}

}  // namespace

std::string
ask(const std::vector<std::string>& command, const fs::path& root, const std::string& path) {
    if (command.empty()) {
        return {};
    }
    auto argv = command;
    argv.front() = absolute_program(argv.front(), root);
    const auto program = find_program(argv.front(), path);
    if (!program) {
        return {};
    }
    const auto identity = answers::identity_of(*program);
    const auto question = "ask\n" + identity.value_or("") + "\n" + join(argv, "\n");
    if (identity) {
        if (auto known = answers::recall(question)) {
            return *known;
        }
    }
    auto text = run_command(argv, path);
    if (identity && !text.empty()) {
        answers::remember(question, text);
    }
    return text;
}

std::optional<pep::Version>
read_version(const VersionReader& reader, const fs::path& root, const std::string& path) {
    std::string text;
    try {
        text = reader.file.empty() ? ask(reader.command, root, path)
                                   : read_file_if_there(root / reader.file, 1U << 20U).value_or("");
    } catch (const Error&) {
        return std::nullopt;  // not readable: another reader may know
    }
    text.resize(std::min(text.size(), most_text));
    std::smatch match;
    if (!std::regex_search(text, match, std::regex(reader.pattern))) {
        return std::nullopt;
    }
    std::vector<std::string> parts;
    for (std::size_t i = match.size() > 1 ? 1 : 0; i < match.size(); ++i) {
        if (match[i].length() > 0) {
            parts.push_back(match[i].str());
        }
    }
    auto version = pep::Version::parse(join(parts, "."));
    return version ? std::optional(std::move(*version)) : std::nullopt;
}

ToolchainProbe find_toolchain(const ToolchainRule& rule, const Surroundings& where) {
    ToolchainProbe probe;
    for (const auto& root : rule.roots) {
        for (const auto& candidate : candidates(root, where, probe.tried)) {
            if (is_root(rule, candidate.root)) {
                probe.found = describe(rule, candidate, where.path);
                return probe;
            }
            probe.tried.push_back(fmt::format(
                "{}: {} has no {}",
                candidate.how,
                candidate.root.string(),
                join(rule.marker, " or ")
            ));
        }
    }
    return probe;
}

std::optional<std::vector<std::string>>
accepted_archs(const ToolchainRule& rule, const Toolchain& toolchain, const std::string& path) {
    for (const auto& command : rule.accepts.commands) {
        const auto text = ask(command, toolchain.root, path);
        if (text.empty()) {
            continue;
        }
        std::vector<std::string> archs;
        const std::regex pattern(rule.accepts.pattern);
        for (const auto line : lines(text)) {
            const std::string one(line.substr(0, most_text));
            for (std::sregex_iterator match(one.begin(), one.end(), pattern), end; match != end;
                 ++match) {
                archs.push_back(match->str());
            }
        }
        return archs;
    }
    return std::nullopt;
}

std::string
fingerprint(const ToolchainRule& rule, const Toolchain& toolchain, const std::string& path) {
    std::string text = rule.name + "\n";
    if (toolchain.version) {
        text += toolchain.version->text() + "\n";
    }
    for (const auto& command : rule.fingerprint_commands) {
        text += join(command, " ") + "\n" + ask(command, toolchain.root, path) + "\n";
    }
    for (const auto& glob : rule.fingerprint_files) {
        for (const auto& file : matching(toolchain.root / glob)) {
            if (fs::is_regular_file(file)) {
                text +=
                    file.lexically_relative(toolchain.root).string() + " " + digest_of(file) + "\n";
            }
        }
    }
    return sha256(text);
}

}  // namespace wheelforge::variant
