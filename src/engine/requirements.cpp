// SPDX-License-Identifier: Apache-2.0
#include "engine/requirements.hpp"

#include <algorithm>
#include <utility>

#include "wheel/wheel_file.hpp"

namespace wheelforge::engine {
namespace {

std::vector<std::string> sorted_texts(const std::vector<pep::Requirement>& requirements) {
    std::vector<std::string> texts;
    for (const auto& requirement : requirements) {
        texts.push_back(requirement.text());
    }
    std::sort(texts.begin(), texts.end());
    return texts;
}

std::string reason_of(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        return error.message() + " [" + error.id() + "]";
    } catch (const std::exception& error) {
        return error.what();
    }
}

/// Only what the author of a version did wrong is a fact about that version, for which another may
/// be taken: not what was refused, what the surroundings lack, or a patch of the user's.
void throw_unless_fact(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        if (error.code() != ExitCode::build_failed || error.id() == "patch-failed") {
            throw;
        }
    }
}

/// An archive that is not opened (duplicate members, links out of it), though its bytes are those
/// that the index promised.
bool is_malformed(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        return error.code() == ExitCode::refused && error.id().starts_with("archive-");
    } catch (const std::exception&) {
        return false;
    }
}

resolve::Dependencies unavailable(std::string reason) {
    resolve::Dependencies dependencies;
    dependencies.unavailable = std::move(reason);
    return dependencies;
}

}  // namespace

resolve::Dependencies dependencies_of(const pep::Metadata& metadata, bool exact) {
    resolve::Dependencies dependencies;
    dependencies.requires_dist = metadata.requires_dist;
    dependencies.requires_python = metadata.requires_python;
    dependencies.exact = exact;
    return dependencies;
}

Requirements::Requirements(
    Loop& loop,
    index::PackageIndex& index,
    const Catalog& catalog,
    const config::Settings& settings,
    Sources& sources,
    std::filesystem::path downloads
)
    : loop_(loop), index_(index), catalog_(catalog), settings_(settings), sources_(sources),
      downloads_(std::move(downloads)) {}

void Requirements::want(const plugin::PackageId& id, Ready ready) {
    Slot& slot = slots_[id];
    if (slot.answer) {
        ready(*slot.answer);
        return;
    }
    slot.waiting.push_back(std::move(ready));
    if (!std::exchange(slot.asked, true)) {
        ask(id);
    }
}

void Requirements::ask(const plugin::PackageId& id) {
    if (catalog_.is_provided(id.name)) {
        answer(id, {});
        return;
    }
    if (catalog_.is_wheel(id)) {
        ask_wheel(id, catalog_.find(id.name, id.version)->file.value(), true);
        return;
    }
    sources_.want(id, [this, id](const SourcePtr& source, const std::exception_ptr& failure) {
        if (failure) {
            const bool is_tolerated = bad_source_ && bad_source_(failure);
            const auto* version = catalog_.find(id.name, id.version);
            if (version->wheel && (is_tolerated || is_malformed(failure))) {
                ask_wheel(id, *version->wheel, false);  // its build, if there is one, is refused
                return;
            }
            if (is_tolerated) {
                answer(id, {});
                return;
            }
            throw_unless_fact(failure);
            answer(id, unavailable(reason_of(failure)));
            return;
        }
        ask_source(id, source);
    });
}

