// SPDX-License-Identifier: Apache-2.0
// What every variant needs: Python and its headers, isolation, room, an index, git.
#include <future>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/http.hpp"
#include "base/text.hpp"
#include "engine/doctor.hpp"
#include "engine/host.hpp"
#include "engine/session.hpp"

namespace wheelforge::engine {
namespace {

constexpr std::uint64_t gibibyte = 1ULL << 30U;
/// Less is too little for a stack with PyTorch in it; small packages still build.
constexpr std::uint64_t little_memory = 8 * gibibyte;
constexpr std::uint64_t little_disk = 20 * gibibyte;

std::vector<Diagnosis> python_rows(const DoctorQuestion& question) {
    if (!question.interpreter) {
        return {
            {"python",
             "interpreter",
             Health::missing,
             question.no_interpreter,
             question.no_interpreter_mend}
        };
    }
    const auto& python = *question.interpreter;
    std::vector<Diagnosis> rows = {
        {"python",
         "interpreter",
         Health::ok,
         fmt::format("{} for {}", python.executable.string(), question.here.host_architecture),
         {}}
    };
    if (python.has_headers) {
        rows.push_back({"python", "Python.h", Health::ok, python.include.string(), {}});
    } else {
        rows.push_back(
            {"python",
             "Python.h",
             Health::missing,
             "not in " + python.include.string(),
             {"apt-get install python3-dev", "dnf install python3-devel"}}
        );
    }
    return rows;
}

Diagnosis sandbox_row(const DoctorQuestion& question) {
    const auto& sandbox = question.sandbox;
    const bool best = sandbox.level == build::SandboxLevel::namespaces && sandbox.reason.empty();
    if (best) {
        return {"machine", "sandbox", Health::ok, "bubblewrap, no network", {}};
    }
    return {
        "machine",
        "sandbox",
        Health::note,
        "builds run with less isolation: " + sandbox.reason,
        {"apt-get install bubblewrap",
         "dnf install bubblewrap",
         "in a container: run it with --security-opt seccomp=unconfined, or as root"}
    };
}

Diagnosis disk_row(const char* what, const fs::path& folder) {
    fs::path there = folder;
    std::error_code error;
    while (!fs::exists(there, error) && there.has_relative_path()) {
        there = there.parent_path();
    }
    const auto space = fs::space(there, error);
    if (error) {
        return {"machine", what, Health::note, folder.string() + ": " + error.message(), {}};
    }
    Diagnosis row{
        "machine",
        what,
        Health::ok,
        fmt::format("{} free for {}", human_bytes(space.available), folder.string()),
        {}
    };
    if (space.available < little_disk) {
        row.health = space.available < gibibyte ? Health::missing : Health::note;
        row.mend = {"choose another place: --cache-dir DIR, -o DIR"};
    }
    return row;
}

Diagnosis memory_row() {
    const auto memory = available_memory();
    Diagnosis row{
        "machine",
        "memory",
        memory < little_memory ? Health::note : Health::ok,
        fmt::format("{} for {} cores", human_bytes(memory), available_cores()),
        {}
    };
    if (row.health == Health::note) {
        row.mend = {"fewer builds at once: -j 1"};
    }
    return row;
}

Diagnosis
tool_row(const char* program, Health when_absent, const char* why, std::vector<std::string> mend) {
    if (const auto path = find_program(program, system_path)) {
        return {"machine", program, Health::ok, path->string(), {}};
    }
    return {"machine", program, when_absent, std::string("not there; ") + why, std::move(mend)};
}

/// Asks the first index for its head, within a second.
Diagnosis index_row(const DoctorQuestion& question) {
    const auto& settings = question.index;
    if (settings.no_index || settings.index_urls.empty()) {
        return {"index", "index", Health::note, "none: --no-index or no URL is configured", {}};
    }
    const auto& url = settings.index_urls.front();
    Diagnosis row{"index", "index", Health::ok, masked_url(url), {}};
    if (settings.offline || !url.starts_with("http")) {
        return row;
    }
    try {
        auto http = settings.http;
        http.timeout = std::chrono::seconds(1);
        http.retries = 0;
        HttpClient client(http);
        HttpRequest request;
        request.url = url + (url.ends_with('/') ? "pip/" : "/pip/");
        request.wants_body = [](const HttpResponse&) { return false; };
        const auto response = client.get(std::move(request));
        if (response.status >= 400 && response.status != 404) {
            row.health = Health::missing;
            row.found += fmt::format(" answers {}", response.status);
        }
    } catch (const Error& error) {
        row.health = Health::missing;
        row.found += ": " + error.message();
    }
    if (row.health != Health::ok) {
        row.mend = {"pip config set global.index-url URL, or --index-url URL"};
    }
    return row;
}

}  // namespace

std::vector<Diagnosis> examine_machine(const DoctorQuestion& question) {
    auto index = std::async(std::launch::async, [&] { return index_row(question); });
    auto rows = python_rows(question);
    rows.push_back(tool_row(
        "cc",
        Health::missing,
        "no package with C sources can be built",
        {"apt-get install gcc", "dnf install gcc"}
    ));
    rows.push_back(tool_row(
        "git",
        Health::note,
        "sources from repositories cannot be fetched",
        {"apt-get install git", "dnf install git"}
    ));
    rows.push_back(tool_row(
        "cargo",
        Health::note,
        "packages with Rust sources cannot be built",
        {"apt-get install cargo", "dnf install cargo"}
    ));
    rows.push_back(sandbox_row(question));
    rows.push_back(memory_row());
    rows.push_back(disk_row("cache", question.cache));
    rows.push_back(disk_row("output", question.output));
    rows.push_back(index.get());
    return rows;
}

}  // namespace wheelforge::engine
