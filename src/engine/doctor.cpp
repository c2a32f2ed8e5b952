// SPDX-License-Identifier: Apache-2.0
#include "engine/doctor.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "engine/environment_report.hpp"

namespace wheelforge::engine {
namespace {

void append(std::vector<Diagnosis>& all, std::vector<Diagnosis> more) {
    all.insert(
        all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end())
    );
}

/// What is known of the packages asked about, before anything of them is fetched.
std::vector<Diagnosis> examine_packages(const DoctorQuestion& question) {
    std::vector<Diagnosis> all;
    for (const auto& text : question.packages) {
        std::error_code error;
        if (std::filesystem::exists(text, error)) {
            append(all, examine_externals(text, question.here));
            continue;
        }
        const auto package = asked_package(text);
        const auto environment =
            environment_of(question.here, question.settings.package(package.name), package.version);
        if (environment.problems.empty()) {
            all.push_back({"packages", package.text(), Health::ok, "nothing known against it", {}});
        }
        for (const auto& problem : environment.problems) {
            all.push_back(
                {"packages",
                 package.text(),
                 Health::missing,
                 problem.message,
                 problem.advice.empty() ? std::vector<std::string>{}
                                        : std::vector<std::string>{problem.advice}}
            );
        }
    }
    return all;
}

}  // namespace

std::vector<Diagnosis> examine(const DoctorQuestion& question) {
    auto all = examine_toolchain(question.here);
    append(all, examine_programs(question.here));
    append(all, examine_machine(question));
    append(all, examine_packages(question));
    return all;
}

bool is_fit(const std::vector<Diagnosis>& diagnoses) {
    return std::none_of(diagnoses.begin(), diagnoses.end(), [](const Diagnosis& each) {
        return each.health == Health::missing;
    });
}

}  // namespace wheelforge::engine
