// SPDX-License-Identifier: Apache-2.0
#include "engine/source_tree.hpp"

#include <algorithm>
#include <functional>
#include <future>
#include <set>

#include "base/archive.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "index/index.hpp"
#include "pep/filename.hpp"
#include "pep/metadata.hpp"
#include "pep/name.hpp"
#include "pep/pyproject.hpp"
#include "pep/requirement.hpp"
#include "plugin/recipe.hpp"
#include "store/store.hpp"

namespace wheelforge::engine {
namespace {

index::ProjectPage page_of(index::PackageIndex& index, const std::string& name) {
    std::promise<index::ProjectPage> promise;
    auto answer = promise.get_future();
    index.project(name, {}, [&](index::ProjectPage page, std::exception_ptr failure) {
        if (failure) {
            promise.set_exception(failure);
        } else {
            promise.set_value(std::move(page));
        }
    });
    return answer.get();
}

/// The newest ones, "2.8.3, 2.8.2, ..."; "" if there are none.
std::string versions_with_sdist(const index::ProjectPage& page) {
    constexpr std::size_t most = 6;
    std::set<pep::Version, std::greater<>> versions;
    for (const auto& file : page.files) {
        if (file.kind == index::DistributionFile::Kind::sdist) {
            versions.insert(file.version);
        }
    }
    std::vector<std::string> texts;
    for (const auto& version : versions) {
        texts.push_back(texts.size() == most ? "..." : version.text());
        if (texts.size() > most) {
            break;
        }
    }
    return join(texts, ", ");
}

index::DistributionFile
sdist_of(index::PackageIndex& index, const std::string& name, const pep::Version& version) {
    const auto page = page_of(index, name);
    for (const auto& file : page.files) {
        if (file.kind == index::DistributionFile::Kind::sdist && file.version == version) {
            return file;
        }
    }
    const auto others = versions_with_sdist(page);
    throw Error(
        ExitCode::unsatisfiable,
        "no-sdist",
        "the index has no sdist of " + name + " " + version.text()
            + (others.empty() ? ", nor of any other version" : "; it has those of " + others)
    )
        .advise("name an sdist or an unpacked tree of it instead");
}

fs::path download(const SourceName& source, const BootstrapRequest& request) {
    index::PackageIndex index(request.index);
    const auto file = sdist_of(index, source.name, *source.version);
    const store::Store store(request.cache);
    return plugin::fetch(index, file, store.sources()).path;
}

/// Name, version and build requirements, by what lies in the tree.
void read_identity(OpenSource& source) {
    if (const auto text = read_file_if_there(source.tree / "PKG-INFO")) {
        if (const auto metadata = pep::Metadata::parse(*text)) {
            source.name = pep::normalize_name(metadata->name);
            source.version = metadata->version.text();
        }
    }
    const auto text = read_file_if_there(source.tree / "pyproject.toml");
    const auto pyproject = text ? pep::Pyproject::parse(*text) : pep::Pyproject::parse("");
    if (!pyproject) {
        return;  // the build will say what is wrong with it
    }
    for (const auto& requirement : pyproject->build_system.requires_) {
        source.build_requires.insert(requirement.name);
    }
    if (source.name.empty() && pyproject->project && !pyproject->project->name.empty()) {
        source.name = pep::normalize_name(pyproject->project->name);
    }
}

/// "NAME" or "NAME-VERSION", as sdists unpack and people call folders: what holds unless the tree
/// says otherwise.
void take_identity_from(const fs::path& folder, OpenSource& source) {
    const auto name = folder.filename().string();
    const auto dash = name.rfind('-');
    const auto version =
        dash == std::string::npos ? std::nullopt : std::optional(name.substr(dash + 1));
    const auto parsed = version ? pep::Version::parse(*version) : pep::Version::parse("");
    source.name = pep::normalize_name(parsed ? name.substr(0, dash) : name);
    source.version = parsed ? parsed->text() : "";
}

}  // namespace

SourceName SourceName::parse(const std::string& text) {
    SourceName source;
    if (fs::exists(text)) {
        source.path = text;
        return source;
    }
    const auto requirement = pep::Requirement::parse(text);
    const std::size_t equals = std::min(text.find("=="), text.size());
    const auto version =
        pep::Version::parse(trim(std::string_view(text).substr(std::min(equals + 2, text.size()))));
    if (!requirement || !version) {
        throw Error(
            ExitCode::usage,
            "bad-requirement",
            "'" + printable(text) + "' is no file, no folder and no NAME==VERSION"
        )
            .advise("write xformers==0.0.34, or name an sdist or a folder");
    }
    source.name = requirement->name;
    source.version = *version;
    return source;
}

OpenSource open_source(const SourceName& source, const BootstrapRequest& request) {
    OpenSource open;
    if (fs::is_directory(source.path)) {
        open.tree = source.path;
        take_identity_from(fs::canonical(source.path), open);
    } else {
        const fs::path archive = source.path.empty() ? download(source, request) : source.path;
        open.scratch.emplace(fs::temp_directory_path(), "wheelforge-tree-");
        open.tree = unpack_archive(archive, open.scratch->path() / "tree").root;
        open.name = source.name;
    }
    const std::string fallback = std::exchange(open.name, "");
    read_identity(open);
    open.name = open.name.empty() ? fallback : open.name;
    if (source.version) {
        open.version = source.version->text();
    }
    return open;
}

}  // namespace wheelforge::engine
