// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "plugin/unpack.hpp"

namespace wheelforge::cli {
namespace {

struct UnpackOptions {
    std::string archive;
    std::string folder;
    std::uint64_t most_bytes = 0;
    std::uint64_t most_files = 0;
};

int run(const UnpackOptions& options, const CLI::App& command) {
    plugin::UnpackLimits limits;
    if (command.count("--max-unpacked") > 0) {
        limits.bytes = options.most_bytes;
    }
    if (command.count("--max-files") > 0) {
        limits.files = options.most_files;
    }
    const auto made = plugin::unpack_distribution(options.archive, options.folder, limits);
    for (const auto& notice : made.notices) {
        std::cerr << "warning: " << notice << "\n";
    }
    std::cerr << made.files << " files, " << human_bytes(made.bytes) << "\n";
    std::cout << made.tree.string() << "\n";
    return 0;
}

}  // namespace

void register_unpack(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "unpack", "Unpack an sdist or a wheel as builds do: hostile ones are refused whole"
    );
    auto options = std::make_shared<UnpackOptions>();
    command->add_option("ARCHIVE", options->archive, "sdist or wheel")
        ->required()
        ->check(CLI::ExistingFile);
    command->add_option("DIR", options->folder, "made by this command; may exist if it is empty")
        ->required();
    command->add_option("--max-unpacked", options->most_bytes, "refuse to write more bytes")
        ->transform(CLI::AsSizeValue(false))
        ->type_name("SIZE");
    command->add_option("--max-files", options->most_files, "refuse to make more files")
        ->type_name("N");
    command->callback([options, command, &exit_code] { exit_code = run(*options, *command); });
}

}  // namespace wheelforge::cli
