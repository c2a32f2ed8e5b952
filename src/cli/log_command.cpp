// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <fstream>
#include <iostream>
#include <thread>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "engine/run_state.hpp"

namespace wheelforge::cli {
namespace {

constexpr std::chrono::milliseconds pause{200};

struct LogOptions {
    std::string name;
    std::string output = "out";
    bool follow = false;
};

/// Lines as they become complete, made safe for a terminal; the last one at the end even so.
class LinePrinter {
public:
    explicit LinePrinter(const std::filesystem::path& path) : stream_(path, std::ios::binary) {
        if (!stream_) {
            throw Error(
                ExitCode::surroundings, "cannot-read", "cannot read " + printable(path.string())
            );
        }
    }
    void print_new() {
        std::string piece(1U << 16U, '\0');
        while (stream_.read(piece.data(), static_cast<std::streamsize>(piece.size()))
               || stream_.gcount() > 0) {
            take(std::string_view(piece.data(), static_cast<std::size_t>(stream_.gcount())));
        }
        stream_.clear();
        std::cout.flush();
    }
    void end() {
        if (!line_.empty()) {
            std::cout << printable(line_) << "\n";
        }
        std::cout.flush();
    }

private:
    /// A build that prints no newline for long does not get all of our memory.
    static constexpr std::size_t longest_line = 1U << 20U;

    void take(std::string_view text) {
        for (const char c : text) {
            if (c == '\n' || line_.size() >= longest_line) {
                std::cout << printable(line_) << '\n';
                line_.clear();
            }
            if (c != '\n') {
                line_ += c;
            }
        }
    }

    std::ifstream stream_;
    std::string line_;
};

/// A run that goes on may still come to the package.
void wait_for_log(const LogOptions& options) {
    while (engine::any_running(options.output)
           && engine::find_logs(options.output, options.name).empty()) {
        std::this_thread::sleep_for(pause);
    }
}

int run(const LogOptions& options) {
    if (options.follow) {
        wait_for_log(options);
    }
    const auto logs = engine::logs_of(options.output, options.name);
    const auto& log = logs.back();
    if (logs.size() > 1) {
        std::cerr << printable(log.string()) << " (the newest of " << logs.size() << ")\n";
    }
    LinePrinter printer(log);
    const auto variant_folder = log.parent_path().parent_path();
    while (options.follow && std::cout && engine::is_running(variant_folder)) {
        printer.print_new();
        std::this_thread::sleep_for(pause);
    }
    printer.print_new();
    printer.end();
    return 0;
}

}  // namespace

void register_log(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("log", "Show the build log of a package");
    auto options = std::make_shared<LogOptions>();
    command->add_option("NAME", options->name, "NAME or NAME==VERSION")->required();
    command->add_option("-o,--output", options->output, "output folder")
        ->type_name("DIR")
        ->capture_default_str();
    command->add_flag("-f,--follow", options->follow, "go on while the run does");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace wheelforge::cli
