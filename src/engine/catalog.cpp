// SPDX-License-Identifier: Apache-2.0
#include "engine/catalog.hpp"

#include <algorithm>
#include <unordered_map>

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

/// Ranks many files by a thousand tags: Target::rank() looks through all of them each time.
class TagRanks {
public:
    explicit TagRanks(const pep::Target& target) : worst_(static_cast<int>(target.tags.size())) {
        for (std::size_t i = 0; i < target.tags.size(); ++i) {
            positions_.emplace(target.tags[i].text(), static_cast<int>(i));
        }
    }
    /// 0 is best; files that do not fit come last.
    [[nodiscard]] int of(const DistributionFile& file) const {
        int best = worst_;
        for (const auto& tag : file.tags) {
            const auto position = positions_.find(tag.text());
            best = position == positions_.end() ? best : std::min(best, position->second);
        }
        return best;
    }

private:
    int worst_;
    std::unordered_map<std::string, int> positions_;
};

/// The best wheel first: by tag, then by build number; any wheel at all will do for an estimate.
void sort_wheels(std::vector<const DistributionFile*>& files, const TagRanks& ranks) {
    std::map<const DistributionFile*, int> rank;
    for (const auto* file : files) {
        rank.emplace(file, ranks.of(*file));
    }
    std::sort(files.begin(), files.end(), [&](const auto* a, const auto* b) {
        if (rank.at(a) != rank.at(b)) {
            return rank.at(a) < rank.at(b);
        }
        return a->build_number != b->build_number ? a->build_number > b->build_number
                                                  : a->filename < b->filename;
    });
}

/// The files of one version, sorted into what can be used for what.
struct Files {
    const DistributionFile* sdist = nullptr;
    const DistributionFile* wheel = nullptr;  ///< best, compatible or not
    const DistributionFile* foreign_python = nullptr;
    bool any_live = false;  ///< a file that is not yanked
};

/// @param files  the best wheel first
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
            result.wheel = result.wheel == nullptr ? file : result.wheel;
        } else if (result.sdist == nullptr
                   || archive_preference(*file) < archive_preference(*result.sdist)) {
            result.sdist = file;
        }
    }
    return result;
}

bool some_tag(const DistributionFile& file, const std::function<bool(const pep::Tag&)>& is_it) {
    return std::any_of(file.tags.begin(), file.tags.end(), is_it);
}

Catalog::Wheels kind_of_wheels(const std::vector<const DistributionFile*>& files) {
    using Wheels = Catalog::Wheels;
    auto kind = Wheels::none;
    bool for_this_system = false;
    for (const auto* file : files) {
        if (file->kind != DistributionFile::Kind::wheel) {
            continue;
        }
        if (some_tag(*file, [](const auto& tag) { return tag.platform == "any"; })) {
            return Wheels::for_any_platform;
        }
        const bool no_abi = some_tag(*file, [](const auto& tag) { return tag.abi == "none"; });
        kind = no_abi || kind == Wheels::mixed ? Wheels::mixed : Wheels::for_interpreters;
        for_this_system = for_this_system || some_tag(*file, [](const auto& tag) {
                              return tag.platform.find("linux") != std::string::npos;
                          });
    }
    return kind == Wheels::for_interpreters && !for_this_system ? Wheels::mixed : kind;
}

/// Whether versions that have wheels only are on offer: their source comes from elsewhere.
bool wheels_count(
    const Files& files, const config::PackageSettings& settings, const pep::Target& target
) {
    const auto& source = settings.source;
    return config::value_or(source.include_wheels, false) && source.download_url
           && files.wheel != nullptr
           && (config::value_or(source.ignore_platform, false)
               || target.rank(files.wheel->tags) >= 0);
}

std::optional<std::string> why_no_wheel(const Files& files, const pep::Target& target) {
    if (files.wheel == nullptr) {
        return "is to be taken pre-built, and there is no wheel";
    }
    if (target.rank(files.wheel->tags) < 0) {
        return "is to be taken pre-built, and no wheel fits this interpreter and platform";
    }
    return std::nullopt;
}

