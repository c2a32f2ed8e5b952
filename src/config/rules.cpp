// SPDX-License-Identifier: Apache-2.0
#include "config/rules.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/error.hpp"
#include "config/settings.hpp"

namespace wheelforge::config {

namespace {

bool matches(std::string_view pattern, std::string_view name) {
    return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1))
                                  : name == pattern;
}

template <typename T>
void append(std::vector<T>& mine, const std::vector<T>& upper) {
    mine.insert(mine.end(), upper.begin(), upper.end());
}

}  // namespace

void RequiresEdit::lay_over(const RequiresEdit& upper) {
    if (upper.replace) {
        *this = {};
        replace = upper.replace;
    }
    append(remove, upper.remove);
    append(add, upper.add);
}

std::vector<pep::Requirement> RequiresEdit::applied(std::vector<pep::Requirement> requires_dist
) const {
    if (replace) {
        requires_dist = replace->value;
    }
    for (const auto& pattern : remove) {
        std::erase_if(requires_dist, [&](const pep::Requirement& each) {
            return matches(pattern.value, each.name);
        });
    }
    for (const auto& requirement : add) {
        requires_dist.push_back(requirement.value);
    }
    return requires_dist;
}

void ResolutionRules::lay_over(const ResolutionRules& upper) {
    config::lay_over(override_version, upper.override_version);
    config::lay_over(drop, upper.drop);
    requires_dist.lay_over(upper.requires_dist);
    config::lay_over(match_runtime, upper.match_runtime);
    config::lay_over(requires_from, upper.requires_from);
    config::lay_over(pre_releases, upper.pre_releases);
    config::lay_over(min_release_age, upper.min_release_age);
    config::lay_over(never_from_index, upper.never_from_index);
    append(renamed_from, upper.renamed_from);
}

void SourceRules::lay_over(const SourceRules& upper) {
    config::lay_over(index_url, upper.index_url);
    config::lay_over(include_sdists, upper.include_sdists);
    config::lay_over(include_wheels, upper.include_wheels);
    config::lay_over(ignore_platform, upper.ignore_platform);
    config::lay_over(use_published_metadata, upper.use_published_metadata);
    config::lay_over(download_url, upper.download_url);
    config::lay_over(destination_filename, upper.destination_filename);
    config::lay_over(repository, upper.repository);
    config::lay_over(tag, upper.tag);
}

void BuildRules::lay_over(const BuildRules& upper) {
    config::lay_over(cpu_cores_per_job, upper.cpu_cores_per_job);
    config::lay_over(memory_per_job_gb, upper.memory_per_job_gb);
    config::lay_over(exclusive_build, upper.exclusive_build);
    config::lay_over(build_ext_parallel, upper.build_ext_parallel);
    append(update_build_requires, upper.update_build_requires);
    append(remove_build_requires, upper.remove_build_requires);
    for (const auto& [version, entries] : upper.changelog) {
        changelog.insert_or_assign(version, entries);
    }
}

std::vector<pep::Requirement> BuildRules::build_requires(std::vector<pep::Requirement> stated
) const {
    const auto erase = [&](const std::string& name) {
        std::erase_if(stated, [&](const pep::Requirement& each) { return each.name == name; });
    };
    for (const auto& name : remove_build_requires) {
        erase(name.value);
    }
    for (const auto& update : update_build_requires) {
        erase(update.value.name);
    }
    for (const auto& update : update_build_requires) {
        stated.push_back(update.value);
    }
    return stated;
}

std::string
expand_location(const Set<std::string>& text, const std::string& name, const std::string& version) {
    return expand(text.value, {{"version", version}, {"canonicalized_name", name}}, text.origin);
}

std::string expand_variant(
    const Set<std::string>& text, const std::string& variant, const std::string& family
) {
    const std::map<std::string, std::string> values{
        {"${variant.name}", variant}, {"${variant.family}", family}
    };
    std::string out = text.value;
    for (const auto& [written, value] : values) {
        for (auto at = out.find(written); at != std::string::npos;
             at = out.find(written, at + value.size())) {
            out.replace(at, written.size(), value);
        }
    }
    if (out.find('$') != std::string::npos) {
        throw Error{
            ExitCode::usage,
            "bad-template",
            fmt::format(
                "{}: in '{}': only ${{variant.name}} and ${{variant.family}} may stand here",
                text.origin,
                text.value
            )
        };
    }
    return out;
}

}  // namespace wheelforge::config
