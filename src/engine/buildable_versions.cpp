// SPDX-License-Identifier: Apache-2.0
#include "engine/buildable_versions.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/resolution.hpp"

namespace wheelforge::engine {
namespace {

/// Requests a stop at a point in time, unless it is gone before.
class Alarm {
public:
    explicit Alarm(std::chrono::steady_clock::time_point end)
        : thread_([this, end](const std::stop_token& gone) {
              std::unique_lock lock(mutex_);
              if (!over_.wait_until(lock, gone, end, [] { return false; })
                  && !gone.stop_requested()) {
                  source_.request_stop();
              }
          }) {}
    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    std::mutex mutex_;
    std::condition_variable_any over_;
    std::stop_source source_;
    std::jthread thread_;
};

std::optional<std::string> version_in(const Resolved& resolved, const std::string& name) {
    for (const auto& package : resolved.packages) {
        if (package.name == name) {
            return package.version;
        }
    }
    for (const auto& [pin, tools] : resolved.builds) {
        if (pin.starts_with(name + "==")) {
            return pin.substr(name.size() + 2);
        }
    }
    return std::nullopt;
}

}  // namespace

std::map<plugin::PackageId, std::string> bounds_that_build(
    const BootstrapRequest& request,
    const std::vector<plugin::PackageId>& unbuildable,
    std::chrono::steady_clock::time_point end
) {
    auto trial = request;
    trial.backtrack_builds = true;
    trial.plan_only = true;
    Observer nobody;
    const Alarm alarm(end);
    const auto resolved = resolve_only(trial, {}, nobody, alarm.token());
    std::map<plugin::PackageId, std::string> lines;
    if (resolved.failure || resolved.exit_code != ExitCode::ok) {
        return lines;
    }
    for (const auto& id : unbuildable) {
        if (const auto version = version_in(resolved, id.name)) {
            lines[id] = "add " + id.name + "<=" + *version
                        + " to the constraints (-c): the build of that version has a solution";
        }
    }
    return lines;
}

}  // namespace wheelforge::engine
