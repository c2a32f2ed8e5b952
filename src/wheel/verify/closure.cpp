// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/closure.hpp"

#include <algorithm>

namespace wheelforge::wheel {

namespace {

std::string file_name(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
}

/// Where installers put a member: files below .data/purelib and .data/platlib go to the root.
std::string installed_path(const std::string& member) {
    for (const std::string_view scheme : {".data/purelib/", ".data/platlib/"}) {
        if (const std::size_t at = member.find(scheme); at != std::string::npos) {
            return member.substr(at + scheme.size());
        }
    }
    return member;
}

bool belongs_to_one(std::string_view path) {
    const std::size_t slash = path.find('/');
    const std::string_view top = path.substr(0, slash);
    return slash != std::string_view::npos
           && (top.ends_with(".dist-info") || top.ends_with(".data"));
}

}  // namespace

std::set<std::string> direct_requirements(const pep::Metadata& metadata) {
    std::set<std::string> names;
    for (const pep::Requirement& requirement : metadata.requires_dist) {
        if (!requirement.marker || !requirement.marker->mentions_extra()) {
            names.insert(requirement.name);
        }
    }
    return names;
}

Closure::Closure(const std::vector<Subject>& subjects) {
    std::map<std::string, std::vector<const Subject*>> owners;
    for (const Subject& subject : subjects) {
        if (!subject.refused.empty()) {
            continue;
        }
        by_name_.emplace(subject.name, &subject);
        for (const FileReport& file : subject.files) {
            if (!file.elf) {
                continue;
            }
            const std::string name = file_name(file.path);
            libraries_.emplace(name, Library{&subject, &file});
            if (!file.elf->soname.empty() && file.elf->soname != name) {
                libraries_.emplace(file.elf->soname, Library{&subject, &file});
            }
        }
        for (const std::string& member : subject.members) {
            const std::string path = installed_path(member);
            if (!belongs_to_one(path)) {
                owners[path].push_back(&subject);
            }
        }
    }
    for (auto& [path, wheels] : owners) {
        const bool several = std::any_of(wheels.begin(), wheels.end(), [&](const Subject* wheel) {
            return wheel->name != wheels.front()->name;
        });
        if (several) {
            shared_files_.emplace(path, std::move(wheels));
        }
    }
}

const Library* Closure::find(std::string_view soname, const Subject& from) const {
    const auto [begin, end] = libraries_.equal_range(soname);
    const Library* other = nullptr;
    for (auto it = begin; it != end; ++it) {
        if (it->second.wheel == &from) {
            return &it->second;
        }
        other = other == nullptr ? &it->second : other;
    }
    return other;
}

const Subject* Closure::subject(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
}

std::set<std::string> Closure::requirements_of(const Subject& from) const {
    std::set<std::string> all;
    std::vector<std::string> open;
    const auto add = [&](const Subject& subject) {
        for (const std::string& name : direct_requirements(subject.metadata)) {
            if (all.insert(name).second) {
                open.push_back(name);
            }
        }
    };
    add(from);
    while (!open.empty()) {
        const std::string name = open.back();
        open.pop_back();
        if (const Subject* known = subject(name)) {
            add(*known);
        }
    }
    return all;
}

bool Closure::requires_distribution(const Subject& from, const std::string& name) const {
    return requirements_of(from).contains(name);
}

bool Closure::is_complete_for(const Subject& from) const {
    const std::set<std::string> all = requirements_of(from);
    return std::all_of(all.begin(), all.end(), [&](const std::string& name) {
        return subject(name) != nullptr;
    });
}

}  // namespace wheelforge::wheel
