// SPDX-License-Identifier: Apache-2.0
#include "engine/known_names.hpp"

#include <algorithm>
#include <set>

#include "base/http.hpp"
#include "base/resources.hpp"
#include "base/text.hpp"
#include "base/yaml.hpp"
#include "pep/filename.hpp"
#include "pep/name.hpp"

namespace wheelforge::engine {
namespace {

using Names = std::set<std::string>;

void add_file(Names& names, const std::string& filename) {
    if (const auto wheel = pep::WheelFilename::parse(filename)) {
        names.insert(wheel->name);
    } else if (filename.ends_with(".tar.gz") || filename.ends_with(".zip")) {
        if (const auto name = pep::parse_name(filename.substr(0, filename.rfind('-')))) {
            names.insert(pep::normalize_name(*name));
        }
    }
}

/// Of a folder that may be absent or unreadable: nobody is helped by an error about it here.
std::vector<fs::path> children(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        found.push_back(entry->path());
    }
    return found;
}

void add_folder(Names& names, const fs::path& folder) {
    for (const auto& path : children(folder)) {
        add_file(names, path.filename().string());
    }
}

void add_store(Names& names, const store::Store& store) {
    for (const auto& shelf : children(store.root() / "entries")) {
        for (const auto& entry : children(shelf)) {
            add_folder(names, entry);
        }
    }
}

std::vector<std::string> meant_by(const std::string& name) {
    std::vector<std::string> meant;
    const std::string file = "src/engine/other_names.yaml";
    const auto document = yaml::parse(resource(file).value(), file);
    for (const auto& entry : document.find("names")->as_sequence()) {
        if (entry.find("said")->as_string() == name) {
            meant.push_back(entry.find("meant")->as_string());
        }
    }
    return meant;
}

}  // namespace

std::vector<std::string> names_near(
    const std::string& name,
    const Catalog& catalog,
    const BootstrapRequest& request,
    const store::Store& store
) {
    const auto seen = catalog.known_names();
    Names names(seen.begin(), seen.end());
    for (const auto* list : {&request.roots, &request.constraints}) {
        for (const auto& wanted : *list) {
            names.insert(wanted.requirement.name);
        }
    }
    for (const auto& [package, settings] : request.settings.packages()) {
        names.insert(package);
    }
    for (const auto& location : request.index.find_links) {
        if (const auto folder = path_of_file_url(location)) {
            add_folder(names, *folder);
        }
    }
    add_store(names, store);
    names.erase(name);
    auto found = meant_by(name);
    for (auto& near : nearest(name, std::vector<std::string>(names.begin(), names.end()))) {
        if (std::find(found.begin(), found.end(), near) == found.end()) {
            found.push_back(std::move(near));
        }
    }
    return found;
}

}  // namespace wheelforge::engine
