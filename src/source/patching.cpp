// SPDX-License-Identifier: Apache-2.0
#include "source/patching.hpp"

#include <fmt/core.h>

#include "base/archive.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/position.hpp"
#include "base/process.hpp"
#include "base/text.hpp"

namespace wheelforge::source {

namespace {

constexpr std::uint64_t largest_pyproject = 16U << 20U;

/// The last lines of what the program printed: there it says which hunk failed.
std::string said(const std::string& output) {
    const auto all = lines(output);
    std::string text;
    for (std::size_t i = all.size() > 6 ? all.size() - 6 : 0; i < all.size(); ++i) {
        text += "\n  " + printable(all[i]);
    }
    return text;
}

void apply_patch(const config::PatchFile& patch, const std::filesystem::path& root) {
    Launch launch;
    launch.argv = {
        "patch",
        "-p1",
        "--batch",
        "--forward",
        "--no-backup-if-mismatch",
        "--input=" + std::filesystem::absolute(patch.path).string()
    };
    launch.env = {{"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"LC_ALL", "C"}};
    launch.cwd = root;
    const auto result = run(launch);
    if (result.exit_code != 0) {
        throw Error{
            ExitCode::build_failed,
            "patch-failed",
            fmt::format("{} does not apply:{}", patch.path, said(result.out + result.err))
        }
            .advise("make the patch anew for this version, or put it into a folder NAME-VERSION of "
                    "the version it is for");
    }
}

}  // namespace

void apply_patches(
    const std::vector<config::PatchFile>& patches, const std::filesystem::path& root
) {
    for (const auto& patch : patches) {
        apply_patch(patch, root);
    }
}

SdistFacts inspect_patched(
    SdistFacts facts,
    const std::filesystem::path& archive,
    const std::vector<config::PatchFile>& patches,
    const std::filesystem::path& scratch,
    const std::string& build_dir
) {
    const auto unpacked = unpack_archive(archive, scratch / "tree");
    apply_patches(patches, unpacked.root);
    const auto file = tree_root(unpacked.root, build_dir) / "pyproject.toml";
    facts.pkg_info.reset();
    facts.pkg_info_text.reset();
    facts.pyproject_text.reset();
    facts.pyproject = {};
    facts.pyproject.build_system = pep::BuildSystem::legacy_default();
    if (std::filesystem::is_regular_file(std::filesystem::symlink_status(file))) {
        auto text = read_file(file, largest_pyproject);
        auto parsed = pep::Pyproject::parse(text);
        if (!parsed) {
            throw Error{
                ExitCode::build_failed,
                "bad-pyproject",
                fmt::format(
                    "pyproject.toml, as patched, at {}: {}",
                    position_in(text, parsed.error().offset),
                    parsed.error().message
                )
            };
        }
        facts.pyproject = std::move(*parsed);
        facts.pyproject_text = std::move(text);
    }
    remove_tree(scratch / "tree");
    return facts;
}

}  // namespace wheelforge::source
