// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/markup.hpp"
#include "base/text.hpp"
#include "wheel/verify/verify.hpp"

namespace wheelforge::wheel {

namespace {

std::string plural(std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string finding_text(const Finding& finding) {
    std::string text = fmt::format("  {}: {}", level_name(finding.level), finding.id);
    text += finding.file.empty() ? "" : " " + finding.file;
    text += ": " + finding.evidence + "\n";
    if (!finding.advice.empty()) {
        text += "      hint: " + finding.advice + "\n";
    }
    return text;
}

std::string render_text(const VerifyResult& result) {
    std::string text;
    for (const WheelVerdict& wheel : result.wheels) {
        text += printable(wheel.file);
        text += wheel.archs.empty() ? "\n" : "  (" + wheel.archs + ")\n";
        for (const Finding& finding : wheel.findings) {
            text += finding_text(finding);
        }
        if (wheel.findings.empty()) {
            text += "  nothing found\n";
        }
    }
    return text
           + fmt::format(
               "{}: {}, {}, {}\n",
               plural(result.wheels.size(), "wheel"),
               plural(result.count(Level::error), "error"),
               plural(result.count(Level::warn), "warning"),
               plural(result.count(Level::info), "note")
           );
}

Json wheel_json(const WheelVerdict& wheel) {
    Json findings = Json::array();
    for (const Finding& finding : wheel.findings) {
        findings.push_back(Json{
            {"id", finding.id},
            {"level", level_name(finding.level)},
            {"file", finding.file.empty() ? Json(nullptr) : Json(finding.file)},
            {"evidence", finding.evidence},
            {"advice", finding.advice.empty() ? Json(nullptr) : Json(finding.advice)}
        });
    }
    const auto or_null = [](const std::string& text) {
        return text.empty() ? Json(nullptr) : Json(text);
    };
    return Json{
        {"path", wheel.path},
        {"name", or_null(wheel.name)},
        {"version", or_null(wheel.version)},
        {"accepted", !has_errors(wheel.findings)},
        {"findings", std::move(findings)}
    };
}

std::string render_json(const VerifyResult& result) {
    Json wheels = Json::array();
    for (const WheelVerdict& wheel : result.wheels) {
        wheels.push_back(wheel_json(wheel));
    }
    return dump_json(Json{
        {"format", "wheelforge verify 1"},
        {"accepted", !result.has_errors()},
        {"errors", result.count(Level::error)},
        {"warnings", result.count(Level::warn)},
        {"wheels", std::move(wheels)}
    });
}

std::string xml(std::string_view text) {
    return escape_markup(printable(text));
}

/// An error is a failure; a warning or note passes and is told in the output.
std::string junit_case(const WheelVerdict& wheel, const Finding& finding) {
    const std::string head = fmt::format(
        "    <testcase classname=\"{}\" name=\"{}{}\">\n",
        xml(wheel.file),
        xml(finding.id),
        finding.file.empty() ? "" : " " + xml(finding.file)
    );
    const std::string body = finding.level == Level::error
                                 ? fmt::format(
                                       "      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                                       xml(finding.id),
                                       xml(finding.evidence),
                                       xml(finding.advice)
                                   )
                                 : fmt::format(
                                       "      <system-out>{}: {}</system-out>\n",
                                       level_name(finding.level),
                                       xml(finding.evidence)
                                   );
    return head + body + "    </testcase>\n";
}

std::string junit_suite(const WheelVerdict& wheel) {
    std::size_t failures = 0;
    std::string cases;
    for (const Finding& finding : wheel.findings) {
        failures += finding.level == Level::error ? 1U : 0U;
        cases += junit_case(wheel, finding);
    }
    if (wheel.findings.empty()) {
        cases = fmt::format("    <testcase classname=\"{}\" name=\"verify\"/>\n", xml(wheel.file));
    }
    return fmt::format(
               "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n",
               xml(wheel.file),
               std::max<std::size_t>(1, wheel.findings.size()),
               failures
           )
           + cases + "  </testsuite>\n";
}

std::string render_junit(const VerifyResult& result) {
    std::string suites;
    for (const WheelVerdict& wheel : result.wheels) {
        suites += junit_suite(wheel);
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"wheelforge verify\">\n"
           + suites + "</testsuites>\n";
}

}  // namespace

std::string render(const VerifyResult& result, VerifyFormat format) {
    switch (format) {
    case VerifyFormat::json:
        return render_json(result);
    case VerifyFormat::junit:
        return render_junit(result);
    case VerifyFormat::text:
        break;
    }
    return render_text(result);
}

}  // namespace wheelforge::wheel
