// SPDX-License-Identifier: Apache-2.0
#include "engine/build_record.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "engine/findings_json.hpp"
#include "engine/host.hpp"

namespace wheelforge::engine {
namespace {

Json environment_json(const std::vector<EnvironmentWheel>& environment) {
    Json wheels = Json::array();
    for (const auto& wheel : environment) {
        wheels.push_back({
            {"name", wheel.id.name},
            {"version", wheel.id.version.text()},
            {"sha256", wheel.sha256},
            {"payload", wheel.payload},
        });
    }
    return wheels;
}

Json crates_json(const std::vector<source::Crate>& crates) {
    Json list = Json::array();
    for (const auto& crate : crates) {
        list.push_back({
            {"name", crate.name},
            {"version", crate.version},
            {"origin", without_credentials(crate.origin)},
            {"checksum", crate.checksum},
        });
    }
    return list;
}

Json variables_json(const std::vector<plugin::BuildVariable>& variables) {
    Json object = Json::object();
    for (const auto& variable : variables) {
        object[variable.name] = variable.value;
    }
    return object;
}

Json config_json(const std::map<std::string, std::vector<std::string>>& settings) {
    Json object = Json::object();
    for (const auto& [key, values] : settings) {
        object[key] = values;
    }
    return object;
}

std::string backend_name(const PreparedSource& source) {
    return source.settings.builder.value == config::Builder::pip
               ? "pip"
               : source.facts->pyproject.build_system.backend;
}

}  // namespace

std::int64_t source_date_epoch(std::int64_t newest_mtime) noexcept {
    constexpr std::int64_t year_1980 = 315'532'800;
    return std::max(newest_mtime, year_1980);
}

std::string build_record_json(
    const BuildTask& task,
    const wheel::RawWheelFacts& wheel,
    const store::Inputs& inputs,
    const plugin::Toolbox& tools,
    const plugin::RawWheel& raw
) {
    const auto& source = *task.source;
    Json record = {
        {"format", "wheelforge build record 1"},
        {"name", source.id.name},
        {"version", wheel.version.text()},
        {"wheelforge", WHEELFORGE_VERSION},
        {"build_key", inputs.key()},
        {"plan_key", source.plan_key},
        {"inputs", inputs.lines()},
        {"source",
         {{"kind", "sdist"},
          {"filename", source.file.filename},
          {"url", without_credentials(source.file.url)},
          {"sha256", source.sha256}}},
        {"environment", variables_json(source.variables)},
        {"build_environment", environment_json(task.environment)},
        {"backend", backend_name(source)},
        {"config_settings", config_json(source.settings.config_settings)},
        {"sandbox", build::sandbox_class(tools.sandbox.level)},
        {"payload", wheel.payload},
    };
    if (!raw.crates.empty()) {
        record["crates"] = crates_json(raw.crates);
    }
    for (const auto& file : raw.translated) {
        record["translated"].push_back({{"path", file.path}, {"sha256", file.sha256}});
    }
    return dump_json(record);
}

std::string measured_record_json(
    const BuildTask& task,
    const std::string& build_record,
    const wheel::SealedWheel& wheel,
    const std::vector<plugin::StepMeasure>& steps
) {
    Json measured = Json::array();
    for (const auto& step : steps) {
        measured.push_back({
            {"step", step.step},
            {"wall_seconds", step.wall_seconds},
            {"cpu_seconds", step.cpu_seconds},
            {"peak_rss_bytes", step.peak_rss_bytes},
            {"disk_bytes", step.disk_bytes},
        });
    }
    Json matched = Json::array();
    for (const auto& each : task.environment) {
        if (each.matched) {
            matched.push_back(each.id.name);
        }
    }
    const auto packages = system_packages_digest();
    return dump_json(Json{
        {"format", "wheelforge record 1"},
        {"build", parse_json(build_record).value()},
        {"wheel", {{"filename", wheel.filename}, {"sha256", wheel.sha256}}},
        {"matched", std::move(matched)},
        {"findings", findings_json(wheel.findings)},
        {"measured", {{"steps", std::move(measured)}}},
        {"system_packages_digest", packages ? Json(*packages) : Json(nullptr)},
    });
}

}  // namespace wheelforge::engine
