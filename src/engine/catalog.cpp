// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace wheelforge::engine {
namespace {

using index::DistributionFile;

/// tar.gz before the others: what nearly every project publishes and every mirror keeps.
int archive_preference(const DistributionFile& file) {
    static const std::vector<std::string> order = {
        ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip"
    };
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (file.filename.ends_with(order[i])) {
            return static_cast<int>(i);
        }
    }
    return static_cast<int>(order.size());
}

bool python_fits(const DistributionFile& file, const pep::Target& target) {
    return !file.requires_python || file.requires_python->contains(target.python);
}

/// The better of two wheels: compatible ones by tag, then by build number; any wheel at all will
/// do for an estimate.
bool better_wheel(const DistributionFile& a, const DistributionFile& b, const pep::Target& target) {
    const auto rank = [&](const DistributionFile& file) {
        const int position = target.rank(file.tags);
        return position < 0 ? static_cast<int>(target.tags.size()) + 1 : position;
    };
    if (rank(a) != rank(b)) {
        return rank(a) < rank(b);
    }
    if (a.build_number != b.build_number) {
        return a.build_number > b.build_number;
    }
    return a.filename < b.filename;
}

/// The files of one version, sorted into what can be used for what.
struct Files {
    const DistributionFile* sdist = nullptr;
    const DistributionFile* wheel = nullptr;  ///< best, compatible or not
    const DistributionFile* foreign_python = nullptr;
    bool any_live = false;  ///< a file that is not yanked
};

Files sort_files(const std::vector<const DistributionFile*>& files, const pep::Target& target) {
    Files result;
    result.any_live =
        std::any_of(files.begin(), files.end(), [](const auto* file) { return !file->yanked; });
    for (const auto* file : files) {
        if (file->yanked && result.any_live) {
            continue;  // the others of this version were kept
        }
        if (!python_fits(*file, target)) {
            result.foreign_python = file;
        } else if (file->kind == DistributionFile::Kind::wheel) {
            if (result.wheel == nullptr || better_wheel(*file, *result.wheel, target)) {
                result.wheel = file;
            }
        } else if (result.sdist == nullptr
                   || archive_preference(*file) < archive_preference(*result.sdist)) {
            result.sdist = file;
        }
    }
    return result;
}

std::optional<std::string> why_unusable(
    const Files& files, const config::PackageSettings& settings, const pep::Target& target
) {
    const bool pre_built = settings.pre_built && settings.pre_built->value;
    if (files.sdist == nullptr && files.wheel == nullptr) {
        return "requires Python " + files.foreign_python->requires_python->text();
    }
    if (pre_built) {
        if (files.wheel == nullptr) {
            return "is to be taken pre-built, and there is no wheel";
        }
        if (target.rank(files.wheel->tags) < 0) {
            return "is to be taken pre-built, and no wheel fits this interpreter and platform";
        }
        return std::nullopt;
    }
    if (files.sdist == nullptr) {
        return "has only wheels, and " + settings.name + " is not in pre_built";
    }
    return std::nullopt;
}

}  // namespace

Catalog::Catalog(
    Loop& loop,
    index::PackageIndex& index,
    const config::Settings& settings,
    const pep::Target& target
)
    : loop_(loop), index_(index), settings_(settings), target_(target) {}

void Catalog::want(const std::string& name, Ready ready) {
    auto [position, fresh] = projects_.try_emplace(name);
    Project& project = position->second;
    if (project.failure) {
        std::rethrow_exception(project.failure);
    }
    if (project.known) {
        ready();
        return;
    }
    project.waiting.push_back(std::move(ready));
    if (!fresh) {
        return;
    }
    std::optional<std::string> only_index;
    const auto settings = settings_.package(name);
    if (settings.wheel_server_url && settings.pre_built && settings.pre_built->value) {
        only_index = settings.wheel_server_url->value;
    }
    loop_.expect();
    index_.project(
        name,
        only_index,
        [this, name](index::ProjectPage page, std::exception_ptr failure) {
            loop_.answer([this, name, page = std::move(page), failure] {
                Project& answered = projects_.at(name);
                if (failure) {
                    answered.failure = failure;
                    std::rethrow_exception(failure);
                }
                judge(answered, name, page);
                answered.known = true;
                for (auto& waiter : std::exchange(answered.waiting, {})) {
                    waiter();
                }
            });
        }
    );
}

void Catalog::judge(Project& project, const std::string& name, const index::ProjectPage& page)
    const {
    if (page.status == "quarantined") {
        throw Error(ExitCode::refused, "project-quarantined", name + " is quarantined on its index")
            .advise("wait until the index has cleared it, or constrain it away");
    }
    std::map<pep::Version, std::vector<const DistributionFile*>> by_version;
    for (const auto& file : page.files) {
        by_version[file.version].push_back(&file);
    }
    const auto settings = settings_.package(name);
    for (const auto& [version, files] : by_version) {
        const Files sorted = sort_files(files, target_);
        Version entry;
        entry.offer.version = version;
        entry.offer.unusable = why_unusable(sorted, settings, target_);
        entry.offer.yanked = !sorted.any_live;
        const bool pre_built = settings.pre_built && settings.pre_built->value;
        const auto* file = pre_built ? sorted.wheel : sorted.sdist;
        if (!entry.offer.unusable && file != nullptr) {
            entry.file = *file;
        }
        if (sorted.wheel != nullptr) {
            entry.wheel = *sorted.wheel;
        }
        project.versions.emplace(version, std::move(entry));
    }
}

const Catalog::Versions& Catalog::versions(const std::string& name) const {
    return projects_.at(name).versions;
}

std::vector<resolve::Offer> Catalog::offers(const std::string& name) const {
    std::vector<resolve::Offer> result;
    for (const auto& [version, entry] : versions(name)) {
        result.push_back(entry.offer);
    }
    return result;
}

const Catalog::Version* Catalog::find(const std::string& name, const pep::Version& version) const {
    const auto project = projects_.find(name);
    if (project == projects_.end()) {
        return nullptr;
    }
    const auto entry = project->second.versions.find(version);
    return entry == project->second.versions.end() ? nullptr : &entry->second;
}

std::vector<std::string> Catalog::known_names() const {
    std::vector<std::string> names;
    for (const auto& [name, project] : projects_) {
        if (project.known && !project.versions.empty()) {
            names.push_back(name);
        }
    }
    return names;
}

}  // namespace wheelforge::engine
