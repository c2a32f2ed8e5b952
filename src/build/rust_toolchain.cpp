// SPDX-License-Identifier: Apache-2.0
#include "build/rust_toolchain.hpp"

#include <chrono>
#include <system_error>

#include "base/answers.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelforge::build {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> ask(const Environment& callers, std::vector<std::string> argv) {
    Launch launch;
    launch.argv = std::move(argv);
    launch.env = callers;
    launch.env["RUSTUP_AUTO_INSTALL"] = "0";  // to look is not to download
    launch.cwd = "/";  // no rust-toolchain.toml of the folder we happen to stand in
    launch.timeout = std::chrono::seconds(30);
    try {
        const ProcessResult result = run(launch);
        return result.exit_code == 0 ? std::optional(std::string(trim(result.out))) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// "key: value" of `rustc -vV`.
std::string field(std::string_view answer, std::string_view key) {
    for (const auto line : lines(answer)) {
        if (line.starts_with(key) && line.substr(key.size()).starts_with(": ")) {
            return std::string(trim(line.substr(key.size() + 2)));
        }
    }
    return "";
}

/// The answer of a real compiler depends on its file only.
std::optional<std::string> version_of(const Environment& callers, const fs::path& rustc) {
    const auto identity = answers::identity_of(rustc);
    const auto question = "rustc -vV\n" + identity.value_or("");
    if (auto known = identity ? answers::recall(question) : std::nullopt) {
        return known;
    }
    auto answer = ask(callers, {rustc.string(), "-vV"});
    if (answer && identity) {
        answers::remember(question, *answer);
    }
    return answer;
}

/// cargo of the same toolchain, else the one on PATH if it is no proxy.
std::optional<fs::path> cargo_of(const fs::path& root, const std::string& path_variable) {
    std::error_code error;
    if (const fs::path beside = root / "bin" / "cargo"; fs::exists(beside, error)) {
        return beside;
    }
    const auto found = find_program("cargo", path_variable);
    const auto real = found ? fs::canonical(*found, error) : fs::path();
    return real.filename() == "cargo" ? std::optional(real) : std::nullopt;
}

}  // namespace

std::optional<RustToolchain> find_rust_toolchain(const Environment& callers) {
    const auto path = callers.find("PATH");
    const auto path_variable = path == callers.end() ? "/usr/local/bin:/usr/bin" : path->second;
    const auto found = find_program("rustc", path_variable);
    const auto root = found ? ask(callers, {found->string(), "--print", "sysroot"}) : std::nullopt;
    const auto cargo = root ? cargo_of(*root, path_variable) : std::nullopt;
    if (!cargo) {
        return std::nullopt;
    }
    std::error_code error;
    const fs::path inner = fs::path(*root) / "bin" / "rustc";
    const fs::path rustc = fs::exists(inner, error) ? inner : *found;
    const auto answer = version_of(callers, rustc);
    const auto release = answer ? field(*answer, "release") : std::string();
    auto version = pep::Version::parse(release.substr(0, release.find('-')));
    if (!version) {
        return std::nullopt;
    }
    return RustToolchain{
        *cargo,
        rustc,
        *root,
        std::move(*version),
        release + " " + field(*answer, "commit-hash") + " " + field(*answer, "host"),
    };
}

}  // namespace wheelforge::build
