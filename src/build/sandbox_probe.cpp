// SPDX-License-Identifier: Apache-2.0
// What the kernel and the installed programs let us do, found out by doing it.
#include <cstdlib>
#include <optional>
#include <string>
#include <unistd.h>

#include "base/answers.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "build/sandbox.hpp"

namespace wheelforge::build {
namespace {

/// Why it failed; empty when it worked.
std::string try_out(Launch launch, const fs::path& scratch) {
    launch.env = {{"PATH", "/usr/bin:/bin"}};
    launch.timeout = std::chrono::seconds(20);
    launch.capture_limit = 4096;
    for (Mount& mount : system_mounts({})) {
        launch.mounts.push_back(std::move(mount));
    }
    try {
        const auto probe = SandboxProbe{SandboxLevel::namespaces, true, {}};
        const ProcessResult result = run(enclose(std::move(launch), probe, scratch));
        if (result.exit_code == 0) {
            return {};
        }
        const auto said = printable(trim(result.err));
        return said.empty() ? "bwrap ended with status " + std::to_string(result.exit_code) : said;
    } catch (const Error& error) {
        return error.message();
    }
}

std::string try_sandbox(const fs::path& scratch) {
    Launch launch;
    launch.argv = {"true"};
    return try_out(std::move(launch), scratch);
}

/// Shows a file of a lower layer and writes beside it.
std::string try_overlay(const fs::path& scratch) {
    write_file(scratch / "lower" / "shown", "");
    Launch launch;
    launch.argv = {"cp", "/build/env/shown", "/build/env/written"};
    launch.mounts = {{Mount::Kind::overlay, {scratch / "lower"}, "/build/env"}};
    return try_out(std::move(launch), scratch);
}

/// What decides over sandboxes and only changes with it: the booted kernel, its limits, bwrap.
std::optional<std::string> sandbox_question(const fs::path& near) {
    const auto bwrap = find_program("bwrap", "/usr/bin:/bin");
    const auto identity = bwrap ? answers::identity_of(*bwrap) : std::nullopt;
    const auto boot = read_file_if_there("/proc/sys/kernel/random/boot_id");
    if (!identity || !boot) {
        return std::nullopt;
    }
    std::string question = "sandbox\n" + *identity + "\n" + *boot + near.string();
    for (const char* limit :
         {"/proc/sys/user/max_user_namespaces",
          "/proc/sys/user/max_mnt_namespaces",
          "/proc/sys/kernel/unprivileged_userns_clone",
          "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
          "/proc/self/uid_map"}) {
        question += "\n" + read_file_if_there(limit).value_or("absent");
    }
    return question + "\n" + std::to_string(::geteuid());
}

/// Only the best answer is remembered: whatever stood in its way may be mended.
SandboxProbe probe_kernel(const fs::path& near);

SandboxProbe probe_kernel_once(const fs::path& near) {
    const auto question = sandbox_question(near);
    if (question && answers::recall(*question) == "overlay") {
        return {SandboxLevel::namespaces, true, {}};
    }
    auto probe = probe_kernel(near);
    if (question && probe.overlay) {
        answers::remember(*question, "overlay");
    }
    return probe;
}

SandboxProbe probe_kernel(const fs::path& near) {
    const TempDir scratch(near, "sandbox-");
    const std::string overlay_refusal = try_overlay(scratch.path());
    if (overlay_refusal.empty()) {
        return {SandboxLevel::namespaces, true, {}};
    }
    if (const std::string refusal = try_sandbox(scratch.path()); !refusal.empty()) {
        return {SandboxLevel::none, false, "builds are not sandboxed: " + refusal};
    }
    return {
        SandboxLevel::namespaces,
        false,
        "build environments are copied, overlayfs is refused: " + overlay_refusal
    };
}

}  // namespace

SandboxProbe probe_sandbox(const fs::path& near) {
    const char* const variable = std::getenv("WHEELFORGE_SANDBOX");
    const std::string wanted = variable == nullptr ? "" : variable;
    if (wanted == "none") {
        return {SandboxLevel::none, false, "builds are not sandboxed: WHEELFORGE_SANDBOX=none"};
    }
    if (!wanted.empty() && wanted != "bwrap") {
        throw Error(ExitCode::usage, "bad-value", "WHEELFORGE_SANDBOX is " + printable(wanted))
            .advise("set it to bwrap or none, or unset it");
    }
    SandboxProbe probe = probe_kernel_once(near.empty() ? fs::temp_directory_path() : near);
    if (wanted == "bwrap" && probe.level == SandboxLevel::none) {
        throw Error(ExitCode::usage, "sandbox-unavailable", probe.reason)
            .advise("install bubblewrap and allow user namespaces, or set WHEELFORGE_SANDBOX=none");
    }
    return probe;
}

}  // namespace wheelforge::build
