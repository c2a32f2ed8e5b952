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
    const auto shared = std::partition(ready.begin(), ready.end(), [](const ReadyBuild& each) {
        return !each.exclusive;
    });
    if (shared != ready.begin()) {
        ready.erase(shared, ready.end());
    } else if (!ready.empty()) {
        ready = in_order(std::move(ready));
        ready.resize(free.idle ? 1 : 0);
    }
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

unsigned
compile_jobs(const config::PackageSettings& settings, unsigned cores, std::uint64_t memory_bytes) {
    const auto& build = settings.build;
    const auto by_cores =
        cores / static_cast<unsigned>(config::value_or(build.cpu_cores_per_job, 1));
    if (!build.memory_per_job_gb) {
        return std::max(by_cores, 1U);
    }
    const double jobs = static_cast<double>(memory_bytes) / (build.memory_per_job_gb->value * 1e9);
    const auto by_memory = static_cast<unsigned>(std::min(jobs, 4096.0));
    return std::max(std::min(by_cores, by_memory), 1U);
}

}  // namespace wheelforge::engine
