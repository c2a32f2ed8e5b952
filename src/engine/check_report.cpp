// SPDX-License-Identifier: Apache-2.0
// What a check found, as text and as JSON.
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/text.hpp"
#include "engine/check.hpp"

namespace wheelforge::engine {
namespace {

/// The sentence that says what the line must say, where that is known.
std::string wish(const CheckFinding& finding) {
    if (finding.needs == "pre_built") {
        return fmt::format(
            "must be pre_built: --pre-built {0}, or variants.NAME.pre_built: true in settings of "
            "{0}; or come from git",
            finding.package
        );
    }
    if (finding.needs == "git") {
        return "must say git (NAME @ git+URL@TAG), or an index or folder that has it";
    }
    return {};
}

std::string text_of(const CheckFinding& finding) {
    std::string out = finding.blocks ? "error: " : "warning: ";
    if (!finding.origin.empty()) {
        out += printable(finding.origin) + ": ";
    }
    bool first = true;
    for (const auto line : lines(finding.message)) {
        out += (first ? "" : "\n    ") + printable(line);
        if (first) {
            out += " [" + finding.id + "]";
        }
        first = false;
    }
    out += "\n";
    if (const auto must = wish(finding); !must.empty()) {
        out += "    " + must + "\n";
    }
    for (const auto& advice : finding.advice) {
        out += "    " + printable(advice) + "\n";
    }
    return out;
}

Json json_of(const CheckFinding& finding) {
    Json json;
    json["id"] = finding.id;
    json["level"] = finding.blocks ? "error" : "warning";
    json["package"] = finding.package;
    json["version"] = finding.version;
    json["origin"] = finding.origin;
    json["message"] = finding.message;
    json["needs"] = finding.needs;
    json["advice"] = finding.advice;
    return json;
}

std::string counted(std::size_t number, const char* one, const char* many) {
    return fmt::format("{} {}", number, number == 1 ? one : many);
}

}  // namespace

std::string check_text(const CheckReport& report) {
    std::string out;
    for (const auto& finding : report.findings) {
        out += text_of(finding);
    }
    const auto blocking = report.blocking();
    const auto warnings = report.findings.size() - blocking;
    std::size_t runtime = 0;
    for (const auto& package : report.packages) {
        runtime += package.runtime ? 1 : 0;
    }
    out += fmt::format(
        "{}{}: {} in the runtime set, {} to build, in {}\n",
        blocking == 0 ? "nothing stands in the way"
                      : counted(blocking, "thing stands in the way", "things stand in the way"),
        warnings == 0 ? "" : ", " + counted(warnings, "warning", "warnings"),
        counted(runtime, "package", "packages"),
        report.build_scopes,
        human_seconds(report.seconds)
    );
    return out;
}

std::string check_json(const CheckReport& report) {
    Json json;
    json["format"] = "wheelforge check 1";
    json["ok"] = report.blocking() == 0;
    json["variant"] = report.variant;
    json["python"] = report.python;
    json["findings"] = Json::array();
    for (const auto& finding : report.findings) {
        json["findings"].push_back(json_of(finding));
    }
    json["packages"] = Json::array();
    for (const auto& package : report.packages) {
        Json row;
        row["name"] = package.name;
        row["version"] = package.version;
        row["runtime"] = package.runtime;
        row["source"] = package.source;
        json["packages"].push_back(std::move(row));
    }
    json["notices"] = report.notices;
    json["seconds"] = report.seconds;
    return dump_json(json);
}

}  // namespace wheelforge::engine
