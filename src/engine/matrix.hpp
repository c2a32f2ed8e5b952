// SPDX-License-Identifier: Apache-2.0
// Which combinations of versions have a solution, and why the others have none. All cells are
// solved from the same facts: each index page and each metadata file is asked for once.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"
#include "engine/observer.hpp"
#include "engine/request.hpp"

namespace wheelforge::engine {

/// "torch=2.9,2.10". A value of one or two numbers stands for all versions that begin so, a longer
/// one for itself; one that begins with an operator is a specifier.
struct MatrixAxis {
    std::string name;  ///< normalised
    std::vector<std::string> values;
    [[nodiscard]] static Parsed<MatrixAxis> parse(std::string_view text);
    /// The requirement of one value.
    [[nodiscard]] Parsed<pep::Requirement> wanted(const std::string& value) const;
};

struct MatrixCell {
    std::vector<std::string> values;  ///< one for each axis
    bool solvable = false;
    std::string reason;                 ///< one line, when it is not
    std::vector<std::string> versions;  ///< of the axes' packages in the solution
    std::size_t packages = 0;
};

struct MatrixReport {
    std::vector<MatrixAxis> axes;
    std::vector<MatrixCell> cells;             ///< the last axis varies fastest
    std::vector<std::string> taken_as_wheels;  ///< without which nothing could be said
    std::string variant;
    std::string python;
    [[nodiscard]] ExitCode exit_code() const;  ///< unsatisfiable when no cell has a solution
};

/// An axis named like a variant (rocm, cuda) is no package: its versions are facts that couplings
/// may speak of (`when: rocm==7.1.*`).
[[nodiscard]] MatrixReport matrix(
    BootstrapRequest request, std::vector<MatrixAxis> axes, Observer& observer, std::stop_token stop
);

[[nodiscard]] std::string matrix_text(const MatrixReport& report);
/// docs/formats/matrix.schema.json
[[nodiscard]] std::string matrix_json(const MatrixReport& report);

}  // namespace wheelforge::engine
