// SPDX-License-Identifier: Apache-2.0
#include "build/interpreter.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/answers.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/process.hpp"
#include "base/resources.hpp"
#include "base/text.hpp"

namespace wheelforge::build {
namespace {

/// What was asked for: where to look, and which series ("3.12") the result must have.
struct Search {
    std::vector<fs::path> candidates;
    std::string series;
    std::vector<std::string> failures;  ///< "PATH: why", for the message
};

bool is_series(std::string_view text) {
    return !text.empty() && text.find('.') != std::string_view::npos
           && text.find_first_not_of("0123456789.t") == std::string_view::npos;
}

/// "3.12.1" and "3.13t" name programs python3.12 and python3.13t.
std::string program_of_series(std::string_view series) {
    const auto parts = split(series, '.');
    std::string name = "python" + std::string(parts[0]);
    if (parts.size() > 1) {
        name += '.' + std::string(parts[1]);
    }
    const bool free_threaded = series.ends_with('t') && !name.ends_with('t');
    return free_threaded ? name + 't' : name;
}

/// Every program of that name on PATH: the first may be a shim that starts nothing.
void add_from_path(Search& search, const std::string& name, const std::string& path_variable) {
    for (const auto folder : split(path_variable, ':')) {
        if (auto program = find_program(name, folder)) {
            search.candidates.push_back(std::move(*program));
        }
    }
}

/// Version managers keep shims in ROOT/shims and interpreters in ROOT/versions/X.Y.Z/bin; a shim
/// whose version is not activated starts nothing, though the interpreter is there.
void add_behind_shims(Search& search, const std::string& name) {
    std::set<fs::path, std::greater<>> behind;  // roughly the newest first
    for (const fs::path& candidate : search.candidates) {
        if (candidate.parent_path().filename() != "shims") {
            continue;
        }
        std::error_code error;
        const fs::path versions = candidate.parent_path().parent_path() / "versions";
        for (const auto& version : fs::directory_iterator(versions, error)) {
            if (auto program = find_program(name, (version.path() / "bin").string())) {
                behind.insert(std::move(*program));
            }
        }
    }
    search.candidates.insert(search.candidates.end(), behind.begin(), behind.end());
}

Search search_for(const std::string& wanted, const std::string& path_variable) {
    Search search;
    if (wanted.find('/') != std::string::npos) {
        const fs::path path = fs::absolute(wanted);
        search.candidates = {fs::is_directory(path) ? path / "bin" / "python3" : path};
    } else if (wanted.empty()) {
        add_from_path(search, "python3", path_variable);
        add_from_path(search, "python", path_variable);
    } else if (is_series(wanted)) {
        search.series = wanted;
        const std::string name = program_of_series(wanted);
        add_from_path(search, name, path_variable);
        add_behind_shims(search, name);
        add_from_path(search, "python3", path_variable);
        add_from_path(search, "python", path_variable);
    } else {
        add_from_path(search, wanted, path_variable);
    }
    return search;
}

/// The facts as JSON, or nothing, with the reason added to the failures.
std::optional<Json> ask(const fs::path& program, std::vector<std::string>& failures) {
    Launch launch;
    launch.argv = {
        program.string(),
        "-E",
        "-s",
        "-S",
        "-c",
        std::string(resource("src/build/interpreter_facts.py").value())
    };
    launch.env = current_environment();  // shims need their own variables
    launch.timeout = std::chrono::seconds(30);
    const auto identity = answers::identity_of(program);
    const auto question = "interpreter\n" + identity.value_or("") + "\n" + launch.argv.back();
    if (const auto known = identity ? answers::recall(question) : std::nullopt) {
        if (auto facts = parse_json(*known); facts && facts->is_object()) {
            return *std::move(facts);
        }
    }
    std::string reason;
    try {
        const ProcessResult result = run(launch);
        if (result.exit_code == 0) {
            if (auto facts = parse_json(result.out); facts && facts->is_object()) {
                if (identity) {
                    answers::remember(question, result.out);
                }
                return *std::move(facts);
            }
            reason = "does not answer as a Python does";
        } else {
            const auto said = lines(trim(result.err));
            reason = said.empty() ? "exit status " + std::to_string(result.exit_code)
                                  : printable(said.front());
        }
    } catch (const Error& error) {
        reason = error.message();
    }
    failures.push_back(program.string() + ": " + reason);
    return std::nullopt;
}

/// "3.12" accepts 3.12.1; "3.1" does not.
bool has_series(const Json& facts, std::string_view series) {
    const bool free_threaded = series.ends_with('t');
    const auto digits = series.substr(0, series.size() - (free_threaded ? 1 : 0));
    const auto version = facts.at("version").get<std::string>();
    return facts.at("free_threaded").get<bool>() == free_threaded && version.starts_with(digits)
           && (version.size() == digits.size()
               || version.find_first_of("0123456789", digits.size()) != digits.size());
}

[[noreturn]] void refuse(const fs::path& program, const std::string& why) {
    throw Error(ExitCode::usage, "python-unsupported", program.string() + " is " + why)
        .advise("CPython 3.8 or newer on Linux with glibc is needed; name one with --python");
}

/// "glibc 2.36" -> {2, 36}
std::optional<std::pair<int, int>> parse_glibc(std::string_view text) {
    constexpr std::string_view prefix = "glibc ";
    if (!text.starts_with(prefix)) {
        return std::nullopt;
    }
    std::pair<int, int> version;
    const char* const end = text.data() + text.size();
    const auto major = std::from_chars(text.data() + prefix.size(), end, version.first);
    if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') {
        return std::nullopt;
    }
    const auto minor = std::from_chars(major.ptr + 1, end, version.second);
    return minor.ec == std::errc() ? std::optional(version) : std::nullopt;
}

pep::Target target_of(const fs::path& program, const Json& facts) {
    const auto implementation = facts.at("implementation").get<std::string>();
    const auto version_text = facts.at("version").get<std::string>();
    if (implementation != "CPython") {
        refuse(program, printable(implementation) + ", not CPython");
    }
    const auto version = pep::Version::parse(version_text);
    const auto series = facts.at("series").get<std::pair<int, int>>();
    if (!version || series < std::pair(3, 8)) {
        refuse(program, "Python " + printable(version_text) + ", older than 3.8");
    }
    const auto glibc = parse_glibc(facts.at("libc").get<std::string>());
    if (!glibc || facts.at("system") != "linux") {
        refuse(program, "not built for Linux with glibc");
    }
    return pep::cpython_linux_target(
        *version,
        facts.at("machine").get<std::string>(),
        glibc->first,
        glibc->second,
        facts.at("free_threaded").get<bool>()
    );
}

std::string digest_of(const Json& facts) {
    Hasher hasher;
    for (const Json& line : facts.at("identity")) {
        hasher.update(line.get_ref<const std::string&>());
        hasher.update("\n");
    }
    return hasher.finish();
}

Interpreter interpreter_of(const fs::path& program, const Json& facts) {
    Interpreter interpreter;
    interpreter.target = target_of(program, facts);
    interpreter.executable = facts.at("executable").get<std::string>();
    interpreter.base_prefix = facts.at("base_prefix").get<std::string>();
    interpreter.stdlib = facts.at("stdlib").get<std::string>();
    interpreter.include = facts.at("include").get<std::string>();
    interpreter.has_headers = fs::exists(interpreter.include / "Python.h");
    interpreter.digest = digest_of(facts);
    const auto series = facts.at("series").get<std::pair<int, int>>();
    interpreter.site_packages = "lib/python" + std::to_string(series.first) + '.'
                                + std::to_string(series.second)
                                + (interpreter.target.free_threaded ? "t" : "") + "/site-packages";
    return interpreter;
}

[[noreturn]] void not_found(const std::string& wanted, const Search& search) {
    const std::string what = wanted.empty() ? "python3" : wanted;
    const bool is_path = wanted.find('/') != std::string::npos;
    Error error(
        ExitCode::usage,
        "python-not-found",
        is_path                 ? printable(what) + " is no Python that starts"
        : search.series.empty() ? "no " + printable(what) + " on PATH"
                                : "no Python " + printable(what) + " on PATH"
    );
    for (const std::string& failure : search.failures) {
        error.advise("tried " + failure);
    }
    error.advise(
        search.series.empty()
            ? "install one (apt-get install python3) or name one with --python PATH"
            : "install it or name it with --python PATH"
    );
    throw Error(error);
}

}  // namespace

Interpreter probe_interpreter(const std::string& wanted, const std::string& path_variable) {
    Search search = search_for(wanted, path_variable);
    for (const fs::path& candidate : search.candidates) {
        const auto facts = ask(candidate, search.failures);
        if (!facts) {
            continue;
        }
        try {
            if (search.series.empty() || has_series(*facts, search.series)) {
                return interpreter_of(candidate, *facts);
            }
            search.failures.push_back(
                candidate.string() + ": is " + printable(facts->at("version").get<std::string>())
            );
        } catch (const Json::exception&) {
            search.failures.push_back(candidate.string() + ": does not answer as a Python does");
        }
    }
    not_found(wanted, search);
}

std::vector<fs::path> roots_of(const Interpreter& interpreter) {
    std::vector<fs::path> roots = {interpreter.executable, interpreter.stdlib, interpreter.include};
    if (interpreter.base_prefix != "/") {  // would show everything
        roots.insert(roots.begin(), interpreter.base_prefix);
    }
    return roots;
}

}  // namespace wheelforge::build
