// SPDX-License-Identifier: Apache-2.0
#include "engine/matrix.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "engine/check_judge.hpp"
#include "engine/session.hpp"
#include "pep/name.hpp"

namespace wheelforge::engine {
namespace {

constexpr int most_corrections = 300;
constexpr std::size_t most_cells = 4096;

bool is_toolchain(const std::string& name) {
    const auto variants = variant::known_variants();
    return std::find(variants.begin(), variants.end(), name) != variants.end();
}

BootstrapRequest without_building(BootstrapRequest request) {
    request.plan_only = true;
    request.versions_only = true;
    return request;
}

/// What a chain says, on one line.
std::string told(const resolve::Conflict& conflict) {
    std::vector<std::string> parts;
    for (const auto& link : conflict.chain) {
        const bool is_requirement = pep::Requirement::parse(link.requires_).has_value();
        parts.push_back(link.package + (is_requirement ? " requires " : " ") + link.requires_);
    }
    return join(parts, "; ");
}

class Matrix {
public:
    Matrix(BootstrapRequest request, std::vector<MatrixAxis> axes, Observer& observer)
        : request_(without_building(std::move(request))), session_(request_, observer, {}) {
        report_.axes = std::move(axes);
    }

    MatrixReport run(const std::stop_token& stop);

private:
    void lay_out();
    void provide_toolchains();
    void solve(MatrixCell& cell);
    void solved(MatrixCell& cell, const Scopes::Answer& answer);
    bool take_wheels();
    void give_reasons();
    [[nodiscard]] std::vector<CheckFinding> judge(const resolve::Conflict& conflict) const;

