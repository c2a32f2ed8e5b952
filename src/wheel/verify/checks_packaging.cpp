// SPDX-License-Identifier: Apache-2.0
// The wheel as a package among others: structure, requirements, files it shares, whether it runs.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/verify/check.hpp"

namespace wheelforge::wheel {

namespace {

/// Published wheels are often renamed from linux_* to manylinux_* without touching WHEEL, and
/// installers go by the file name: that is an error in what we build, not in what others did.
void check_wheel_structure(const CheckContext& context, FindingSink& out) {
    for (Finding finding : context.subject.structure) {
        if (finding.id == "wheel-tags" && context.build == nullptr) {
            finding.level = Level::warn;
        }
        out.add(std::move(finding));
    }
}

void check_nvidia_requirements(const CheckContext& context, FindingSink& out) {
    const auto& variant = context.request.variant;
    if (!variant || variant->family == "cuda") {
        return;
    }
    std::vector<std::string> leaked;
    for (const std::string& name : direct_requirements(context.subject.metadata)) {
        const bool is_nvidia = name.starts_with("nvidia-") || name == "cuda-python"
                               || name == "cuda-bindings" || name.starts_with("cuda-toolkit")
                               || name == "flashinfer-python" || name.starts_with("cupy-cuda");
        if (is_nvidia) {
            leaked.push_back(name);
        }
    }
    if (!leaked.empty()) {
        out.add(
            "nvidia-requirement",
            "",
            fmt::format("requires {}, and the variant is for {}", some_of(leaked), variant->family),
            "its build took the branch for CUDA, or its metadata was written for it"
        );
    }
}

void check_shared_files(const CheckContext& context, FindingSink& out) {
    std::map<std::string, std::vector<std::string>> by_other;
    for (const auto& [path, wheels] : context.closure.shared_files()) {
        const bool mine = std::find(wheels.begin(), wheels.end(), &context.subject) != wheels.end();
        for (const Subject* other : wheels) {
            if (mine && other->name != context.subject.name) {
                by_other[other->name].push_back(path);
            }
        }
    }
    for (const auto& [other, paths] : by_other) {
        out.add(
            "file-conflict",
            paths.front(),
            fmt::format("{} also installs {}", other, some_of(paths)),
            "the one installed last wins, and removing either breaks the other"
        );
    }
}

void check_pure(const CheckContext& context, FindingSink& out) {
    const Subject& subject = context.subject;
    if (subject.has_elf() || subject.has_kernels()) {
        return;
    }
    if (context.request.compiled_upstream.contains(subject.name)) {
        out.add(
            "pure-but-compiled-upstream",
            "",
            "holds no compiled file, and upstream publishes wheels per platform",
            "an optional extension was not built: see the build log for the reason"
        );
    }
}

/// What a wheel can be imported as where nobody says: its packages and modules at the root.
std::vector<std::string> modules_at_the_root(const std::set<std::string>& members) {
    std::vector<std::string> modules;
    for (const std::string& member : members) {
        constexpr std::string_view package = "/__init__.py";
        std::string name;
        if (member.ends_with(package)) {
            name = member.substr(0, member.size() - package.size());
        } else if (member.ends_with(".py")) {
            name = member.substr(0, member.size() - 3);
        }
        if (!name.empty() && name.find('/') == std::string::npos && name.front() != '_'
            && !name.starts_with("test")) {
            modules.push_back(std::move(name));
        }
    }
    return modules;
}

void check_smoke(const CheckContext& context, FindingSink& out) {
    if (!context.request.smoke) {
        return;
    }
    SmokeRequest request;
    request.wheel = context.subject.path;
    for (const PackageExpectation* expectation :
         {context.request.policy.expectation(context.subject.name),
          [&]() -> const PackageExpectation* {
              const auto found = context.request.plugins.find(context.subject.name);
              return found == context.request.plugins.end() ? nullptr : &found->second;
          }()}) {
        if (expectation != nullptr && request.imports.empty() && request.commands.empty()) {
            request.imports = expectation->imports;
            request.commands = expectation->commands;
        }
    }
    if (request.imports.empty()) {
        request.imports = context.subject.metadata.import_names;
    }
    if (request.imports.empty()) {
        request.imports = modules_at_the_root(context.subject.members);
    }
    if (request.imports.empty() && request.commands.empty()) {
        return;
    }
    for (const SmokeOutcome& outcome : context.request.smoke(request)) {
        if (!outcome.passed) {
            out.add("smoke", "", fmt::format("{} failed: {}", outcome.what, outcome.evidence));
        }
    }
}

constexpr std::array packaging_list = {
    Check{"record", &check_wheel_structure},
    Check{"nvidia-requirement", &check_nvidia_requirements},
    Check{"file-conflict", &check_shared_files},
    Check{"pure-but-compiled-upstream", &check_pure},
    Check{"smoke", &check_smoke},
};

}  // namespace

std::span<const Check> packaging_checks() {
    return packaging_list;
}

}  // namespace wheelforge::wheel
