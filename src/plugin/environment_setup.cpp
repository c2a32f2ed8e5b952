// SPDX-License-Identifier: Apache-2.0
#include "plugin/environment_setup.hpp"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "build/tree_copy.hpp"

namespace wheelforge::plugin {
namespace {

using Commands = std::vector<std::vector<std::string>>;

/// Those whose program is part of the environment.
Commands applicable(const Mount& environment, const Commands& commands) {
    Commands found;
    std::copy_if(
        commands.begin(),
        commands.end(),
        std::back_inserter(found),
        [&](const auto& command) {
            return std::any_of(
                environment.from.begin(),
                environment.from.end(),
                [&](const fs::path& root) {
                    std::error_code error;
                    return fs::exists(root / "bin" / command.front(), error);
                }
            );
        }
    );
    return found;
}

void run_all(const Mount& environment, const Commands& commands, const RunWith& run_with) {
    for (const auto& command : commands) {
        const auto result = run_with(environment, command);
        if (result.exit_code != 0) {
            throw Error(
                ExitCode::build_failed,
                "setup-failed",
                fmt::format("setup: '{}' ended with {}", join(command, " "), result.exit_code)
            )
                .advise("see the log; the command stands under `setup` of the variant");
        }
    }
}

std::string key_of(const Mount& environment, const Commands& commands, const std::string& place) {
    std::string text = "setup-1\n" + place + "\n" + environment.inside.string() + "\n";
    for (const auto& root : environment.from) {
        text += root.string() + "\n";  // named after their contents
    }
    for (const auto& command : commands) {
        for (const auto& word : command) {
            text += word + '\0';
        }
        text += "\n";
    }
    return sha256(text);
}

std::string list_of(const fs::path& root) {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (!fs::is_directory(entry.symlink_status()) && entry.path().extension() != ".pyc") {
            files.push_back(entry.path().lexically_relative(root).string());
        }
    }
    std::sort(files.begin(), files.end());
    return join(files, "\n");
}

}  // namespace

Mount set_up(const Mount& environment, const SetupRequest& request, const RunWith& run_with) {
    const auto commands = applicable(environment, request.commands);
    if (commands.empty()) {
        return environment;
    }
    if (environment.kind == Mount::Kind::read_write) {
        run_all(environment, commands, run_with);
        return environment;
    }
    const auto key = key_of(environment, commands, request.place);
    const fs::path target = request.trees / "trees" / key;
    make_directories(request.trees / "locks");
    const auto lock = FileLock::acquire(request.trees / "locks" / key, FileLock::Wait::yes);
    if (::utimensat(AT_FDCWD, target.c_str(), nullptr, 0) != 0) {
        TempDir staging(request.trees / "staging", key.substr(0, 16) + "-");
        const auto root = staging.path() / "root";
        for (const auto& layer : environment.from) {
            build::copy_tree(layer, root);
        }
        run_all({Mount::Kind::read_write, {root}, environment.inside}, commands, run_with);
        write_file(staging.path() / "files", list_of(root));
        ::chmod(staging.path().c_str(), 0755);
        make_directories(target.parent_path());
        publish_directory(staging.release(), target);
    }
    return {Mount::Kind::overlay, {target / "root"}, environment.inside};
}

}  // namespace wheelforge::plugin
