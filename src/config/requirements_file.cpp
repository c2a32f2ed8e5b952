// SPDX-License-Identifier: Apache-2.0
#include "config/requirements_file.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/http.hpp"
#include "base/text.hpp"
#include "config/logical_line.hpp"
#include "config/requirement_options.hpp"
#include "pep/name.hpp"

namespace wheelforge::config {

namespace {

constexpr std::uint64_t max_file_bytes = 16U << 20U;
constexpr std::size_t max_nesting = 64;

enum class Role { requirements, constraints };

Error bad_requirement(std::string_view where, std::string_view why) {
    return {ExitCode::usage, "bad-requirement", fmt::format("{}: {}", where, why)};
}

std::optional<std::string> environment_variable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

bool is_remote(std::string_view location) {
    const std::string lower = to_lower(location.substr(0, 8));
    return lower.starts_with("http://") || lower.starts_with("https://");
}

/// The path of a file: URL; any other location as it is.
std::string local_path(const std::string& location) {
    constexpr std::string_view scheme = "file://";
    if (!to_lower(location.substr(0, scheme.size())).starts_with(scheme)) {
        return location;
    }
    const std::string path = percent_decode(location.substr(scheme.size()));
    return path.starts_with("localhost/") ? path.substr(path.find('/')) : path;
}

/// A location named inside a file, as seen from there.
std::string relative_to(const std::string& file, const std::string& location) {
    if (is_remote(file)) {
        return resolve_url(file, location);
    }
    const std::string path = local_path(location);
    if (is_remote(path) || fs::path(path).is_absolute()) {
        return path;
    }
    return (fs::path(file).parent_path() / path).string();
}

/// Whether a requirement is only a path or URL, which says nothing about the name.
bool is_bare_location(std::string_view text) {
    const auto head = text.substr(0, text.find_first_of(" \t;[<>=!~@("));
    if (head.starts_with('.') || head.find_first_of("/\\:") != std::string_view::npos) {
        return true;
    }
    constexpr std::array<std::string_view, 5> endings{
        ".whl", ".tar.gz", ".zip", ".tar.bz2", ".tgz"
    };
    return std::any_of(endings.begin(), endings.end(), [head](std::string_view ending) {
        return head.size() > ending.size() && head.ends_with(ending);
    });
}

void refuse_bare_location(std::string_view text, std::string_view where) {
    if (is_bare_location(text)) {
        throw bad_requirement(
            where, fmt::format("'{}' is a path or URL without a name", masked_url(text))
        )
            .advise("write NAME @ URL; for a file, NAME @ file:///PATH");
    }
}

/// "sha256:..." in lower case.
Parsed<std::string> parse_hash(const std::string& text) {
    struct Strong {
        std::string_view name;
        std::size_t digits;
    };
    constexpr std::array<Strong, 3> strong{{{"sha256", 64}, {"sha384", 96}, {"sha512", 128}}};
    const std::string lower = to_lower(text);
    const auto colon = lower.find(':');
    for (const auto& [name, digits] : strong) {
        if (colon == std::string::npos || lower.substr(0, colon) != name) {
            continue;
        }
        const bool hex =
            lower.find_first_not_of("0123456789abcdef", colon + 1) == std::string::npos;
        if (!hex || lower.size() - colon - 1 != digits) {
            return parse_error(fmt::format("--hash: {} has {} hexadecimal digits", name, digits));
        }
        return lower;
    }
    return parse_error("--hash: expected sha256:, sha384: or sha512: and hexadecimal digits");
}

/// Reads a file and those it names into one result.
class FilesReader {
public:
    explicit FilesReader(const FetchText& fetch) : fetch_(fetch) {}

    void read(const std::string& location, Role role, const std::string& named_at) {
        const std::string file = local_path(location);
        const std::string identity = identity_of(file);
        if (std::find(open_.begin(), open_.end(), identity) != open_.end()) {
            throw bad_requirement(named_at, fmt::format("{} names itself in a ring", file));
        }
        if (open_.size() >= max_nesting) {
            throw bad_requirement(
                named_at, fmt::format("files nested deeper than {}", max_nesting)
            );
        }
        if (!done_.emplace(identity, role).second) {
            return;
        }
        open_.push_back(identity);
        const std::string text = checked_text(file, named_at);
        for (const auto& line : logical_lines(text, environment_variable)) {
            read_line({file, role, line});
        }
        open_.pop_back();
    }

