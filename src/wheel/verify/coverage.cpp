// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/coverage.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "wheel/device/ptx.hpp"

namespace wheelforge::wheel {

namespace {

Coverage with_aliases(const Arch& have, const Arch& wanted, const Aliases& aliases) {
    Coverage best = covers(have, wanted);
    const auto others = aliases.find(wanted.text());
    if (others == aliases.end()) {
        return best;
    }
    for (const std::string& other : others->second) {
        best = std::max(best, covers(have, reported_arch(other)));
    }
    return best;
}

void take(const DeviceCode& code, Coverage coverage, CoverageOf& result) {
    if (coverage > result.best) {
        result = CoverageOf();
        result.best = coverage;
    }
    if (coverage != result.best) {
        return;
    }
    for (const auto& [name, body] : code.kernels) {
        result.kernels.insert(name);
    }
    result.by.insert(code.arch);
    if (const unsigned ptx = newest_ptx(code); ptx != 0) {
        result.oldest_ptx = result.oldest_ptx == 0 ? ptx : std::min(result.oldest_ptx, ptx);
    }
}

}  // namespace

CoverageOf coverage_of(
    const std::vector<const FileReport*>& files, const Arch& wanted, const Aliases& aliases
) {
    CoverageOf result;
    for (const FileReport* file : files) {
        for (const DeviceCode& code : file->device.code) {
            const Coverage coverage = with_aliases(reported_arch(code.arch), wanted, aliases);
            if (coverage != Coverage::none && !code.kernels.empty()) {
                take(code, coverage, result);
            }
        }
    }
    return result;
}

std::string held_archs(const std::vector<const FileReport*>& files) {
    std::set<std::string> archs;
    for (const FileReport* file : files) {
        for (const DeviceCode& code : file->device.code) {
            if (!code.kernels.empty()) {
                archs.insert(code.arch);
            }
        }
    }
    const std::vector<std::string> list(archs.begin(), archs.end());
    return list.empty() ? "no device kernels at all" : printable(join(list, ", "));
}

}  // namespace wheelforge::wheel
