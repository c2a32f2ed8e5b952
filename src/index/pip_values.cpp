// SPDX-License-Identifier: Apache-2.0
#include "index/pip_values.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "index/ini.hpp"

namespace wheelforge::index {

namespace {

constexpr std::uint64_t max_config_bytes = 1U << 20U;

std::string variable(const Environment& env, const char* name) {
    const auto found = env.find(name);
    return found == env.end() ? std::string() : found->second;
}

/// pip's spelling of an option: "INDEX_URL", "--index-url" and "index_url" are one.
std::string option_name(std::string_view written) {
    auto name = replace_all(to_lower(written), "_", "-");
    return name.starts_with("--") ? name.substr(2) : name;
}

Error bad_config(const std::string& where, const std::string& what) {
    return Error(ExitCode::usage, "bad-pip-config", where + ": " + what);
}

Error bad_value(const std::string& option, const PipValue& value, const std::string& wanted) {
    return bad_config(
        printable(value.origin), option + " is '" + printable(value.text) + "', expected " + wanted
    );
}

std::size_t line_of(std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, offset);
    return static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
}

}  // namespace

fs::path home_of(const Environment& env) {
    const auto home = variable(env, "HOME");
    return home.empty() ? home_directory() : fs::path(home);
}

fs::path expand_user(const std::string& path, const Environment& env) {
    if (path == "~") {
        return home_of(env);
    }
    return path.starts_with("~/") ? home_of(env) / path.substr(2) : fs::path(path);
}

std::vector<fs::path> pip_config_files(const Environment& env, const fs::path& site_prefix) {
    const auto config_file = variable(env, "PIP_CONFIG_FILE");
    if (config_file == "/dev/null") {
        return {};
    }
    std::vector<fs::path> files;
    const auto system_folders = variable(env, "XDG_CONFIG_DIRS");
    const std::string folders = system_folders.empty() ? "/etc/xdg" : system_folders;
    for (const auto folder : split(folders, ':')) {
        if (!folder.empty()) {
            files.push_back(expand_user(std::string(folder), env) / "pip/pip.conf");
        }
    }
    files.emplace_back("/etc/pip.conf");
    std::error_code ignored;
    if (config_file.empty() || !fs::exists(config_file, ignored)) {
        const auto user_folder = variable(env, "XDG_CONFIG_HOME");
        files.push_back(home_of(env) / ".pip/pip.conf");
        files.push_back(
            (user_folder.empty() ? home_of(env) / ".config" : fs::path(user_folder))
            / "pip/pip.conf"
        );
    }
    if (!site_prefix.empty()) {
        files.push_back(site_prefix / "pip.conf");
    }
    if (!config_file.empty()) {
        files.emplace_back(config_file);
    }
    return files;
}

PipValues PipValues::read(const Environment& env, const fs::path& site_prefix) {
    PipValues values;
    for (const auto& path : pip_config_files(env, site_prefix)) {
        values.take_file(path);
    }
    values.take_environment(env);
    return values;
}

void PipValues::take_file(const fs::path& path) {
    std::optional<std::string> text;
    try {
        text = read_file_if_there(path, max_config_bytes);
    } catch (const Error& error) {
        log::info(error.render());  // pip passes over what it may not read
    }
    if (!text) {
        return;
    }
    const auto ini = parse_ini(*text);
    if (!ini) {
        const auto line = std::to_string(line_of(*text, ini.error().offset));
        throw bad_config(printable(path.string()) + ":" + line, ini.error().message);
    }
    const char* const sections[] = {"global", "install"};
    for (std::size_t rank = 0; rank < std::size(sections); ++rank) {
        const auto section = ini->find(sections[rank]);
        if (section == ini->end()) {
            continue;
        }
        for (const auto& [key, value] : section->second) {
            values_[rank].insert_or_assign(option_name(key), PipValue{value, path.string()});
        }
    }
}

void PipValues::take_environment(const Environment& env) {
    for (const auto& [name, value] : env) {
        if (name.starts_with("PIP_")) {
            values_[2].insert_or_assign(option_name(name.substr(4)), PipValue{value, name});
        }
    }
}

const PipValue* PipValues::find(const std::string& option) const {
    for (auto rank = std::rbegin(values_); rank != std::rend(values_); ++rank) {
        const auto found = rank->find(option);
        if (found != rank->end() && !found->second.text.empty()) {
            return &found->second;
        }
    }
    return nullptr;
}

std::string PipValues::text(const std::string& option) const {
    const auto* value = find(option);
    return value == nullptr ? std::string() : std::string(trim(value->text));
}

std::vector<std::string> PipValues::list(const std::string& option) const {
    std::vector<std::string> items;
    const auto whole = text(option);
    std::size_t at = 0;
    while ((at = whole.find_first_not_of(" \t\r\n\f\v", at)) != std::string::npos) {
        const auto end = std::min(whole.find_first_of(" \t\r\n\f\v", at), whole.size());
        items.push_back(whole.substr(at, end - at));
        at = end;
    }
    return items;
}

bool PipValues::flag(const std::string& option) const {
    const auto* value = find(option);
    if (value == nullptr) {
        return false;
    }
    const auto word = to_lower(trim(value->text));
    for (const auto* yes : {"y", "yes", "t", "true", "on", "1"}) {
        if (word == yes) {
            return true;
        }
    }
    for (const auto* no : {"n", "no", "f", "false", "off", "0"}) {
        if (word == no) {
            return false;
        }
    }
    throw bad_value(option, *value, "yes or no");
}

std::optional<double> PipValues::number(const std::string& option) const {
    const auto* value = find(option);
    if (value == nullptr) {
        return std::nullopt;
    }
    const auto word = trim(value->text);
    double result = 0;
    const auto* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, result);
    if (error != std::errc() || stop != end || !(result >= 0) || result > 1e6) {
        throw bad_value(option, *value, "a number");
    }
    return result;
}

}  // namespace wheelforge::index
