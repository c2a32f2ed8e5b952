// SPDX-License-Identifier: Apache-2.0
#include "engine/missing_tools.hpp"

#include "base/process.hpp"

namespace wheelforge::engine {
namespace {

struct Tool {
    const char* language;  ///< as in source::SdistFacts::languages
    const char* program;
    const char* advice;
};
constexpr Tool tools[] = {
    {"c", "cc", "apt-get install gcc, or dnf install gcc"},
    {"c++", "c++", "apt-get install g++, or dnf install gcc-c++"},
    {"fortran", "gfortran", "apt-get install gfortran, or dnf install gcc-gfortran"},
    {"rust", "cargo", "apt-get install cargo, or dnf install cargo"},
};

/// Sources of jobs that are still to be built, or failed to.
const PreparedSource* unbuilt(const Job& job) {
    if (const auto* planned = std::get_if<Planned>(&job.state)) {
        return planned->source.get();
    }
    return nullptr;
}

}  // namespace

bool compiles_against_python(const PreparedSource& source) {
    const auto& languages = source.facts->languages;
    return !languages.contains("rust")
           && (languages.contains("c") || languages.contains("c++") || languages.contains("cython")
           );
}

std::vector<MissingTool> tools_missing_for(
    const PreparedSource& source, const build::Interpreter& interpreter, const std::string& path
) {
    const auto& languages = source.facts->languages;
    std::vector<MissingTool> missing;
    for (const auto& tool : tools) {
        if (languages.contains(tool.language) && !find_program(tool.program, path)) {
            missing.push_back({tool.program, {source.id.key()}, tool.advice});
        }
    }
    if (languages.contains("c") && !interpreter.has_headers) {
        missing.push_back(
            {"Python.h",
             {source.id.key()},
             "apt-get install python3-dev, or dnf install python3-devel"}
        );
    }
    return missing;
}

std::vector<MissingTool> missing_tools(
    const std::map<plugin::PackageId, Job>& jobs,
    const build::Interpreter& interpreter,
    const std::string& path,
    const std::function<bool(const plugin::PackageId&)>& pure
) {
    std::map<std::string, MissingTool> missing;
    for (const auto& [id, job] : jobs) {
        const auto* source = unbuilt(job);
        if (source == nullptr || pure(id)) {
            continue;
        }
        for (auto& tool : tools_missing_for(*source, interpreter, path)) {
            auto& entry = missing.try_emplace(tool.name, tool).first->second;
            if (entry.needed_by.back() != id.key()) {
                entry.needed_by.push_back(id.key());
            }
        }
    }
    std::vector<MissingTool> result;
    for (auto& [name, tool] : missing) {
        result.push_back(std::move(tool));
    }
    return result;
}

}  // namespace wheelforge::engine
