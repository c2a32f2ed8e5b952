// SPDX-License-Identifier: Apache-2.0
// What the [external] table of a source asks of the system (PEP 725).
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/archive.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/resources.hpp"
#include "base/text.hpp"
#include "base/yaml.hpp"
#include "engine/doctor.hpp"
#include "engine/session.hpp"
#include "pep/external.hpp"

namespace wheelforge::engine {
namespace {

struct Known {
    std::vector<std::string> programs;
    std::vector<std::string> headers;
    std::vector<std::string> pkgconfig;
    std::string apt;
    std::string dnf;
};

std::map<std::string, Known> load() {
    constexpr std::string_view path = "src/engine/externals.yaml";
    std::map<std::string, Known> table;
    const auto root = yaml::parse(resource(path).value_or("{}"), std::string(path));
    for (const auto& [name, node] : root.as_mapping()) {
        node.only_keys({"program", "header", "pkgconfig", "apt", "dnf"}, "an external requirement");
        Known known;
        for (const auto& [key, list] :
             {std::pair{"program", &Known::programs},
              std::pair{"header", &Known::headers},
              std::pair{"pkgconfig", &Known::pkgconfig}}) {
            if (const auto* given = node.find(key)) {
                known.*list = given->as_strings();
            }
        }
        known.apt = node.find("apt")->as_string();
        known.dnf = node.find("dnf")->as_string();
        table.emplace(name, std::move(known));
    }
    return table;
}

/// The first of some files that is there, below folders in which '*' stands for one name.
std::optional<fs::path>
first_file(const std::vector<fs::path>& folders, const std::vector<std::string>& names) {
    for (const auto& folder : folders) {
        for (const auto& name : names) {
            std::error_code error;
            if (fs::exists(folder / name, error)) {
                return folder / name;
            }
        }
    }
    return std::nullopt;
}

/// Folders below `top` and, as Debian has them, below its part for the machine.
std::vector<fs::path> with_machine(const fs::path& top, const std::string& machine) {
    return {top, top / (machine + "-linux-gnu")};
}

std::optional<fs::path> find_known(const Known& known, const std::string& machine) {
    for (const auto& program : known.programs) {
        if (auto found = find_program(program, system_path)) {
            return found;
        }
    }
    auto includes = with_machine("/usr/include", machine);
    includes.emplace_back("/usr/local/include");
    if (auto header = first_file(includes, known.headers)) {
        return header;
    }
    std::vector<std::string> files;
    for (const auto& name : known.pkgconfig) {
        files.push_back(name + ".pc");
    }
    return first_file(
        {"/usr/lib/pkgconfig",
         "/usr/lib/" + machine + "-linux-gnu/pkgconfig",
         "/usr/lib64/pkgconfig",
         "/usr/share/pkgconfig",
         "/usr/local/lib/pkgconfig"},
        files
    );
}

Diagnosis judge(const pep::ExternalRequirement& requirement, const std::string& machine) {
    static const auto table = load();
    Diagnosis row{"external", requirement.text, Health::ok, "", {}};
    const auto known = table.find(requirement.name);
    if (known == table.end()) {
        row.health = Health::note;
        row.found = "not known here: see whether the system has it";
        return row;
    }
    if (const auto found = find_known(known->second, machine)) {
        row.found = found->string();
        return row;
    }
    row.health = Health::missing;
    row.found = "not there";
    row.mend = {"apt-get install " + known->second.apt, "dnf install " + known->second.dnf};
    return row;
}

std::string pyproject_of(const fs::path& source) {
    if (fs::is_directory(source)) {
        return read_file_if_there(source / "pyproject.toml").value_or("");
    }
    const auto is_it = [](std::string_view name) { return name == "pyproject.toml"; };
    const auto peek = peek_archive(source, is_it, {"pyproject.toml"});
    return peek.members.empty() ? std::string() : peek.members.front().content;
}

}  // namespace

std::vector<Diagnosis> examine_externals(const fs::path& source, const VariantHere& here) {
    const auto subject = source.filename().string();
    const auto requirements = pep::parse_external_build_requirements(pyproject_of(source));
    if (!requirements) {
        return {
            {"external",
             subject,
             Health::note,
             "its pyproject.toml is not understood: " + requirements.error().message,
             {}}
        };
    }
    if (requirements->empty()) {
        return {{"external", subject, Health::ok, "asks for nothing of the system", {}}};
    }
    std::vector<Diagnosis> rows;
    for (const auto& requirement : *requirements) {
        rows.push_back(judge(requirement, here.host_architecture));
    }
    return rows;
}

}  // namespace wheelforge::engine