std::optional<std::string> why_unusable(
    const Files& files, const config::PackageSettings& settings, const pep::Target& target
) {
    if (files.sdist == nullptr && files.wheel == nullptr) {
        return "requires Python " + files.foreign_python->requires_python->text();
    }
    if (settings.takes_wheel()) {
        return why_no_wheel(files, target);
    }
    if (wheels_count(files, settings, target)) {
        return std::nullopt;
    }
    if (files.sdist == nullptr) {
        return "has only wheels, and " + settings.name + " is not in pre_built";
    }
    if (!config::value_or(settings.source.include_sdists, true)) {
        return "has no wheel that counts, and include_sdists is false ("
               + settings.source.include_sdists->origin + ")";
    }
    return std::nullopt;
}

/// The archive that takes the place of the index's (download_source).
DistributionFile elsewhere(const config::PackageSettings& settings, const pep::Version& version) {
    const auto text = version.text();
    DistributionFile file;
    file.version = version;
    file.url = config::expand_location(*settings.source.download_url, settings.name, text);
    if (settings.source.destination_filename) {
        file.filename =
            config::expand_location(*settings.source.destination_filename, settings.name, text);
    } else {
        const auto path = file.url.substr(0, file.url.find_first_of("?#"));
        file.filename = path.substr(path.rfind('/') + 1);
    }
    file.index_url = settings.source.download_url->origin;
    return file;
}

/// The only index of a package, if it has one.
std::optional<std::string> own_index(const config::PackageSettings& settings) {
    if (settings.takes_wheel() && settings.wheel_server_url) {
        return settings.wheel_server_url->value;
    }
    if (settings.source.index_url) {
        return settings.source.index_url->value;
    }
    return std::nullopt;
}

/// Why a file does not count whose name is somebody else's on the index: only an index of its own
/// or a local file does. "" where it counts.
std::string why_strangers(const DistributionFile& file, const config::PackageSettings& settings) {
    const auto& stranger = settings.resolution.never_from_index;
    const bool counts = !stranger || own_index(settings) || file.url.starts_with("file:");
    return counts ? "" : "is somebody else's on the index: " + stranger->value.because;
}

}  // namespace

Catalog::Catalog(
    Loop& loop,
    index::PackageIndex& index,
    const config::Settings& settings,
    const ReleaseFilter& releases,
    const pep::Target& target
)
    : loop_(loop), index_(index), settings_(settings), releases_(releases), target_(target) {}

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
    loop_.expect();
    index_.project(
        name,
        own_index(settings_.package(name)),
        [this, name](index::ProjectPage page, std::exception_ptr failure) {
            loop_.answer([this, name, page = std::move(page), failure] {
                Project& answered = projects_.at(name);
                if (failure) {
                    answered.failure = failure;
                    std::rethrow_exception(failure);
                }
                answered.page = page;
                judge(answered, name);
                answered.known = true;
                for (auto& waiter : std::exchange(answered.waiting, {})) {
                    waiter();
                }
            });
        }
    );
}

void Catalog::lend_wheels(const std::string& name) {
    lent_.insert(name);
    Project& project = projects_.at(name);
    project.versions.clear();
    judge(project, name);
}

void Catalog::provide(const std::string& name, const pep::Version& version) {
    Project& project = projects_[name];
    project.known = true;
    project.provided = true;
    Version entry;
    entry.offer.version = version;
    project.versions.insert_or_assign(version, std::move(entry));
}

bool Catalog::is_provided(const std::string& name) const {
    const auto project = projects_.find(name);
    return project != projects_.end() && project->second.provided;
}

void Catalog::judge(Project& project, const std::string& name) const {
    const auto& page = project.page;
    if (page.status == "quarantined") {
        throw Error(ExitCode::refused, "project-quarantined", name + " is quarantined on its index")
            .advise("wait until the index has cleared it, or constrain it away");
    }
    std::map<pep::Version, std::vector<const DistributionFile*>> by_version;
    std::map<pep::Version, std::string> refused;
    const auto settings = settings_.package(name);
    for (const auto& file : page.files) {
        if (auto strangers = why_strangers(file, settings); !strangers.empty()) {
            refused.insert_or_assign(file.version, std::move(strangers));
        } else if (auto reason = releases_.refusal(name, file)) {
            refused.emplace(file.version, *std::move(reason));
        } else {
            by_version[file.version].push_back(&file);
        }
    }
    const TagRanks ranks(target_);
    for (auto& [version, files] : by_version) {
        sort_wheels(files, ranks);
        project.versions.emplace(version, judge_version(version, files, settings));
    }
    for (const auto& [version, reason] : refused) {
        Version entry;
        entry.offer.version = version;
        entry.offer.unusable = reason;
        project.versions.emplace(version, std::move(entry));
    }
}

