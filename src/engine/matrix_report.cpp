// SPDX-License-Identifier: Apache-2.0
// A matrix as a table of text and as JSON.
#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/text.hpp"
#include "engine/matrix.hpp"

namespace wheelforge::engine {
namespace {

/// What stands in the last column.
std::string verdict(const MatrixCell& cell) {
    if (!cell.solvable) {
        return "no   " + printable(cell.reason);
    }
    return fmt::format("yes  {} packages", cell.packages);
}

std::string shown(const MatrixCell& cell, std::size_t axis) {
    const auto& value = cell.values[axis];
    const bool says_more =
        cell.solvable && !cell.versions[axis].empty() && cell.versions[axis] != value;
    return says_more ? value + " (" + cell.versions[axis] + ")" : value;
}

}  // namespace

std::string matrix_text(const MatrixReport& report) {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < report.axes.size(); ++i) {
        std::size_t width = report.axes[i].name.size();
        for (const auto& cell : report.cells) {
            width = std::max(width, shown(cell, i).size());
        }
        widths.push_back(width);
    }
    std::string out;
    for (std::size_t i = 0; i < report.axes.size(); ++i) {
        out += fmt::format("{:<{}}  ", report.axes[i].name, widths[i]);
    }
    out += "solvable\n";
    for (const auto& cell : report.cells) {
        for (std::size_t i = 0; i < report.axes.size(); ++i) {
            out += fmt::format("{:<{}}  ", shown(cell, i), widths[i]);
        }
        out += verdict(cell) + "\n";
    }
    if (!report.taken_as_wheels.empty()) {
        out +=
            "taken as wheels, for want of an sdist: " + join(report.taken_as_wheels, ", ") + "\n";
    }
    return out;
}

std::string matrix_json(const MatrixReport& report) {
    Json json;
    json["format"] = "wheelforge matrix 1";
    json["variant"] = report.variant;
    json["python"] = report.python;
    json["axes"] = Json::array();
    for (const auto& axis : report.axes) {
        json["axes"].push_back(Json{{"name", axis.name}, {"values", axis.values}});
    }
    json["cells"] = Json::array();
    for (const auto& cell : report.cells) {
        Json row;
        for (std::size_t i = 0; i < report.axes.size(); ++i) {
            row["values"][report.axes[i].name] = cell.values[i];
            if (cell.solvable) {
                row["versions"][report.axes[i].name] = cell.versions[i];
            }
        }
        row["solvable"] = cell.solvable;
        row["reason"] = cell.reason;
        row["packages"] = cell.packages;
        json["cells"].push_back(std::move(row));
    }
    json["taken_as_wheels"] = report.taken_as_wheels;
    return dump_json(json);
}

}  // namespace wheelforge::engine
