// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/text.hpp"
#include "engine/doctor.hpp"

namespace wheelforge::engine {
namespace {

const char* health_name(Health health) {
    switch (health) {
    case Health::ok:
        return "ok";
    case Health::note:
        return "note";
    case Health::missing:
        return "missing";
    }
    return "";
}

std::string json_text(const VariantHere& here, const std::vector<Diagnosis>& diagnoses) {
    auto rows = Json::array();
    for (const auto& each : diagnoses) {
        rows.push_back(
            {{"area", each.area},
             {"subject", each.subject},
             {"health", health_name(each.health)},
             {"found", each.found},
             {"mend", each.mend}}
        );
    }
    return dump_json(
        {{"format", "wheelforge doctor 1"},
         {"variant", here.variant.name},
         {"host_architecture", here.host_architecture},
         {"archs", here.archs},
         {"fit", is_fit(diagnoses)},
         {"diagnoses", rows}}
    );
}

}  // namespace

std::string
render_diagnoses(const VariantHere& here, const std::vector<Diagnosis>& diagnoses, bool json) {
    if (json) {
        return json_text(here, diagnoses);
    }
    std::string text = fmt::format("{} on {}\n", here.variant.name, here.host_architecture);
    for (const auto& each : diagnoses) {
        text += fmt::format(
            "{:<8} {:<10} {:<17} {}\n",
            health_name(each.health),
            each.area,
            printable(each.subject),
            printable(each.found)
        );
        for (const auto& mend : each.mend) {
            text += fmt::format("{:<38}-> {}\n", "", printable(mend));
        }
    }
    text +=
        is_fit(diagnoses) ? "fit to build\n" : "not fit to build: see the lines marked missing\n";
    return text;
}

}  // namespace wheelforge::engine
