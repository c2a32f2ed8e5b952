// SPDX-License-Identifier: Apache-2.0
// Groups of keys that Fromager has, with its meaning.
#include <fmt/core.h>

#include "config/group_keys.hpp"
#include "config/read_value.hpp"
#include "pep/version.hpp"

namespace wheelforge::config {

namespace {

template <typename T>
void read_into(
    const yaml::Node& group, std::string_view key, Optional<T>& out, T (*read)(const yaml::Node&)
) {
    if (const auto* value = given(group, key)) {
        out = set_by(*value, read(*value));
    }
}

bool read_bool(const yaml::Node& node) {
    return node.as_bool();
}

/// Refused where it is written, not where it is used: a template that cannot be expanded.
std::string read_location(const yaml::Node& node) {
    const std::string text = read_text(node);
    (void)expand_location({text, origin_of(node)}, "name", "1");
    return text;
}

std::string read_location_url(const yaml::Node& node) {
    (void)read_url(node);
    return read_location(node);
}

std::string read_file_name(const yaml::Node& node) {
    std::string text = read_location(node);
    if (text.find('/') != std::string::npos || text.starts_with('.')) {
        throw bad_value(node, "expected the name of a file");
    }
    return text;
}

double read_gigabytes(const yaml::Node& node) {
    const double value = node.as_number();
    if (!(value >= 0.1 && value <= 1e6)) {
        throw bad_value(node, "expected a number of gigabytes, at least 0.1");
    }
    return value;
}

}  // namespace

void read_resolver_dist(const yaml::Node& node, LayerValues& values) {
    only_keys_of_group(
        node,
        {"sdist_server_url",
         "include_sdists",
         "include_wheels",
         "ignore_platform",
         "use_pypi_org_metadata",
         "min_release_age"}
    );
    auto& source = values.source;
    read_into(node, "sdist_server_url", source.index_url, read_url);
    read_into(node, "include_sdists", source.include_sdists, read_bool);
    read_into(node, "include_wheels", source.include_wheels, read_bool);
    read_into(node, "ignore_platform", source.ignore_platform, read_bool);
    read_into(node, "use_pypi_org_metadata", source.use_published_metadata, read_bool);
    if (const auto* days = given(node, "min_release_age")) {
        values.resolution.min_release_age = set_by(*days, read_count(*days, 0));
    }
    if (value_or(source.ignore_platform, false) && !value_or(source.include_wheels, false)) {
        throw bad_value(
            *node.find("ignore_platform"), "says something only with include_wheels: true"
        );
    }
    if (!value_or(source.include_sdists, true) && !value_or(source.include_wheels, false)) {
        throw bad_value(
            *node.find("include_sdists"), "without sdists and wheels no version is left"
        );
    }
}

void read_download_source(const yaml::Node& node, LayerValues& values) {
    only_keys_of_group(node, {"url", "destination_filename"});
    read_into(node, "url", values.source.download_url, read_location_url);
    read_into(node, "destination_filename", values.source.destination_filename, read_file_name);
}

void read_build_options(const yaml::Node& node, LayerValues& values) {
    only_keys_of_group(
        node, {"cpu_cores_per_job", "memory_per_job_gb", "exclusive_build", "build_ext_parallel"}
    );
    if (const auto* cores = given(node, "cpu_cores_per_job")) {
        values.build.cpu_cores_per_job = set_by(*cores, read_count(*cores, 1));
    }
    read_into(node, "memory_per_job_gb", values.build.memory_per_job_gb, read_gigabytes);
    read_into(node, "exclusive_build", values.build.exclusive_build, read_bool);
    read_into(node, "build_ext_parallel", values.build.build_ext_parallel, read_bool);
}

void read_project_override(const yaml::Node& node, LayerValues& values) {
    only_keys_of_group(
        node, {"update_build_requires", "remove_build_requires"}, {"requires_external"}
    );
    if (const auto* update = given(node, "update_build_requires")) {
        for (const auto* item : items_of(*update)) {
            values.build.update_build_requires.push_back(set_by(*item, read_requirement(*item)));
        }
    }
    if (const auto* remove = given(node, "remove_build_requires")) {
        for (const auto* item : items_of(*remove)) {
            values.build.remove_build_requires.push_back(set_by(*item, read_name(*item)));
        }
    }
}

void read_changelog(const yaml::Node& node, LayerValues& values) {
    for (const auto& [written, entries] : node.as_mapping()) {
        const auto version = pep::Version::parse(written);
        if (!version) {
            throw bad_value(entries, fmt::format("'{}' is no version", written));
        }
        std::vector<std::string> texts;
        if (!entries.is_null()) {
            texts = entries.as_strings();
        }
        const auto key = version->without_local().text();
        if (!values.build.changelog.emplace(key, set_by(entries, std::move(texts))).second) {
            throw bad_value(entries, fmt::format("version {} is already there", key));
        }
    }
}

}  // namespace wheelforge::config
