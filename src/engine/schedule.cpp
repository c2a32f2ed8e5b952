// SPDX-License-Identifier: Apache-2.0
#include "engine/schedule.hpp"

#include <algorithm>
#include <tuple>

namespace wheelforge::engine {

std::vector<ReadyBuild> in_order(std::vector<ReadyBuild> ready) {
    std::sort(ready.begin(), ready.end(), [](const ReadyBuild& a, const ReadyBuild& b) {
        return a.waiting != b.waiting ? a.waiting > b.waiting : a.id < b.id;
    });
    return ready;
}

std::vector<Admission> admit(std::vector<ReadyBuild> ready, Tokens free) {
    const auto count = std::min<std::size_t>({ready.size(), free.cpu, free.memory});
    std::vector<Admission> admitted;
    if (count == 0) {
        return admitted;
    }
    const auto queue = in_order(std::move(ready));
    const auto share = free.cpu / static_cast<unsigned>(count);
    auto spare = free.cpu % static_cast<unsigned>(count);
    for (std::size_t i = 0; i < count; ++i) {
        admitted.push_back({queue[i].id, share + (spare > 0 ? 1U : 0U)});
        spare -= spare > 0 ? 1U : 0U;
    }
    return admitted;
}

}  // namespace wheelforge::engine
