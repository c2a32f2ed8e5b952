// SPDX-License-Identifier: Apache-2.0
#include "source/sdist.hpp"

#include <algorithm>
#include <utility>

#include "base/archive.hpp"
#include "base/archive_rules.hpp"
#include "base/error.hpp"
#include "base/position.hpp"
#include "base/text.hpp"
#include "pep/name.hpp"
#include "source/cargo.hpp"
#include "source/languages.hpp"

namespace wheelforge::source {
namespace {

namespace fs = std::filesystem;
using Requirements = std::vector<pep::Requirement>;

Error identity_error(const std::string& what, std::string_view said, const std::string& expected) {
    return {
        ExitCode::refused,
        "sdist-identity",
        "its PKG-INFO gives the " + what + " \"" + printable(said) + "\", expected was \""
            + expected + "\""
    };
}

/// The project the archive was listed under, and the version.
struct Identity {
    const std::string& name;
    const pep::Version& version;

    void require_name(std::string_view said) const {
        if (pep::normalize_name(said) != pep::normalize_name(name)) {
            throw identity_error("name", said, name);
        }
    }
    void require_version(const pep::Version& said) const {
        if (said != version && said.without_local() != version.without_local()) {
            throw identity_error("version", said.text(), version.text());
        }
    }
};

/// First header of that name in text that Metadata could not read as a whole.
std::optional<std::string_view> find_header(std::string_view text, std::string_view field) {
    for (const auto line : lines(text)) {
        if (trim(line).empty()) {
            return std::nullopt;
        }
        const auto colon = line.find(':');
        if (colon != std::string_view::npos && to_lower(line.substr(0, colon)) == field) {
            return trim(line.substr(colon + 1));
        }
    }
    return std::nullopt;
}

void read_pkg_info(SdistFacts& facts, std::string text, const Identity& identity) {
    if (auto metadata = pep::Metadata::parse(text)) {
        identity.require_name(metadata->name);
        identity.require_version(metadata->version);
        facts.pkg_info = *std::move(metadata);
    } else {
        if (const auto name = find_header(text, "name"); name && !name->empty()) {
            identity.require_name(*name);
        }
        const auto said = find_header(text, "version");
        if (const auto version = pep::Version::parse(said.value_or("")); said && version) {
            identity.require_version(*version);
        }
    }
    facts.pkg_info_text = std::move(text);
}

void read_pyproject(SdistFacts& facts, std::string text, const std::string& member) {
    auto parsed = pep::Pyproject::parse(text);
    if (!parsed) {
        throw Error{
            ExitCode::build_failed,
            "bad-pyproject",
            printable(member) + ":" + position_in(text, parsed.error().offset) + ": "
                + parsed.error().message
        };
    }
    facts.pyproject = *std::move(parsed);
    facts.pyproject_text = std::move(text);
}

/// `build_dir` as a prefix of member names: "" or "a/b/".
std::string prefix_of(const std::string& build_dir) {
    if (build_dir.empty()) {
        return "";
    }
    const auto parts = member_parts(build_dir);
    if (!parts) {
        throw Error{
            ExitCode::usage,
            "bad-build-dir",
            "build_dir \"" + printable(build_dir) + "\" has " + parts.error().message
        };
    }
    return parts->empty() ? "" : join_parts(*parts) + "/";
}

/// Sources with more manifests than this bring whole registries along.
constexpr std::size_t most_manifests = 500;

bool is_cargo_config(std::string_view name) {
    return name == ".cargo/config.toml" || name.ends_with("/.cargo/config.toml");
}

/// Notes what cargo would see of a member; says whether its text is of interest.
bool note_cargo_file(SdistFacts& facts, std::string_view name) {
    const auto base = name.substr(name.rfind('/') + 1);
    if (base == "Cargo.lock" && facts.cargo_locks.size() < most_manifests) {
        facts.cargo_locks.emplace(name);
    }
    return (base == "Cargo.toml" && facts.cargo_manifests.size() < most_manifests)
           || is_cargo_config(name);
}

void read_cargo_file(SdistFacts& facts, const ArchiveMember& member) {
    if (is_cargo_config(member.name)) {
        facts.brings_crates =
            facts.brings_crates || member.content.find("replace-with") != std::string::npos;
    } else {
        facts.cargo_manifests[member.name] = rust_version_of(member.content);
    }
}

bool is_pkg_info(std::string_view name, const std::string& prefix) {
    return name == "PKG-INFO" || name == prefix + "PKG-INFO";
}

/// The name of the member that describes what is built: in build_dir before the root, which then
/// may be of another project (a checkout with several).
const std::string* nearest_pkg_info(const std::vector<ArchiveMember>& members) {
    const std::string* nearest = nullptr;
    for (const ArchiveMember& member : members) {
        const bool is_one = member.name.substr(member.name.rfind('/') + 1) == "PKG-INFO";
        if (is_one && (nearest == nullptr || member.name.size() > nearest->size())) {
            nearest = &member.name;
        }
    }
    return nearest;
}

SdistFacts inspect(const fs::path& archive, const Identity& identity, const std::string& prefix) {
    const std::string pyproject = prefix + "pyproject.toml";
    SdistFacts facts;
    facts.pyproject.build_system = pep::BuildSystem::legacy_default();
    ArchivePeek peek = peek_archive(archive, [&](std::string_view name) {
        facts.has_setup_py = facts.has_setup_py || name == prefix + "setup.py";
        if (const auto language = language_of(name); !language.empty()) {
            facts.languages.emplace(language);
        }
        return note_cargo_file(facts, name) || is_pkg_info(name, prefix) || name == pyproject;
    });
    facts.root = std::move(peek.root);
    require_root(
        facts.root,
        archive.filename().string(),
        {pep::normalize_name(identity.name), identity.version}
    );
    facts.newest_mtime = peek.newest_mtime;
    facts.notices = std::move(peek.notices);
    const std::string* nearest = nearest_pkg_info(peek.members);
    for (ArchiveMember& member : peek.members) {
        if (&member.name == nearest) {
            read_pkg_info(facts, std::move(member.content), identity);
        } else if (member.name == pyproject) {
            read_pyproject(facts, std::move(member.content), pyproject);
        } else if (!is_pkg_info(member.name, prefix)) {
            read_cargo_file(facts, member);
        }
    }
    return facts;
}

/// `requirement`, wanted only with the extra.
pep::Requirement for_extra(pep::Requirement requirement, const std::string& extra) {
    const std::string condition = "extra == \"" + pep::normalize_name(extra) + "\"";
    const std::string marker =
        requirement.marker ? "(" + requirement.marker->text() + ") and " + condition : condition;
    requirement.marker = pep::Marker::parse(marker).value();
    return requirement;
}

std::optional<Requirements> project_requirements(const pep::Project& project) {
    if (!project.dependencies || !project.optional_dependencies) {
        return std::nullopt;
    }
    Requirements all = *project.dependencies;
    for (const auto& [extra, requirements] : *project.optional_dependencies) {
        for (const pep::Requirement& requirement : requirements) {
            all.push_back(for_extra(requirement, extra));
        }
    }
    return all;
}

}  // namespace

std::optional<Requirements> SdistFacts::static_requirements() const {
    if (pkg_info && pkg_info->is_static("requires-dist")) {
        return pkg_info->requires_dist;
    }
    return pyproject.project ? project_requirements(*pyproject.project) : std::nullopt;
}

std::optional<pep::SpecifierSet> SdistFacts::static_requires_python() const {
    if (pkg_info && pkg_info->is_static("requires-python")) {
        return pkg_info->requires_python;
    }
    if (!pyproject.project) {
        return std::nullopt;
    }
    const auto& dynamic = pyproject.project->dynamic;
    if (std::find(dynamic.begin(), dynamic.end(), "requires-python") != dynamic.end()) {
        return std::nullopt;
    }
    const auto set = pep::SpecifierSet::parse(pyproject.project->requires_python.value_or(""));
    return set ? std::optional(*set) : std::nullopt;
}

std::optional<std::string> sdist_stem(const std::string& filename) {
    for (const std::string_view extension :
         {".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tar", ".zip"}) {
        if (filename.ends_with(extension) && filename.size() > extension.size()) {
            return filename.substr(0, filename.size() - extension.size());
        }
    }
    return std::nullopt;
}

std::vector<SdistIdentity> identities_of(std::string_view stem) {
    std::vector<SdistIdentity> found;
    for (auto dash = stem.find('-'); dash != std::string_view::npos;
         dash = stem.find('-', dash + 1)) {
        const auto name = pep::parse_name(stem.substr(0, dash));
        auto version = pep::Version::parse(stem.substr(dash + 1));
        if (name && version) {
            found.push_back({pep::normalize_name(stem.substr(0, dash)), std::move(*version)});
        }
    }
    return found;
}

void require_root(
    const std::string& root, const std::string& filename, const SdistIdentity& identity
) {
    const auto said = identities_of(root);
    const bool fits = std::any_of(said.begin(), said.end(), [&](const SdistIdentity& each) {
        return each.name == identity.name
               && each.version.without_local() == identity.version.without_local();
    });
    if (!fits && sdist_stem(filename) != root) {
        throw Error{
            ExitCode::refused,
            "sdist-root",
            "the root folder of the sdist is called \"" + printable(root) + "\", expected was \""
                + printable(sdist_stem(filename).value_or(identity.name)) + "\""
        };
    }
}

SdistFacts inspect_sdist(
    const fs::path& archive,
    const std::string& name,
    const pep::Version& version,
    const std::string& build_dir
) {
    const std::string prefix = prefix_of(build_dir);
    const auto context = [&] {
        return "looking at the sdist " + printable(archive.filename().native());
    };
    return while_doing(context, [&] { return inspect(archive, Identity{name, version}, prefix); });
}

fs::path tree_root(const fs::path& unpacked_root, const std::string& build_dir) {
    const std::string prefix = prefix_of(build_dir);
    if (prefix.empty()) {
        return unpacked_root;
    }
    const fs::path tree = unpacked_root / prefix.substr(0, prefix.size() - 1);
    std::error_code error;
    const fs::path inside = fs::canonical(unpacked_root, error);
    const fs::path real = error ? fs::path() : fs::canonical(tree, error);
    const auto [end, rest] = std::mismatch(inside.begin(), inside.end(), real.begin(), real.end());
    if (error || end != inside.end() || !fs::is_directory(real, error)) {
        throw Error{
            ExitCode::usage,
            "bad-build-dir",
            "build_dir \"" + printable(build_dir) + "\" is no folder of the source"
        }
            .advise("correct build_dir in the settings of the package");
    }
    return tree;
}

}  // namespace wheelforge::source
