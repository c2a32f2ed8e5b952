// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/variant_facts.hpp"
#include "engine/smoke.hpp"
#include "wheel/verify/plugin_expectations.hpp"
#include "wheel/verify/subject.hpp"
#include "wheel/verify/verify.hpp"

namespace wheelforge::cli {
namespace {

struct VerifyOptions {
    std::vector<std::string> inputs;
    std::string variant;
    std::vector<std::string> archs;
    std::string policy;
    std::string baseline;
    std::string fromager;
    std::vector<std::string> closure;
    std::string format = "text";
    bool smoke = false;
    std::string python;
    bool accept = false;
};

void add_fromager(const std::string& tree, wheel::VerifyRequest& request) {
    const auto folders = wheel::fromager_folders(tree);
    auto& target = request.inputs.empty() ? request.inputs : request.closure;
    target.insert(target.end(), folders.begin(), folders.end());
}

wheel::VerifyRequest make_request(const VerifyOptions& options) {
    wheel::VerifyRequest request;
    request.inputs.assign(options.inputs.begin(), options.inputs.end());
    request.closure.assign(options.closure.begin(), options.closure.end());
    request.archs = parse_archs(options.archs);
    request.plugins = wheel::plugin_expectations();
    if (!options.variant.empty()) {
        request.variant = variant_facts(options.variant);
    }
    if (!options.policy.empty()) {
        request.policy = wheel::load_policy(options.policy);
    }
    if (!options.baseline.empty() && !options.accept) {
        request.baseline = wheel::load_baseline(options.baseline);
        request.baseline_origin = fs::path(options.baseline).filename().string();
    }
    if (!options.fromager.empty()) {
        add_fromager(options.fromager, request);
    }
    if (request.inputs.empty()) {
        throw Error(ExitCode::usage, "no-wheels", "nothing to verify was given")
            .advise("name wheels, folders of wheels, or a Fromager output tree with --fromager");
    }
    return request;
}

wheel::VerifyFormat format_of(const std::string& name) {
    if (name == "json") {
        return wheel::VerifyFormat::json;
    }
    return name == "junit" ? wheel::VerifyFormat::junit : wheel::VerifyFormat::text;
}

/// Where accepted wheels are written down: the lock that was named, else the one of this folder.
fs::path lock_path(const VerifyOptions& options) {
    const fs::path named = options.baseline;
    const bool is_lock = !named.empty() && !fs::is_directory(named) && named.extension() != ".whl";
    return is_lock ? named : fs::path("kernels.lock");
}

/// Wheels without errors are accepted; they join what was accepted before.
void write_lock(const fs::path& path, const wheel::VerifyResult& result) {
    wheel::KernelsLock lock;
    if (fs::exists(path)) {
        lock = wheel::load_kernels_lock(path);
    }
    std::size_t accepted = 0;
    for (const wheel::WheelVerdict& wheel : result.wheels) {
        if (!wheel.name.empty() && !wheel::has_errors(wheel.findings)) {
            lock.packages[wheel.name] = result.lock.packages.at(wheel.name);
            ++accepted;
        }
    }
    write_file(path, wheel::kernels_lock_text(lock));
    std::cerr << "accepted " << accepted << " of " << result.wheels.size() << " wheels into "
              << path.string() << "\n";
}

/// All the wheels that were named, to install from.
std::vector<fs::path> wheels_at_hand(const wheel::VerifyRequest& request) {
    std::vector<fs::path> wheels;
    for (const auto* named : {&request.closure, &request.inputs}) {
        for (const auto& path : *named) {
            const auto found = wheel::wheels_of(path);
            wheels.insert(wheels.end(), found.begin(), found.end());
        }
    }
    return wheels;
}

int run(const VerifyOptions& options) {
    auto request = make_request(options);
    std::optional<engine::SmokeTest> smoke;
    if (options.smoke) {
        const auto environment = current_environment();
        const auto path = environment.find("PATH");
        smoke.emplace(
            build::probe_interpreter(options.python, path == environment.end() ? "" : path->second),
            wheels_at_hand(request),
            Environment()
        );
        request.smoke = [&smoke](const wheel::SmokeRequest& wanted) { return smoke->run(wanted); };
    }
    const wheel::VerifyResult result = wheel::verify(request);
    std::cout << wheel::render(result, format_of(options.format));
    if (options.accept) {
        write_lock(lock_path(options), result);
    }
    return result.has_errors() ? static_cast<int>(ExitCode::refused) : 0;
}

}  // namespace

void register_verify(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "verify", "Judge wheels: device code, libraries, ABI, tags, structure (docs/verify.md)"
    );
    auto options = std::make_shared<VerifyOptions>();
    command->add_option("WHEEL", options->inputs, "wheels, or folders of wheels");
    command->add_option("--variant", options->variant, "hold them to this variant");
    command->add_option("--arch", options->archs, "architectures that must be served, as a list");
    command->add_option("--policy", options->policy, "expectations and levels per package (YAML)");
    command->add_option(
        "--baseline", options->baseline, "what was accepted before: kernels.lock, wheel or folder"
    );
    command->add_option(
        "--closure", options->closure, "wheels that are there to resolve against, not judged"
    );
    command->add_option("--fromager", options->fromager, "output tree of Fromager as the closure");
    command->add_flag(
        "--smoke", options->smoke, "install each wheel into a clean environment and import it"
    );
    command->add_option("--python", options->python, "the interpreter for --smoke: X.Y or a path");
    command->add_option("--format", options->format, "text, json or junit")
        ->check(CLI::IsMember({"text", "json", "junit"}));
    command->add_flag(
        "--accept",
        options->accept,
        "write what the wheels hold into kernels.lock (or the lock named by --baseline)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