void Requirements::ask_source(const plugin::PackageId& id, const SourcePtr& source) {
    if (source->known_metadata) {
        answer(id, dependencies_of(*source->known_metadata, true));
        return;
    }
    if (source->requires_from) {
        resolve::Dependencies dependencies;
        dependencies.requires_dist = *source->requires_from;
        dependencies.requires_python =
            source->facts->static_requires_python().value_or(pep::SpecifierSet());
        dependencies.exact = false;
        answer(id, std::move(dependencies));
        return;
    }
    if (const auto static_requirements = source->facts->static_requirements()) {
        resolve::Dependencies dependencies;
        dependencies.requires_dist = *static_requirements;
        dependencies.requires_python =
            source->facts->static_requires_python().value_or(pep::SpecifierSet());
        // What reaches its build may change what comes out, whatever the sdist promises.
        dependencies.exact = source->variables.empty() && source->settings.patches.empty();
        answer(id, std::move(dependencies));
        return;
    }
    if (source->prepared_metadata) {
        answer(id, dependencies_of(*source->prepared_metadata, true));
        return;
    }
    const auto* version = catalog_.find(id.name, id.version);
    if (version->wheel) {
        ask_wheel(id, *version->wheel, false);
        return;
    }
    build_(id, [this, id](resolve::Dependencies dependencies) {
        answer(id, std::move(dependencies));
    });
}

void Requirements::ask_wheel(
    const plugin::PackageId& id, const index::DistributionFile& wheel, bool exact
) {
    loop_.expect();
    index_.wheel_metadata(
        wheel,
        [this, id, wheel, exact](std::optional<std::string> text, std::exception_ptr failure) {
            loop_.answer([this, id, wheel, exact, text = std::move(text), failure] {
                if (failure) {
                    std::rethrow_exception(failure);
                }
                if (text) {
                    read_metadata(id, *text, exact);
                } else {
                    ask_whole_wheel(id, wheel, exact);
                }
            });
        }
    );
}

/// For servers that cannot send a part of a file.
void Requirements::ask_whole_wheel(
    const plugin::PackageId& id, const index::DistributionFile& wheel, bool exact
) {
    loop_.expect();
    index_.download(
        wheel,
        downloads_,
        [this, id, exact](index::PackageIndex::Download download, std::exception_ptr failure) {
            loop_.answer([this, id, exact, path = download.path, failure] {
                if (failure) {
                    std::rethrow_exception(failure);
                }
                read_metadata(id, wheel::WheelFile(path).metadata_text(), exact);
            });
        }
    );
}

void Requirements::read_metadata(const plugin::PackageId& id, const std::string& text, bool exact) {
    const auto metadata = pep::Metadata::parse(text);
    if (metadata) {
        answer(id, dependencies_of(*metadata, exact));
    } else if (exact) {
        answer(
            id, unavailable("the METADATA of its wheel cannot be read: " + metadata.error().message)
        );
    } else {
        build_(id, [this, id](resolve::Dependencies dependencies) {
            answer(id, std::move(dependencies));
        });
    }
}

std::vector<pep::Requirement>
Requirements::required(const std::string& name, std::vector<pep::Requirement> requires_dist) const {
    return settings_.package(name).resolution.requires_dist.applied(std::move(requires_dist));
}

void Requirements::answer(const plugin::PackageId& id, resolve::Dependencies dependencies) {
    Slot& slot = slots_[id];
    dependencies.requires_dist = required(id.name, std::move(dependencies.requires_dist));
    slot.answer = std::move(dependencies);
    for (auto& waiter : std::exchange(slot.waiting, {})) {
        waiter(*slot.answer);
    }
}

std::optional<resolve::Dependencies> Requirements::known(const plugin::PackageId& id) const {
    const auto slot = slots_.find(id);
    return slot == slots_.end() ? std::nullopt : slot->second.answer;
}

void Requirements::rule_out(const plugin::PackageId& id, std::string reason) {
    slots_[id].answer = unavailable(std::move(reason));
}

bool Requirements::correct(const plugin::PackageId& id, const pep::Metadata& metadata) {
    Slot& slot = slots_[id];
    auto truth = dependencies_of(metadata, true);
    truth.requires_dist = required(id.name, std::move(truth.requires_dist));
    const bool differs =
        slot.answer
        && sorted_texts(slot.answer->requires_dist) != sorted_texts(truth.requires_dist);
    slot.answer = std::move(truth);
    return differs;
}

}  // namespace wheelforge::engine
