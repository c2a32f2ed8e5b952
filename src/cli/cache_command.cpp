// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "store/maintenance.hpp"

namespace wheelforge::cli {
namespace {

struct CacheOptions {
    std::string folder;
    std::string format = "text";
    bool remove = false;
    unsigned older_than_days = 0;
    unsigned keep = 0;
    bool dry_run = false;

    [[nodiscard]] fs::path root() const {
        return folder.empty() ? store::default_cache_directory() : fs::absolute(folder);
    }
};

/// Looking at a cache does not make one.
fs::path existing_root(const CacheOptions& options) {
    auto root = options.root();
    if (!fs::exists(root)) {
        throw Error(
            ExitCode::usage, "file-not-found", "there is no cache at " + printable(root.string())
        )
            .advise("name it by --cache-dir or WHEELFORGE_CACHE_DIR");
    }
    return root;
}

void print_parts(const std::vector<store::Part>& parts, const std::string& format) {
    if (format == "json") {
        Json array = Json::array();
        for (const auto& part : parts) {
            array.push_back({{"name", part.name}, {"items", part.items}, {"bytes", part.bytes}});
        }
        std::cout << dump_json(Json{{"parts", std::move(array)}});
        return;
    }
    std::uint64_t bytes = 0;
    for (const auto& part : parts) {
        bytes += part.bytes;
        std::cout << fmt::format(
            "{:<9}{:>8}  {:>10}  {}\n", part.name, part.items, human_bytes(part.bytes), part.about
        );
    }
    std::cout << fmt::format("{:<9}{:>8}  {:>10}\n", "all", "", human_bytes(bytes));
}

int size(const CacheOptions& options) {
    const auto root = existing_root(options);
    print_parts(store::measure(root), options.format);
    return 0;
}

void print_defects(const std::vector<store::Defect>& defects, const CacheOptions& options) {
    if (options.format == "json") {
        Json array = Json::array();
        for (const auto& defect : defects) {
            array.push_back({{"path", defect.path.string()}, {"what", defect.what}});
        }
        std::cout << dump_json(Json{{"defects", std::move(array)}});
        return;
    }
    for (const auto& defect : defects) {
        std::cout << printable(defect.path.string()) << ": " << printable(defect.what) << "\n";
    }
    if (defects.empty()) {
        std::cout << "nothing is wrong\n";
    }
}

int verify(const CacheOptions& options) {
    const auto root = existing_root(options);
    const auto defects = store::find_defects(root);
    print_defects(defects, options);
    if (defects.empty()) {
        return 0;
    }
    std::cout.flush();
    if (!options.remove) {
        throw Error(
            ExitCode::refused,
            "cache-damaged",
            fmt::format(
                "{} defect{} in the cache {}",
                defects.size(),
                defects.size() == 1 ? "" : "s",
                printable(root.string())
            )
        )
            .advise("wheelforge cache verify --remove takes them out; what is needed of them is "
                    "fetched or built again");
    }
    const store::Store store(root);
    const store::Custody custody(store);
    std::cerr << "removed " << store::remove_defects(custody, store, defects) << "\n";
    return 0;
}

int prune(const CacheOptions& options) {
    const store::Store store(existing_root(options));
    const store::Custody custody(store);
    store::PruneRule rule;
    rule.dry_run = options.dry_run;
    if (options.older_than_days > 0) {
        rule.older_than = std::chrono::hours(24) * options.older_than_days;
    }
    if (options.keep > 0) {
        rule.keep = options.keep;
    }
    print_parts(store::prune(custody, store, rule), options.format);
    return 0;
}

}  // namespace

void register_cache(CLI::App& app, int& exit_code) {
    auto* cache = app.add_subcommand("cache", "Look after the cache: size, verify, prune");
    cache->require_subcommand(1);
    auto options = std::make_shared<CacheOptions>();
    const auto add = [&](const char* name, const char* about, int (*act)(const CacheOptions&)) {
        auto* command = cache->add_subcommand(name, about);
        command->add_option("--cache-dir", options->folder, "where wheels and sources are kept")
            ->type_name("DIR");
        command->add_option("--format", options->format, "text or json")
            ->check(CLI::IsMember({"text", "json"}));
        command->callback([options, act, &exit_code] { exit_code = act(*options); });
        return command;
    };
    add("size", "what is in it", size);
    add("verify", "read all of it: digests, inputs, strangers", verify)
        ->add_flag("--remove", options->remove, "take out what is damaged");
    auto* pruning = add("prune", "remove leftovers, and what the options say", prune);
    pruning
        ->add_option("--older-than", options->older_than_days, "what was not used for so many days")
        ->check(CLI::Range(1U, 36500U))
        ->type_name("DAYS");
    pruning->add_option("--keep", options->keep, "wheels of each name that stay, last used first")
        ->check(CLI::Range(1U, 1000000U))
        ->type_name("N");
    pruning->add_flag("--dry-run", options->dry_run, "only say what would go");
}

}  // namespace wheelforge::cli