    RequirementsFile take() { return std::move(result_); }

private:
    struct Line {
        const std::string& file;
        Role role;
        const LogicalLine& content;
        [[nodiscard]] std::string where(std::size_t offset) const {
            const auto position = content.position(offset);
            return fmt::format("{}:{}:{}", file, position.line, position.column);
        }
    };

    static std::string identity_of(const std::string& file) {
        std::error_code error;
        return is_remote(file) ? file : fs::weakly_canonical(file, error).string();
    }

    /// UTF-8 without its byte order mark.
    std::string checked_text(const std::string& file, const std::string& named_at) const {
        std::string text = text_of(file, named_at);
        constexpr std::string_view mark = "\xEF\xBB\xBF";
        if (text.starts_with(mark)) {
            text.erase(0, mark.size());
        }
        int number = 0;
        for (const auto line : lines(text)) {
            ++number;
            if (!is_valid_utf8(line)) {
                throw bad_requirement(fmt::format("{}:{}:1", file, number), "not valid UTF-8")
                    .advise("save the file as UTF-8");
            }
        }
        return text;
    }

    std::string text_of(const std::string& file, const std::string& named_at) const {
        if (is_remote(file)) {
            if (!fetch_) {
                throw bad_requirement(
                    named_at, fmt::format("{} is not on this machine", masked_url(file))
                );
            }
            return fetch_(file);
        }
        auto text = read_file_if_there(file, max_file_bytes);
        if (!text) {
            const std::string at = named_at == file ? "" : named_at + ": ";
            throw Error(
                ExitCode::usage,
                "file-not-found",
                fmt::format("{}{} does not exist", at, masked_url(file))
            )
                .advise(
                    at.empty() ? "check the spelling; the name is relative to the current folder"
                               : "check the spelling; a name in a file is relative to that file"
                );
        }
        return std::move(*text);
    }

    void read_line(const Line& line) {
        const std::string_view text = line.content.text();
        const std::size_t start = options_start(text);
        auto options = parse_line_options(text.substr(start));
        if (!options) {
            throw bad_requirement(
                line.where(start + options.error().offset), options.error().message
            );
        }
        for (auto& option : *options) {
            option.offset += start;
        }
        const auto requirement = trim(text.substr(0, start));
        if (requirement.empty()) {
            for (const auto& option : *options) {
                apply(option, line);
            }
        } else {
            add_requirement(requirement, *options, line);
        }
    }

    void add_requirement(
        std::string_view text, const std::vector<LineOption>& options, const Line& line
    ) {
        RequirementLine entry;
        entry.requirement = parsed(text, line);
        entry.origin = fmt::format("{}:{}", line.file, line.content.position(0).line);
        for (const auto& option : options) {
            if (option.kind != OptionKind::hash) {
                throw bad_requirement(
                    line.where(option.offset),
                    fmt::format("{} must stand on a line of its own", option.name)
                );
            }
            auto hash = parse_hash(option.value);
            if (!hash) {
                throw bad_requirement(line.where(option.offset), hash.error().message);
            }
            entry.hashes.push_back(std::move(*hash));
        }
        auto& list = line.role == Role::constraints ? result_.constraints : result_.requirements;
        list.push_back(std::move(entry));
    }

    static pep::Requirement parsed(std::string_view text, const Line& line) {
        if (text.ends_with('\\')) {
            throw bad_requirement(
                line.where(text.size() - 1),
                "a blank follows the backslash that should end the line"
            );
        }
        refuse_bare_location(text, line.where(0));
        auto requirement = pep::Requirement::parse(text);
        if (!requirement) {
            throw bad_requirement(
                line.where(requirement.error().offset), requirement.error().message
            );
        }
        if (line.role == Role::constraints) {
            check_constraint(*requirement, line);
        }
        return std::move(*requirement);
    }

