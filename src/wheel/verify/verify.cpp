// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/verify.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "wheel/verify/check.hpp"
#include "wheel/verify/coverage.hpp"
#include "wheel/verify/kernel_sources.hpp"

namespace wheelforge::wheel {

namespace fs = std::filesystem;

namespace {

std::vector<Check> all_checks() {
    std::vector<Check> checks;
    for (const auto group :
         {packaging_checks(),
          device_checks(),
          source_checks(),
          device_file_checks(),
          baseline_checks(),
          linking_checks(),
          abi_checks(),
          hygiene_checks()}) {
        checks.insert(checks.end(), group.begin(), group.end());
    }
    return checks;
}

const PackageExpectation* plugin_of(const VerifyRequest& request, const std::string& name) {
    const auto found = request.plugins.find(name);
    return found == request.plugins.end() ? nullptr : &found->second;
}

const BuildFacts* build_of(const VerifyRequest& request, const Subject& subject) {
    const auto found = request.builds.find(subject.label);
    return found == request.builds.end() ? nullptr : &found->second;
}

/// Layers of what is expected; later ones win where they say something.
class ExpectationBuilder {
public:
    ExpectationBuilder(const VerifyRequest& request, const Subject& subject)
        : request_(request), subject_(subject) {}

    WheelExpectation build(bool only_wheel) {
        start();
        // In a build the archs are asked of the whole set, and its sources say what each one owes.
        result_.asked_by_name =
            only_wheel && !request_.archs.empty() && build_of(request_, subject_) == nullptr;
        if (const PackageExpectation* plugin = plugin_of(request_, subject_.name)) {
            add(*plugin, "the plugin of " + subject_.name);
        }
        if (const PackageExpectation* policy = request_.policy.expectation(subject_.name)) {
            add(*policy, "the policy");
        }
        return std::move(result_);
    }

private:
    void start() {
        if (!request_.archs.empty()) {
            result_.archs = request_.archs;
            result_.origin = "asked for by --arch";
        } else if (request_.variant) {
            result_.archs = request_.variant->archs;
            result_.origin = "an arch of variant " + request_.variant->name;
        }
    }

    void add(const PackageExpectation& layer, const std::string& origin) {
        const BuildFacts* build = build_of(request_, subject_);
        const std::map<std::string, std::string> none;
        const Kernels kernels = layer.kernels_in(
            build == nullptr ? none : build->environment,
            request_.variant ? std::string_view(request_.variant->family) : std::string_view()
        );
        result_.kernels = kernels == Kernels::automatic ? result_.kernels : kernels;
        if (!layer.archs.empty()) {
            result_.archs = layer.archs;
            result_.origin = "expected by " + origin;
        }
        result_.files.insert(result_.files.end(), layer.files.begin(), layer.files.end());
        result_.aliases.insert(layer.aliases.begin(), layer.aliases.end());
        result_.externals.insert(
            result_.externals.end(), layer.externals.begin(), layer.externals.end()
        );
    }

