// SPDX-License-Identifier: Apache-2.0
#include "engine/host.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <gnu/libc-version.h>
#include <regex>
#include <sched.h>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <fmt/core.h>

#include "base/answers.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/process.hpp"
#include "base/text.hpp"

namespace wheelforge::engine {
namespace {

std::optional<std::uint64_t> number_in(const fs::path& path) {
    const auto text = read_file_if_there(path, 4096);
    if (!text || text->empty() || (*text)[0] < '0' || (*text)[0] > '9') {
        return std::nullopt;  // absent, or "max"
    }
    return std::strtoull(text->c_str(), nullptr, 10);
}

/// The folder of our cgroup for a controller: v2 ("0::/path") or v1 ("4:memory:/path").
fs::path cgroup_folder(std::string_view controller) {
    const auto text = read_file_if_there("/proc/self/cgroup").value_or("");
    fs::path unified = "/sys/fs/cgroup";
    for (const auto line : lines(text)) {
        const auto parts = split(line, ':');
        if (parts.size() < 3) {
            continue;
        }
        const auto relative = std::string(parts[2]).substr(1);
        if (parts[1].empty()) {
            unified = fs::path("/sys/fs/cgroup") / relative;
        } else if (parts[1].find(controller) != std::string_view::npos) {
            const auto folder = fs::path("/sys/fs/cgroup") / controller / relative;
            // In a container the path of the host does not exist below its own mount.
            return fs::exists(folder) ? folder : fs::path("/sys/fs/cgroup") / controller;
        }
    }
    return fs::exists(unified) ? unified : fs::path("/sys/fs/cgroup");
}

std::optional<double> cpu_quota() {
    const auto folder = cgroup_folder("cpu");
    if (const auto text = read_file_if_there(folder / "cpu.max", 4096)) {
        std::istringstream stream(*text);
        double quota = 0;
        double period = 0;
        if (stream >> quota >> period && period > 0) {
            return quota / period;
        }
        return std::nullopt;
    }
    const auto quota = number_in(folder / "cpu.cfs_quota_us");
    const auto period = number_in(folder / "cpu.cfs_period_us");
    if (quota && period && *period > 0) {
        return static_cast<double>(*quota) / static_cast<double>(*period);
    }
    return std::nullopt;
}

std::uint64_t memory_available_now() {
    const auto text = read_file_if_there("/proc/meminfo").value_or("");
    for (const auto line : lines(text)) {
        if (line.starts_with("MemAvailable:")) {
            return std::strtoull(std::string(line.substr(13)).c_str(), nullptr, 10) * 1024;
        }
    }
    return 0;
}

constexpr const char* build_programs[] = {"cc",         "c++",     "gcc",   "g++",   "clang",
                                          "clang++",    "cpp",     "ld",    "as",    "ar",
                                          "make",       "cmake",   "ninja", "meson", "gfortran",
                                          "rustc",      "cargo",   "swig",  "nvcc",  "hipcc",
                                          "pkg-config", "patchelf"};

std::string program_digest(const store::Store& store, const fs::path& program) {
    struct stat status {};
    const auto real = fs::canonical(program);
    if (::stat(real.c_str(), &status) != 0) {
        return "unreadable";
    }
    const auto identity = sha256(fmt::format(
        "{} {} {}.{} {}",
        real.string(),
        status.st_size,
        status.st_mtim.tv_sec,
        status.st_mtim.tv_nsec,
        status.st_ino
    ));
    if (const auto known = store.recall("program-digest-1", identity)) {
        return std::string(trim(*known)).substr(1, 64);
    }
    const auto digest = sha256_file(real);
    store.remember("program-digest-1", identity, "\"" + digest + "\"\n");
    return digest;
}

std::string os_id() {
    std::string id;
    std::string version;
    const auto text = read_file_if_there("/etc/os-release").value_or("");
    for (const auto line : lines(text)) {
        if (line.starts_with("ID=")) {
            id = trim(line.substr(3));
        } else if (line.starts_with("VERSION_ID=")) {
            version = trim(line.substr(11));
        }
    }
    std::erase(version, '"');
    std::erase(id, '"');
    return id + " " + version;
}

std::optional<pep::Version> ask_version(const config::SystemTool& tool, const std::string& path) {
    const auto program = find_program(tool.program, path);
    const auto identity = program ? answers::identity_of(*program) : std::nullopt;
    const auto question =
        "version\n" + identity.value_or("") + "\n" + join(tool.version_command, "\n");
    Launch launch;
    launch.argv = tool.version_command;
    launch.env = {{"PATH", path}, {"LC_ALL", "C"}};
    launch.cwd = "/";
    launch.timeout = std::chrono::seconds(10);
    const auto known = identity ? answers::recall(question) : std::nullopt;
    ProcessResult result;
    if (known) {
        result.out = *known;
    } else {
        result = run(launch);
    }
    if (identity && !known && result.exit_code == 0) {
        answers::remember(question, result.out);
    }
    std::smatch match;
    if (result.exit_code != 0
        || !std::regex_search(result.out, match, std::regex(tool.version_pattern))
        || match.size() < 2) {
        return std::nullopt;
    }
    auto version = pep::Version::parse(match[1].str());
    return version ? std::optional(std::move(*version)) : std::nullopt;
}

}  // namespace

unsigned available_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    unsigned cores = 1;
    if (::sched_getaffinity(0, sizeof set, &set) == 0) {
        cores = static_cast<unsigned>(CPU_COUNT(&set));
    }
    if (const auto quota = cpu_quota()) {
        cores = std::min(cores, static_cast<unsigned>(std::max(1.0, std::floor(*quota))));
    }
    return std::max(1U, cores);
}

