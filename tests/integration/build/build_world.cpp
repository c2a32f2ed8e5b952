// SPDX-License-Identifier: Apache-2.0
#include "build_world.hpp"

#include <cstdlib>

#include "base/text.hpp"
#include "base/zip.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::build {
namespace {

std::string record_of(const Files& members, const std::string& info) {
    std::string text;
    for (const auto& [name, content] : members) {
        text += name + ",,\n";
    }
    return text + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n";
}

}  // namespace

const Interpreter& test_interpreter() {
    static const Interpreter interpreter = probe_interpreter("", std::getenv("PATH"));
    return interpreter;
}

const SandboxProbe& best_sandbox() {
    static const SandboxProbe probe = probe_sandbox();
    return probe;
}

InstalledWheel
make_wheel(const fs::path& folder, const std::string& name, const Files& members, bool executable) {
    const std::string info = name + "-1.0.dist-info/";
    const fs::path path = folder / (name + "-1.0-py3-none-any.whl");
    make_directories(folder);
    ZipWriter zip(path);
    for (const auto& [member, content] : members) {
        zip.add(member, content, executable ? 0755 : 0644);
    }
    zip.add(info + "METADATA", "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0\n");
    zip.add(
        info + "WHEEL",
        "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    );
    zip.add(info + "RECORD", record_of(members, info));
    zip.commit();
    return {path, wheel::payload_digest(wheel::WheelFile(path))};
}

std::string way_name(const ::testing::TestParamInfo<Way>& info) {
    switch (info.param) {
    case Way::overlay:
        return "overlay";
    case Way::copies:
        return "copies";
    case Way::none:
        break;
    }
    return "none";
}

std::optional<SandboxProbe> sandbox_for(Way way) {
    SandboxProbe probe = best_sandbox();
    if (way == Way::none) {
        return SandboxProbe{SandboxLevel::none, false, "a test"};
    }
    if (probe.level == SandboxLevel::none || (way == Way::overlay && !probe.overlay)) {
        return std::nullopt;
    }
    probe.overlay = way == Way::overlay;
    return probe;
}

BuildWorld::BuildWorld(SandboxProbe sandbox)
    : root_(fs::temp_directory_path(), "wheelforge-build-"), sandbox_(std::move(sandbox)),
      paths_(build_paths(sandbox_.level, scratch())), cache_(root() / "trees", test_interpreter()) {
    make_directories(scratch());
    fs::copy(
        fs::path(WHEELFORGE_SOURCE_DIR) / "tests/fixtures/build/project",
        source(),
        fs::copy_options::recursive
    );
}

Launch BuildWorld::launch() {
    Launch launch;
    launch.env = base_environment({}, paths_, {});
    launch.cwd = paths_.source;
    launch.log = log();
    launch.mounts = build_mounts(sandbox_, scratch(), roots_of(test_interpreter()));
    launch.mounts.push_back(provide_environment(cache_, wheels_, sandbox_, paths_, scratch()));
    launch.mounts.push_back(provide_runner(paths_, scratch()));
    return launch;
}

HookSession BuildWorld::session(
    std::map<std::string, std::vector<std::string>> settings, std::stop_token stop
) {
    HookSessionRequest request;
    request.base = launch();
    request.python = paths_.environment / "bin" / "python";
    request.runner = paths_.runner / "hook_runner.py";
    request.build_system.backend = "tiny_backend:hooks";
    request.build_system.backend_path = {"backend"};
    request.config_settings = std::move(settings);
    request.sandbox = sandbox_;
    request.scratch = scratch();
    return HookSession(std::move(request), std::move(stop));
}

HookResult<std::string> BuildWorld::build(
    const std::string& deed, std::map<std::string, std::vector<std::string>> settings
) {
    settings["do"] = {deed};
    return session(std::move(settings)).build_wheel(paths_.output);
}

std::map<std::string, std::string> BuildWorld::report() const {
    std::map<std::string, std::string> report;
    const std::string text = read_file_if_there(source() / "report.txt").value_or("");
    for (const auto line : lines(text)) {
        const auto colon = line.find(": ");
        report[std::string(line.substr(0, colon))] =
            colon == std::string_view::npos ? "" : line.substr(colon + 2);
    }
    return report;
}

void EveryWay::SetUp() {
    auto sandbox = sandbox_for(GetParam());
    if (!sandbox) {
        GTEST_SKIP() << best_sandbox().reason;
    }
    world_ = std::make_unique<BuildWorld>(*std::move(sandbox));
}

}  // namespace wheelforge::build
