// SPDX-License-Identifier: Apache-2.0
#include "plugin/hipify.hpp"

#include <map>

#include <fmt/core.h>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

namespace wheelforge::plugin {
namespace {

using Digests = std::map<std::string, std::string>;

/// Of all regular files below the tree; links are not followed.
Digests digests_of(const fs::path& tree) {
    Digests digests;
    for (const auto& entry : fs::recursive_directory_iterator(tree)) {
        if (entry.symlink_status().type() == fs::file_type::regular
            && entry.path().extension() != ".pyc") {
            digests[entry.path().lexically_relative(tree).string()] = sha256_file(entry.path());
        }
    }
    return digests;
}

std::vector<TranslatedFile> changed(const Digests& before, const Digests& after) {
    std::vector<TranslatedFile> files;
    for (const auto& [path, digest] : after) {
        const auto old = before.find(path);
        if (old == before.end() || old->second != digest) {
            files.push_back({path, digest});
        }
    }
    return files;
}

BuildFailure failure(const char* id, std::string message, int exit_code = 0) {
    BuildFailure failed;
    failed.hook = "hipify";
    failed.id = id;
    failed.message = std::move(message);
    failed.exit_code = exit_code;
    return failed;
}

}  // namespace

std::variant<std::vector<TranslatedFile>, BuildFailure>
hipify(const std::vector<std::string>& command, const fs::path& tree, const RunInside& run_inside) {
    const auto before = digests_of(tree);
    auto after = before;
    for (int pass = 1; pass <= 2; ++pass) {
        const auto result = run_inside(command);
        if (result.exit_code != 0) {
            return failure(
                "hipify-failed",
                fmt::format("hipify: '{}' ended with {}", join(command, " "), result.exit_code),
                result.exit_code
            );
        }
        auto now = digests_of(tree);
        if (pass == 2 && now != after) {
            return failure(
                "hipify-not-idempotent",
                fmt::format(
                    "hipify: '{}' changed {} again when it ran a second time",
                    join(command, " "),
                    changed(after, now).empty() ? "the tree" : changed(after, now).front().path
                )
            );
        }
        after = std::move(now);
    }
    auto files = changed(before, after);
    if (files.empty()) {
        return failure(
            "hipify-without-effect",
            fmt::format("hipify: '{}' translated nothing", join(command, " "))
        );
    }
    return files;
}

}  // namespace wheelforge::plugin
