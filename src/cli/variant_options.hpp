// SPDX-License-Identifier: Apache-2.0
// Options of commands that look at a variant on this machine and build nothing.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "engine/environment.hpp"

namespace CLI {
class App;
}

namespace wheelforge::cli {

struct VariantOptions {
    std::string variant;  ///< "": by the architectures
    std::vector<std::string> archs;
    std::string settings_file;
    std::string settings_dir;
    std::string python;
    std::string format = "text";
};

/// @param formats  the words that --format takes, "text" first
void add_variant_options(
    CLI::App& command, VariantOptions& options, const std::vector<std::string>& formats
);

/// A variant on this machine, and the settings that hold for it. Answers of programs are
/// remembered in the default cache.
struct LookedAt {
    engine::VariantHere here;
    config::Settings settings;
};
[[nodiscard]] LookedAt look_at_variant(const VariantOptions& options);

}  // namespace wheelforge::cli