std::uint64_t available_memory() {
    std::uint64_t bytes = memory_available_now();
    const auto folder = cgroup_folder("memory");
    for (const auto* name : {"memory.max", "memory.limit_in_bytes"}) {
        if (const auto limit = number_in(folder / name)) {
            bytes = bytes == 0 ? *limit : std::min(bytes, *limit);
        }
    }
    return bytes;
}

std::vector<std::string>
host_inputs(const store::Store& store, const std::string& path, const std::string& sandbox_class) {
    std::vector<std::string> facts = {
        "os " + os_id(),
        std::string("libc glibc ") + ::gnu_get_libc_version(),
        "sandbox " + sandbox_class,
    };
    for (const auto* name : build_programs) {
        if (const auto program = find_program(name, path)) {
            facts.push_back(std::string("program ") + name + " " + program_digest(store, *program));
        }
    }
    return facts;
}

std::vector<InstalledTool>
find_installed_tools(const std::vector<config::SystemTool>& tools, const std::string& path) {
    std::vector<InstalledTool> found;
    for (const auto& tool : tools) {
        if (!find_program(tool.program, path)) {
            continue;
        }
        if (auto version = ask_version(tool, path)) {
            found.push_back({tool.requirement, std::move(*version), tool.program});
        }
    }
    return found;
}

std::vector<std::string> system_libraries() {
    std::set<std::string> names;
    for (const auto* folder :
         {"/lib",
          "/usr/lib",
          "/lib64",
          "/usr/lib64",
          "/lib/x86_64-linux-gnu",
          "/usr/lib/x86_64-linux-gnu",
          "/lib/aarch64-linux-gnu",
          "/usr/lib/aarch64-linux-gnu",
          "/usr/local/lib"}) {
        std::error_code absent;
        for (const auto& entry : fs::directory_iterator(folder, absent)) {
            auto name = entry.path().filename().string();
            if (name.find(".so") != std::string::npos) {
                names.insert(std::move(name));
            }
        }
    }
    return {names.begin(), names.end()};
}

std::optional<std::string> system_packages_digest() {
    static const std::optional<std::string> digest = []() -> std::optional<std::string> {
        const auto status = read_file_if_there("/var/lib/dpkg/status", 256U << 20U);
        if (!status) {
            return std::nullopt;
        }
        std::vector<std::string> packages;
        std::string current;
        for (const auto line : lines(*status)) {
            if (line.starts_with("Package: ")) {
                current = line.substr(9);
            } else if (line.starts_with("Version: ")) {
                packages.push_back(current + " " + std::string(line.substr(9)));
            }
        }
        std::sort(packages.begin(), packages.end());
        return sha256(join(packages, "\n"));
    }();
    return digest;
}

pep::Target host_target(const pep::Version& python) {
    utsname system{};
    ::uname(&system);
    int major = 2;
    int minor = 0;
    const std::string libc = ::gnu_get_libc_version();
    const auto dot = libc.find('.');
    if (dot != std::string::npos) {
        std::from_chars(libc.data(), libc.data() + dot, major);
        std::from_chars(libc.data() + dot + 1, libc.data() + libc.size(), minor);
    }
    return pep::cpython_linux_target(python, system.machine, major, minor);
}

}  // namespace wheelforge::engine