    static void check_constraint(const pep::Requirement& requirement, const Line& line) {
        if (!requirement.extras.empty()) {
            throw bad_requirement(line.where(0), "a constraint cannot have extras")
                .advise("name the extras where the package is required");
        }
        if (requirement.url) {
            throw bad_requirement(line.where(0), "a constraint cannot name a URL")
                .advise("constrain the version here, and require NAME @ URL");
        }
    }

    void apply(const LineOption& option, const Line& line) {
        switch (option.kind) {
        case OptionKind::requirement:
            read(relative_to(line.file, option.value), line.role, line.where(option.offset));
            return;
        case OptionKind::constraint:
            read(
                relative_to(line.file, option.value), Role::constraints, line.where(option.offset)
            );
            return;
        case OptionKind::index_url:
            result_.index_urls.push_back(option.value);
            return;
        case OptionKind::extra_index_url:
            result_.extra_index_urls.push_back(option.value);
            return;
        case OptionKind::find_links:
            result_.find_links.push_back(find_links(line.file, option.value));
            return;
        case OptionKind::trusted_host:
            result_.trusted_hosts.push_back(option.value);
            return;
        case OptionKind::no_index:
            result_.no_index = true;
            return;
        case OptionKind::pre:
            result_.allow_prereleases = true;
            return;
        case OptionKind::require_hashes:
            result_.require_hashes = true;
            return;
        case OptionKind::no_binary:
        case OptionKind::only_binary:
            return choose_format(option, line);
        case OptionKind::hash:
            break;
        }
        throw bad_requirement(line.where(option.offset), "--hash without a requirement");
    }

    /// Everything is built from its sdist unless something else is said.
    void choose_format(const LineOption& option, const Line& line) {
        auto& chosen = result_.only_binary;
        const bool as_wheel = option.kind == OptionKind::only_binary;
        const std::string_view nothing_as_wheel = as_wheel ? ":none:" : ":all:";
        for (const std::string_view written : split(option.value, ',')) {
            const auto name = trim(written);
            if (name == nothing_as_wheel) {
                chosen.clear();
            } else if (name != ":none:") {
                const auto known = name_or_all(name, option, line);
                std::erase(chosen, known);
                if (as_wheel) {
                    chosen.push_back(known);
                }
            }
        }
    }

    static std::string
    name_or_all(std::string_view name, const LineOption& option, const Line& line) {
        if (name == ":all:") {
            return std::string(name);
        }
        auto parsed = pep::parse_name(name);
        if (!parsed) {
            throw bad_requirement(
                line.where(option.offset), option.name + ": " + parsed.error().message
            );
        }
        return std::move(*parsed);
    }

    /// As pip: beside the file if something is there, else as seen from the current folder.
    static std::string find_links(const std::string& file, const std::string& value) {
        std::error_code error;
        if (!is_remote(file) && !is_remote(value)) {
            const fs::path beside = fs::path(file).parent_path() / value;
            if (fs::exists(beside, error)) {
                return beside.string();
            }
        }
        return value;
    }

    const FetchText& fetch_;
    RequirementsFile result_;
    std::vector<std::string> open_;  // the files being read, outermost first
    std::set<std::pair<std::string, Role>> done_;
};

RequirementsFile read_tree(const fs::path& path, Role role, const FetchText& fetch) {
    FilesReader reader(fetch);
    reader.read(path.string(), role, path.string());
    return reader.take();
}

}  // namespace

RequirementsFile read_requirements_file(const fs::path& path, const FetchText& fetch) {
    return read_tree(path, Role::requirements, fetch);
}

RequirementsFile read_constraints_file(const fs::path& path, const FetchText& fetch) {
    return read_tree(path, Role::constraints, fetch);
}

pep::Requirement parse_requirement(std::string_view text, std::string_view where) {
    refuse_bare_location(trim(text), where);
    auto requirement = pep::Requirement::parse(text);
    if (!requirement) {
        throw bad_requirement(
            where,
            fmt::format(
                "'{}': {} at character {}",
                masked_url(text),
                requirement.error().message,
                requirement.error().offset + 1
            )
        );
    }
    return std::move(*requirement);
}

}  // namespace wheelforge::config
