// SPDX-License-Identifier: Apache-2.0
#include "engine/record_read.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "engine/findings_json.hpp"
#include "engine/json_place.hpp"
#include "pep/name.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::engine {
namespace {

constexpr std::uint64_t record_limit = 64U << 20U;

void take_build(const JsonPlace& build, Record& record) {
    record.name = build.at("name").text();
    record.version = build.at("version").text();
    record.build_key = build.at("build_key").text();
    record.payload = build.at("payload").text();
    build.at("inputs").each_element([&](const JsonPlace& line) {
        record.inputs.push_back(line.text());
    });
}

void take_measured(const JsonPlace& document, Record& record) {
    record.wheel = document.at("wheel").at("filename").text();
    record.wheel_sha256 = document.at("wheel").at("sha256").text();
    double seconds = 0;
    document.at("measured").at("steps").each_element([&](const JsonPlace& step) {
        seconds += step.at("wall_seconds").real();
    });
    record.seconds = seconds;
    if (const auto matched = document.find("matched")) {
        matched->each_element([&](const JsonPlace& name) { record.matched.insert(name.text()); });
    }
    if (const auto findings = document.find("findings")) {
        findings->each_element([&](const JsonPlace& finding) {
            record.findings.push_back(read_finding(finding));
        });
    }
}

Record record_of(const JsonPlace& document) {
    Record record;
    const auto format = document.at("format");
    if (format.text() == "wheelforge record 1") {
        take_build(document.at("build"), record);
        take_measured(document, record);
    } else if (format.text() == "wheelforge build record 1") {
        take_build(document, record);
    } else {
        format.refuse("is '" + printable(format.text()) + "', not that of a record");
    }
    return record;
}

Error bad_record(const fs::path& path, const std::string& problem) {
    return Error(
               ExitCode::usage,
               "bad-record",
               printable(path.string()) + " is not a build record: " + problem
    )
        .advise("records are out/<variant>/records/*.json and the wheels that wheelforge sealed");
}

Record parse_record_text(const std::string& text, const fs::path& path) {
    const auto document = parse_json(text);
    if (!document) {
        throw bad_record(path, printable(document.error().message));
    }
    try {
        auto record = record_of(JsonPlace(*document));
        record.origin = path;
        return record;
    } catch (const WrongDocument& wrong) {
        throw bad_record(path, wrong.what());
    }
}

std::string text_in_wheel(const fs::path& path) {
    const wheel::WheelFile file(path);
    const auto* member = file.zip().find(file.dist_info() + "/wheelforge/build.json");
    if (member == nullptr) {
        throw bad_record(path, "the wheel has none inside; it was not sealed by wheelforge");
    }
    return file.zip().read(*member, record_limit);
}

}  // namespace

Record load_record(const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        throw Error(ExitCode::usage, "file-not-found", "there is no " + printable(path.string()));
    }
    return parse_record_text(
        path.extension() == ".whl" ? text_in_wheel(path) : read_file(path, record_limit), path
    );
}

std::vector<Record> records_in(const fs::path& folder, const std::string& name) {
    std::vector<fs::path> files;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(folder, absent)) {
        const auto file = entry.path().filename().string();
        const bool fits =
            name.empty() || pep::normalize_name(file.substr(0, file.find('-'))) == name;
        if (fits && entry.path().extension() == ".json") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<Record> records;
    for (const auto& file : files) {
        try {
            auto record = load_record(file);
            if (name.empty() || record.name == name) {
                records.push_back(std::move(record));
            }
        } catch (const Error&) {
            // a file of somebody else
        }
    }
    return records;
}

}  // namespace wheelforge::engine