Catalog::Version Catalog::judge_version(
    const pep::Version& version,
    const std::vector<const DistributionFile*>& files,
    const config::PackageSettings& settings
) const {
    const Files sorted = sort_files(files, target_);
    if (sorted.sdist == nullptr && lends_wheels(settings.name) && !settings.takes_wheel()) {
        auto lent = settings;
        lent.pre_built = {true, "for want of an sdist"};
        return judge_version(version, files, lent);
    }
    Version entry;
    entry.offer.version = version;
    entry.offer.unusable = why_unusable(sorted, settings, target_);
    entry.offer.yanked = !sorted.any_live;
    entry.wheels = kind_of_wheels(files);
    const auto* file = settings.takes_wheel() ? sorted.wheel : sorted.sdist;
    if (!entry.offer.unusable && settings.source.download_url && !settings.takes_wheel()) {
        entry.file = elsewhere(settings, version);
    } else if (!entry.offer.unusable && file != nullptr) {
        entry.file = *file;
    }
    if (sorted.wheel != nullptr && config::value_or(settings.source.use_published_metadata, true)) {
        entry.wheel = *sorted.wheel;
    }
    return entry;
}

void Catalog::want_direct(const std::string& name, const std::string& url, Ready ready) {
    const DirectKey key(name, url);
    Direct& direct = directs_[key];
    if (direct.failure) {
        std::rethrow_exception(direct.failure);
    }
    if (direct.version) {
        ready();
        return;
    }
    direct.waiting.push_back(std::move(ready));
    if (std::exchange(direct.asked, true)) {
        return;
    }
    loop_.expect();
    pool_->submit([this, key] {
        plugin::DirectSource found;
        std::exception_ptr failure;
        try {
            found = fetch_direct_(key.first, key.second);
        } catch (...) {
            failure = std::current_exception();
        }
        loop_.answer([this, key, found = std::move(found), failure] {
            if (failure) {
                directs_.at(key).failure = failure;
                std::rethrow_exception(failure);
            }
            take_direct(key, found);
        });
    });
}

void Catalog::take_direct(const DirectKey& key, const plugin::DirectSource& found) {
    Direct& direct = directs_.at(key);
    Version version;
    version.offer.version = found.file.version;
    version.file = found.file;
    version.direct_kind = found.kind;
    version.subdirectory = found.subdirectory;
    if (found.file.kind == DistributionFile::Kind::wheel && target_.rank(found.file.tags) < 0) {
        version.offer.unusable = "is a wheel that does not fit this interpreter and platform";
        version.file.reset();
    }
    direct_versions_.insert_or_assign({key.first, found.file.version}, version);
    direct.version = std::move(version);
    for (auto& waiter : std::exchange(direct.waiting, {})) {
        waiter();
    }
}

std::vector<resolve::Offer>
Catalog::direct_offers(const std::string& name, const std::string& url) const {
    return {directs_.at({name, url}).version->offer};
}

bool Catalog::is_wheel(const plugin::PackageId& id) const {
    const auto* version = find(id.name, id.version);
    return version != nullptr && version->file
           && version->file->kind == DistributionFile::Kind::wheel;
}

std::string Catalog::source_kind(const Version& version) {
    if (!version.direct_kind.empty()) {
        return version.direct_kind;
    }
    return version.file && version.file->kind == DistributionFile::Kind::wheel ? "wheel" : "sdist";
}

bool Catalog::knows(const std::string& name) const {
    const auto project = projects_.find(name);
    return project != projects_.end() && project->second.known;
}

const Catalog::Versions& Catalog::versions(const std::string& name) const {
    return projects_.at(name).versions;
}

std::vector<resolve::Offer> Catalog::offers(const std::string& name) const {
    std::vector<resolve::Offer> result;
    for (const auto& [version, entry] : versions(name)) {
        result.push_back(entry.offer);
    }
    for (const auto& [id, entry] : direct_versions_) {
        if (id.name == name && !entry.offer.unusable) {
            std::erase_if(result, [&](const auto& offer) { return offer.version == id.version; });
            result.push_back(entry.offer);
        }
    }
    return result;
}

const Catalog::Version* Catalog::find(const std::string& name, const pep::Version& version) const {
    const auto direct = direct_versions_.find({name, version});
    if (direct != direct_versions_.end()) {
        return &direct->second;
    }
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