    BootstrapRequest request_;
    Session session_;
    std::unique_ptr<Scopes> scopes_;
    MatrixReport report_;
    std::map<MatrixCell*, resolve::Conflict> conflicts_;
};

void Matrix::lay_out() {
    std::vector<MatrixCell> cells(1);
    for (const auto& axis : report_.axes) {
        std::vector<MatrixCell> longer;
        for (const auto& cell : cells) {
            for (const auto& value : axis.values) {
                longer.push_back(cell);
                longer.back().values.push_back(value);
            }
        }
        cells = std::move(longer);
        if (cells.size() > most_cells) {
            throw Error(
                ExitCode::usage,
                "bad-usage",
                "the matrix has more than 4096 cells: name fewer values"
            );
        }
    }
    report_.cells = std::move(cells);
}

void Matrix::provide_toolchains() {
    for (const auto& axis : report_.axes) {
        if (!is_toolchain(axis.name)) {
            continue;
        }
        for (const auto& value : axis.values) {
            const auto version = pep::Version::parse(value);
            if (!version) {
                throw Error(
                    ExitCode::usage,
                    "bad-usage",
                    "--axis " + axis.name + ": '" + printable(value) + "' is no version"
                );
            }
            session_.catalog.provide(axis.name, *version);
        }
    }
}

void Matrix::solve(MatrixCell& cell) {
    auto problem = runtime_problem(request_, {});
    for (std::size_t i = 0; i < cell.values.size(); ++i) {
        const auto& axis = report_.axes[i];
        problem.roots.push_back(
            {axis.wanted(cell.values[i]).value(),
             {resolve::Origin::Kind::root, "--axis " + axis.name}}
        );
    }
    scopes_->solve_runtime(std::move(problem), [this, &cell](const Scopes::Answer& answer) {
        solved(cell, answer);
    });
}

void Matrix::solved(MatrixCell& cell, const Scopes::Answer& answer) {
    if (const auto* conflict = std::get_if<resolve::Conflict>(&answer)) {
        conflicts_.insert_or_assign(&cell, *conflict);
        return;
    }
    const auto& solution = std::get<Solution>(answer);
    cell.solvable = true;
    cell.packages = solution->pins.size();
    for (const auto& axis : report_.axes) {
        const auto* pin = solution->find(axis.name);
        cell.versions.push_back(pin == nullptr ? std::string() : pin->version.text());
    }
}

std::vector<CheckFinding> Matrix::judge(const resolve::Conflict& conflict) const {
    std::vector<CheckFinding> findings;
    for (const auto& link : conflict.chain) {
        const auto requirement = pep::Requirement::parse(link.requires_);
        if (requirement && session_.catalog.knows(requirement->name)) {
            if (auto finding =
                    judge_requirement(*requirement, session_.catalog, request_.settings)) {
                findings.push_back(std::move(*finding));
            }
        }
    }
    return findings;
}

/// That a package has wheels only says nothing about which versions go together.
bool Matrix::take_wheels() {
    bool again = false;
    for (const auto& [cell, conflict] : conflicts_) {
        for (const auto& finding : judge(conflict)) {
            if (finding.needs == "pre_built" && !session_.catalog.lends_wheels(finding.package)) {
                assume_mended(finding, request_.settings, session_.catalog);
                report_.taken_as_wheels.push_back(finding.package);
                again = true;
            }
        }
    }
    return again;
}

void Matrix::give_reasons() {
    for (const auto& [cell, conflict] : conflicts_) {
        const auto findings = judge(conflict);
        cell->reason = findings.empty() ? told(conflict) : findings.front().message;
    }
}

MatrixReport Matrix::run(const std::stop_token& stop) {
    const std::stop_callback end(stop, [this] {
        session_.stop_source.request_stop();
        session_.index.stop();
        session_.loop.post([] {});
    });
    lay_out();
    provide_toolchains();
    for (int round = 0; round < most_corrections; ++round) {
        conflicts_.clear();
        scopes_ = std::make_unique<Scopes>(
            session_.loop, session_.catalog, session_.requirements, session_.installed
        );
        for (auto& cell : report_.cells) {
            if (!cell.solvable) {
                session_.loop.soon([this, &cell] { solve(cell); });
            }
        }
        session_.loop.run([this] {
            if (session_.stop.stop_requested()) {
                throw Error(request_.stopped_by(), "stopped", "the matrix was stopped");
            }
        });
        if (!take_wheels()) {
            break;
        }
    }
    give_reasons();
    std::sort(report_.taken_as_wheels.begin(), report_.taken_as_wheels.end());
    report_.variant = request_.here.variant.name;
    report_.python = request_.interpreter.target.python.text();
    return std::move(report_);
}

}  // namespace

Parsed<MatrixAxis> MatrixAxis::parse(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) {
        return parse_error("expected NAME=VALUE,VALUE", text.size());
    }
    auto name = pep::parse_name(trim(text.substr(0, equals)));
    if (!name) {
        return parse_error(name.error().message);
    }
    MatrixAxis axis;
    axis.name = std::move(*name);
    std::size_t at = equals + 1;
    for (const auto value : split(text.substr(equals + 1), ',')) {
        axis.values.emplace_back(trim(value));
        if (const auto wanted = axis.wanted(axis.values.back()); !wanted) {
            return parse_error(wanted.error().message, at);
        }
        at += value.size() + 1;
    }
    return axis;
}

Parsed<pep::Requirement> MatrixAxis::wanted(const std::string& value) const {
    constexpr std::ptrdiff_t short_version = 1;  // dots in "2.10"
    if (value.find_first_of("<>=!~") == 0) {
        return pep::Requirement::parse(name + value);
    }
    if (value.empty()) {
        return parse_error("expected a version");
    }
    const bool is_whole =
        is_toolchain(name) || std::count(value.begin(), value.end(), '.') > short_version;
    return pep::Requirement::parse(name + "==" + value + (is_whole ? "" : ".*"));
}

ExitCode MatrixReport::exit_code() const {
    const bool any =
        std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.solvable; });
    return any ? ExitCode::ok : ExitCode::unsatisfiable;
}

MatrixReport matrix(
    BootstrapRequest request, std::vector<MatrixAxis> axes, Observer& observer, std::stop_token stop
) {
    return Matrix(std::move(request), std::move(axes), observer).run(stop);
}

}  // namespace wheelforge::engine
