// SPDX-License-Identifier: Apache-2.0
#include "build/pip_builder.hpp"

#include <utility>

namespace wheelforge::build {
namespace {

Launch launch_of(const PipBuildRequest& request) {
    Launch launch = request.base;
    launch.argv = {request.python.string(), "-m", "pip", "wheel", ".", "--no-deps"};
    for (const auto& option :
         {"--no-build-isolation", "--no-index", "--no-cache-dir", "--no-input", "--wheel-dir"}) {
        launch.argv.emplace_back(option);
    }
    launch.argv.push_back(request.output.string());
    for (const auto& [name, values] : request.config_settings) {
        for (const std::string& value : values) {
            launch.argv.push_back("--config-settings=" + name + '=' + value);
        }
    }
    return launch;
}

}  // namespace

HookResult<HookMeasure> build_with_pip(const PipBuildRequest& request, std::stop_token stop) {
    const ProcessResult result =
        run_enclosed(launch_of(request), request.sandbox, request.scratch, std::move(stop));
    if (result.exit_code == 0) {
        return HookMeasure{result.wall_seconds, result.cpu_seconds, result.peak_rss_bytes};
    }
    HookFailure failure;
    failure.hook = "pip wheel";
    failure.exit_code = result.exit_code;
    if (result.timed_out) {
        failure.exception =
            "timed out after " + std::to_string(request.base.timeout->count()) + " s";
    }
    return tl::unexpected(failure);
}

}  // namespace wheelforge::build