    const VerifyRequest& request_;
    const Subject& subject_;
    WheelExpectation result_;
};

std::vector<Subject> load_subjects(const VerifyRequest& request) {
    std::vector<Subject> subjects;
    std::set<fs::path> seen;
    for (const fs::path& input : request.inputs) {
        for (const fs::path& wheel : wheels_of(input)) {
            if (seen.insert(fs::weakly_canonical(wheel)).second) {
                const auto build = request.builds.find(wheel.filename().string());
                const bool built_here = build != request.builds.end();
                subjects.push_back(load_subject(
                    wheel, built_here ? build->second.private_paths : std::vector<std::string>()
                ));
            }
        }
    }
    for (const fs::path& folder : request.closure) {
        for (const fs::path& wheel : wheels_of(folder)) {
            if (seen.insert(fs::weakly_canonical(wheel)).second) {
                subjects.push_back(load_neighbour(wheel));
            }
        }
    }
    return subjects;
}

const LockedPackage* baseline_of(const VerifyRequest& request, const Subject& subject) {
    if (!request.baseline) {
        return nullptr;
    }
    const auto found = request.baseline->packages.find(subject.name);
    return found == request.baseline->packages.end() ? nullptr : &found->second;
}

WheelVerdict refused(const Subject& subject) {
    WheelVerdict verdict{subject.path.string(), subject.label, "", "", "", {}};
    verdict.findings.push_back({"bad-wheel", Level::error, "", subject.refused, ""});
    return verdict;
}

std::string archs_text(const Subject& subject) {
    std::vector<const FileReport*> files;
    for (const FileReport& file : subject.files) {
        files.push_back(&file);
    }
    return subject.has_kernels() ? held_archs(files) : "";
}

WheelVerdict judge(
    const Subject& subject, const Closure& closure, const VerifyRequest& request, bool only_wheel
) {
    const WheelExpectation expected = ExpectationBuilder(request, subject).build(only_wheel);
    const CheckContext context{
        subject,
        closure,
        request,
        expected,
        baseline_of(request, subject),
        build_of(request, subject)
    };
    FindingSink sink(request.policy, subject.name);
    for (const Check& check : all_checks()) {
        if (request.only.empty() || request.only.contains(std::string(check.name))) {
            check.run(context, sink);
        }
    }
    WheelVerdict verdict{
        subject.path.string(),
        subject.label,
        subject.name,
        subject.filename.written_version,
        archs_text(subject),
        sink.take()
    };
    std::stable_sort(
        verdict.findings.begin(),
        verdict.findings.end(),
        [](const Finding& a, const Finding& b) { return a.level > b.level; }
    );
    return verdict;
}

}  // namespace

bool VerifyResult::has_errors() const noexcept {
    return count(Level::error) > 0;
}

std::size_t VerifyResult::count(Level level) const noexcept {
    std::size_t total = 0;
    for (const WheelVerdict& wheel : wheels) {
        total += static_cast<std::size_t>(std::count_if(
            wheel.findings.begin(),
            wheel.findings.end(),
            [&](const Finding& finding) { return finding.level == level; }
        ));
    }
    return total;
}

VerifyResult verify(const VerifyRequest& request) {
    const std::vector<Subject> subjects = load_subjects(request);
    const auto judged = std::count_if(subjects.begin(), subjects.end(), [](const Subject& subject) {
        return subject.judged;
    });
    if (judged == 0) {
        throw Error(ExitCode::usage, "no-wheels", "there is no wheel in what was given to verify");
    }
    const Closure closure(subjects);
    VerifyResult result;
    for (const Subject& subject : subjects) {
        if (!subject.judged) {
            continue;
        }
        if (!subject.refused.empty()) {
            result.wheels.push_back(refused(subject));
            continue;
        }
        result.wheels.push_back(judge(subject, closure, request, judged == 1));
        result.lock.packages[subject.name] =
            locked_package(subject.filename.written_version, subject.files);
    }
    return result;
}

std::vector<fs::path> fromager_folders(const fs::path& tree) {
    std::vector<fs::path> folders;
    for (const char* name : {"downloads", "prebuilt"}) {
        const fs::path folder = tree / "wheels-repo" / name;
        if (fs::is_directory(folder)) {
            folders.push_back(folder);
        }
    }
    if (folders.empty()) {
        throw Error(
            ExitCode::usage,
            "file-not-found",
            tree.string() + " has no wheels-repo/downloads: it is no output of Fromager"
        );
    }
    return folders;
}

KernelsLock load_baseline(const fs::path& path) {
    if (fs::is_regular_file(path) && path.extension() != ".whl") {
        return load_kernels_lock(path);
    }
    KernelsLock lock;
    for (const fs::path& wheel : wheels_of(path)) {
        const Subject subject = load_baseline_wheel(wheel);
        if (subject.refused.empty()) {
            lock.packages[subject.name] =
                locked_package(subject.filename.written_version, subject.files);
        }
    }
    return lock;
}

}  // namespace wheelforge::wheel
