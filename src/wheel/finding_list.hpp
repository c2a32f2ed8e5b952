// SPDX-License-Identifier: Apache-2.0
// Collects findings; a hostile or thoroughly broken wheel cannot flood the report.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "wheel/finding.hpp"

namespace wheelforge::wheel {

class FindingList {
public:
    void add(Finding finding);
    /// The findings; where an id came up more than 20 times, the rest is only counted.
    [[nodiscard]] std::vector<Finding> take();

private:
    std::vector<Finding> findings_;
    std::map<std::string, std::size_t> counts_;
};

}  // namespace wheelforge::wheel
