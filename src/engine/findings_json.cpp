// SPDX-License-Identifier: Apache-2.0
#include "engine/findings_json.hpp"

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "wheel/verify/catalogue.hpp"

namespace wheelforge::engine {

Json findings_json(const std::vector<wheel::Finding>& findings) {
    Json array = Json::array();
    for (const auto& finding : findings) {
        array.push_back({
            {"id", finding.id},
            {"level", wheel::level_name(finding.level)},
            {"file", finding.file},
            {"evidence", finding.evidence},
            {"advice", finding.advice},
        });
    }
    return array;
}

wheel::Finding read_finding(const JsonPlace& finding) {
    const auto level = finding.at("level");
    const auto known = wheel::parse_level(level.text());
    if (!known) {
        level.refuse("is '" + printable(level.text()) + "', not a level of findings");
    }
    return {
        finding.at("id").text(),
        *known,
        finding.at("file").text(),
        finding.at("evidence").text(),
        finding.at("advice").text()
    };
}

}  // namespace wheelforge::engine
