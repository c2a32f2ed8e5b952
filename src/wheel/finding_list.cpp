// SPDX-License-Identifier: Apache-2.0
#include "wheel/finding_list.hpp"

#include <algorithm>

namespace wheelforge::wheel {
namespace {

constexpr std::size_t most_per_id = 20;

}  // namespace

void FindingList::add(Finding finding) {
    if (++counts_[finding.id] <= most_per_id) {
        findings_.push_back(std::move(finding));
    }
}

std::vector<Finding> FindingList::take() {
    for (const auto& [id, count] : counts_) {
        if (count <= most_per_id) {
            continue;
        }
        const auto last = std::find_if(findings_.rbegin(), findings_.rend(), [&](const Finding& f) {
            return f.id == id;
        });
        last->evidence += " (and " + std::to_string(count - most_per_id) + " more like it)";
    }
    counts_.clear();
    return std::move(findings_);
}

}  // namespace wheelforge::wheel
