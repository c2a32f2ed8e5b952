// SPDX-License-Identifier: Apache-2.0
#include "build/crates.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelforge::build {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes patience{20};

/// What cargo says when a registry or a git host is at fault, not the package.
constexpr std::array unreachable = {
    "failed to download",
    "failed to fetch",
    "failed to get successful HTTP response",
    "failed to query replaced source",
    "unable to update registry",
    "Unable to update registry",
    "attempting to make an HTTP request",
    "Could not resolve",
    "without --offline",
    "offline mode",
};

constexpr std::array mismatched = {
    "checksum for",
    "failed to verify the checksum",
    "unable to verify that",
};

template <std::size_t Count>
bool has_any(const std::array<const char*, Count>& texts, std::string_view said) {
    return std::any_of(texts.begin(), texts.end(), [&](const char* text) {
        return said.find(text) != std::string_view::npos;
    });
}

/// cargo's own words from "error:" on, on one line.
std::string complaint(std::string_view said) {
    const auto start = said.find("error:");
    std::string text;
    for (const auto line : lines(start == std::string_view::npos ? said : said.substr(start))) {
        const auto part = trim(line);
        if (!part.empty() && part != "Caused by:") {
            text += (text.empty() ? "" : "; ") + std::string(part);
        }
    }
    constexpr std::size_t shown = 600;
    return printable(text.substr(0, shown));
}

Error failure_of(const std::string& said) {
    if (has_any(mismatched, said)) {
        return Error{ExitCode::refused, "crate-mismatch", complaint(said)}.advise(
            "a crate is not what Cargo.lock says: do not build it before you know why"
        );
    }
    if (has_any(unreachable, said)) {
        return Error{ExitCode::surroundings, "crates-unavailable", complaint(said)}.advise(
            "try `cargo fetch` by hand: registries and proxies are taken from your cargo's "
            "config.toml and CARGO_* variables"
        );
    }
    return {ExitCode::build_failed, "cargo-failed", complaint(said)};
}

std::string run_cargo(
    const CrateRequest& request, std::vector<std::string> arguments, const std::stop_token& stop
) {
    Launch launch;
    launch.argv = {request.toolchain.cargo.string()};
    launch.argv.insert(launch.argv.end(), arguments.begin(), arguments.end());
    launch.env = request.callers;
    launch.env["RUSTC"] = request.toolchain.rustc.string();
    launch.env["CARGO_TERM_COLOR"] = "never";
    launch.env["CARGO_TERM_PROGRESS_WHEN"] = "never";
    if (request.offline) {
        launch.env["CARGO_NET_OFFLINE"] = "true";
    }
    launch.cwd = "/";
    launch.timeout = patience;
    const ProcessResult result = run(launch, stop);
    if (result.timed_out) {
        throw Error(
            ExitCode::surroundings,
            "crates-unavailable",
            "cargo did not end within " + std::to_string(patience.count()) + " min"
        );
    }
    if (result.exit_code != 0) {
        throw failure_of(result.err);
    }
    return result.out;
}

}  // namespace

fs::path lock_crates(const CrateRequest& request, std::stop_token stop) {
    const auto& manifest = request.manifests.front();
    Environment environment = request.callers;
    environment["CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS"] = "fallback";
    const CrateRequest with_fallback{
        request.toolchain, environment, request.offline, request.manifests
    };
    static_cast<void>(
        run_cargo(with_fallback, {"generate-lockfile", "--manifest-path", manifest.string()}, stop)
    );
    // Of a member of a workspace the lock stands beside the workspace's manifest.
    auto folder = manifest.parent_path();
    std::error_code error;
    while (folder.has_relative_path() && !fs::exists(folder / "Cargo.lock", error)) {
        folder = folder.parent_path();
    }
    return folder / "Cargo.lock";
}

std::string vendor_crates(
    const CrateRequest& request,
    const fs::path& folder,
    const fs::path& inside,
    std::stop_token stop
) {
    std::vector<std::string> arguments = {
        "vendor", "--locked", "--versioned-dirs", "--respect-source-config", "--manifest-path"
    };
    for (const auto& manifest : request.manifests) {
        if (manifest != request.manifests.front()) {
            arguments.emplace_back("--sync");
        }
        arguments.push_back(manifest.string());
    }
    arguments.push_back(folder.string());
    const auto config = run_cargo(request, std::move(arguments), stop);
    return replace_all(config, folder.string(), inside.string());
}

}  // namespace wheelforge::build
