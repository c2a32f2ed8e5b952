// SPDX-License-Identifier: Apache-2.0
#include "cli/summary.hpp"

#include <algorithm>
#include <iostream>

#include <fmt/core.h>

#include "base/text.hpp"

namespace wheelforge::cli {
namespace {

using engine::PackageRow;
using engine::Report;

/// "built with other tools than today's: setuptools 80.1 -> 80.2"
std::string drift_of(const PackageRow& row) {
    return row.drift.empty() ? std::string() : "built before " + printable(join(row.drift, ", "));
}

void print_table(const Report& report) {
    std::size_t width = 0;
    for (const auto& row : report.packages) {
        width = std::max(width, row.name.size() + 1 + row.version.size());
    }
    for (const auto& row : report.packages) {
        std::cout << fmt::format(
            "{:<{}}  {:<9}  {:<7}  {}\n",
            row.name + " " + row.version,
            width,
            row.outcome,
            row.runtime ? "runtime" : "build",
            row.seconds > 0 ? human_seconds(row.seconds) : drift_of(row)
        );
    }
}

/// Text from outside, line by line: made safe, but still several lines.
void print_lines(const std::string& text, const char* indent) {
    for (const auto line : lines(text)) {
        std::cerr << indent << printable(line) << "\n";
    }
}

void print_failure(
    const std::string& subject, const engine::Failure& failure, const std::filesystem::path& log
) {
    std::cerr << "\nerror: " << subject;
    const auto all = lines(failure.message);
    std::cerr << (all.empty() ? "" : printable(all.front())) << " [" << failure.id << "]\n";
    if (all.size() > 1) {
        print_lines(failure.message.substr(all.front().size() + 1), "  ");
    }
    for (const auto& finding : failure.findings) {
        if (finding.level == wheel::Level::error) {
            std::cerr << "  " << finding.id << ": " << printable(finding.file)
                      << (finding.file.empty() ? "" : ": ") << printable(finding.evidence) << "\n";
        }
    }
    if (!failure.last_lines.empty()) {
        std::cerr << "  last lines of its log:\n";
        for (const auto& line : failure.last_lines) {
            std::cerr << "    | " << line << "\n";
        }
    }
    if (!log.empty()) {
        std::cerr << "  log: " << log.string() << "\n";
    }
    if (!failure.cause.empty()) {
        std::cerr << "  cause: " << printable(failure.cause) << "\n";
    }
    for (const auto& advice : failure.advice) {
        std::cerr << "  hint: " << printable(advice) << "\n";
    }
}

void print_missing(const Report& report) {
    for (const auto& tool : report.missing_tools) {
        std::cout << "missing: " << tool.name << ", probably needed by "
                  << join(tool.needed_by, ", ") << " (" << tool.advice << ")\n";
    }
}

void print_each_failure(const Report& report, const std::filesystem::path& output) {
    if (report.error) {
        print_failure("", *report.error, {});
    }
    for (const auto& row : report.packages) {
        if (row.failure) {
            print_failure(
                row.name + " " + row.version + ": ",
                *row.failure,
                row.log.empty() || row.failure->last_lines.empty() ? std::filesystem::path()
                                                                   : output / row.log
            );
        }
    }
}

void print_first_action(const Report& report) {
    if (!report.first_action.empty()) {
        std::cerr << "\nfirst: " << printable(report.first_action) << "\n";
    }
}

}  // namespace

void print_failure(const engine::Failure& failure) {
    print_failure("", failure, {});
}

void print_failures(const Report& report, const std::filesystem::path& output) {
    print_each_failure(report, output);
    print_first_action(report);
}

void print_summary(const Report& report, const std::filesystem::path& output) {
    print_table(report);
    print_missing(report);
    std::cout.flush();
    print_each_failure(report, output);
    std::string counted;
    for (const auto& [outcome, count] : report.counts()) {
        if (count > 0) {
            counted += fmt::format("{}{} {}", counted.empty() ? "" : ", ", count, outcome);
        }
    }
    if (counted.empty()) {
        counted = report.exit_code == ExitCode::ok ? "nothing to do" : "nothing built";
    }
    std::cout << counted << " in " << human_seconds(report.seconds) << "\n";
    if (report.exit_code == ExitCode::ok && report.counts().at("planned") == 0) {
        std::cout << "wheels: " << (output / report.variant / "wheels").string() << "\n";
    } else {
        print_first_action(report);
    }
}

}  // namespace wheelforge::cli
