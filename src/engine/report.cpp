// SPDX-License-Identifier: Apache-2.0
#include "engine/report.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "engine/findings_json.hpp"

namespace wheelforge::engine {
namespace {

Json failure_json(const std::optional<Failure>& failure) {
    if (!failure) {
        return nullptr;
    }
    return {
        {"id", failure->id},
        {"message", failure->message},
        {"cause", text_or_null(failure->cause)},
        {"advice", failure->advice},
    };
}

Json row_json(const PackageRow& row) {
    return {
        {"name", row.name},
        {"version", row.version},
        {"scope", row.runtime ? "runtime" : "build"},
        {"outcome", row.outcome},
        {"key", text_or_null(row.key)},
        {"wheel", text_or_null(row.wheel)},
        {"sha256", text_or_null(row.sha256)},
        {"seconds", row.seconds},
        {"log", text_or_null(row.log)},
        {"findings", findings_json(row.findings)},
        {"error", failure_json(row.failure)},
        {"blocked_by", row.blocked_by},
        {"drift", row.drift},
    };
}

std::string outcome_of(const Job& job) {
    if (const auto* published = job.published()) {
        return std::string(outcome_name(published->outcome));
    }
    if (const auto* failed = std::get_if<Failed>(&job.state)) {
        return failed->failure.code == ExitCode::refused ? "refused" : "failed";
    }
    if (std::holds_alternative<Blocked>(job.state)) {
        return "blocked";
    }
    return std::holds_alternative<Planned>(job.state) ? "planned" : "cancelled";
}

}  // namespace

PackageRow row_of(const Job& job, bool runtime) {
    PackageRow row;
    row.name = job.id.name;
    row.version = job.id.version.text();
    row.runtime = runtime;
    row.outcome = outcome_of(job);
    row.seconds = job.seconds;
    row.log = job.log;
    if (const auto* published = job.published()) {
        row.version = published->entry.version;
        row.key = published->entry.key;
        row.sha256 = published->entry.sha256;
        row.findings = published->findings;
        row.drift = published->drift;
    } else if (const auto* failed = std::get_if<Failed>(&job.state)) {
        row.failure = failed->failure;
        row.findings = failed->failure.findings;
    } else if (const auto* blocked = std::get_if<Blocked>(&job.state)) {
        row.blocked_by = {blocked->by.key()};
    }
    return row;
}

std::string first_action(const Report& report) {
    const auto action_of = [](const Failure& failure, const std::string& log) {
        if (!failure.advice.empty()) {
            return failure.advice.front();
        }
        return log.empty() ? "read: wheelforge explain " + failure.id : "read the log: " + log;
    };
    if (report.error) {
        return action_of(*report.error, "");
    }
    for (const auto& row : report.packages) {
        if (row.failure) {
            return row.name + " " + row.version + ": " + action_of(*row.failure, row.log);
        }
    }
    return "";
}

std::map<std::string, int> Report::counts() const {
    std::map<std::string, int> counts;
    for (const auto* outcome :
         {"built",
          "reused",
          "pre_built",
          "failed",
          "blocked",
          "refused",
          "cancelled",
          "planned",
          "provided"}) {
        counts[outcome] = 0;
    }
    for (const auto& row : packages) {
        ++counts[row.outcome];
    }
    return counts;
}

static Json json_of(const Report& report) {
    Json packages = Json::array();
    for (const auto& row : report.packages) {
        packages.push_back(row_json(row));
    }
    Json missing = Json::array();
    for (const auto& tool : report.missing_tools) {
        missing.push_back(
            {{"name", tool.name},
             {"needed_by", tool.needed_by},
             {"advice", text_or_null(tool.advice)}}
        );
    }
    return Json{
        {"format", "wheelforge report 1"},
        {"wheelforge", WHEELFORGE_VERSION},
        {"variant", report.variant},
        {"target",
         {{"python", report.target.python.text()},
          {"machine", report.target.machine},
          {"glibc", fmt::format("{}.{}", report.target.glibc_major, report.target.glibc_minor)}}},
        {"exit_code", static_cast<int>(report.exit_code)},
        {"seconds", report.seconds},
        {"error", failure_json(report.error)},
        {"counts", report.counts()},
        {"packages", std::move(packages)},
        {"missing_tools", std::move(missing)},
        {"notices", report.notices},
        {"first_action", text_or_null(report.first_action)},
    };
}

std::string report_json(const Report& report) {
    return dump_json(json_of(report));
}

ExitCode exit_code_of(const std::vector<Report>& reports) {
    auto code = ExitCode::ok;
    for (const auto& report : reports) {
        code = worse(code, report.exit_code);
    }
    return code;
}

void write_reports(const std::filesystem::path& output, const std::vector<Report>& reports) {
    const auto worst = std::find_if(
        reports.begin(),
        reports.end(),
        [code = exit_code_of(reports)](const auto& each) { return each.exit_code == code; }
    );
    auto runs = Json::array();
    for (const auto& report : reports) {
        const auto path = report.variant + "/report.json";
        write_file(output / path, report_json(report));
        runs.push_back(
            {{"variant", report.variant},
             {"exit_code", static_cast<int>(report.exit_code)},
             {"counts", report.counts()},
             {"report", path}}
        );
    }
    auto whole = json_of(*worst);
    whole["runs"] = std::move(runs);
    write_file(output / "report.json", dump_json(whole));
}

}  // namespace wheelforge::engine
