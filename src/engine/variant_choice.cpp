// SPDX-License-Identifier: Apache-2.0
#include "engine/variant_choice.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace wheelforge::engine {
namespace {

bool settings_name(const std::string& name, const config::Settings::Sources& sources) {
    if (!sources.file && !sources.folder) {
        return false;
    }
    const auto named = config::Settings::load(sources).variants();
    return std::find(named.begin(), named.end(), name) != named.end();
}

}  // namespace

ChosenVariant choose_variant(const std::string& name, config::Settings::Sources sources) {
    ChosenVariant chosen;
    try {
        chosen.variant = variant::load_variant(name);
    } catch (const Error& error) {
        const auto known = variant::known_variants();  // one of these extends what is not there
        const bool is_defined = std::find(known.begin(), known.end(), name) != known.end();
        if (error.id() != "unknown-variant" || is_defined || !settings_name(name, sources)) {
            throw;
        }
        chosen.variant = variant::variant_of_settings(name);
        chosen.warning = "variant " + printable(name)
                         + " is known from settings alone: no toolchain, no architectures; "
                           "variants/"
                         + printable(name) + ".yaml with `extends:` would give it some";
    }
    sources.variant_keys = chosen.variant.settings_keys;
    sources.variant_pre_built = chosen.variant.pre_built;
    chosen.settings = config::Settings::load(sources);
    for (const auto& index : chosen.variant.index) {
        for (const auto& package : index.packages) {
            chosen.settings.take_from_index(package, index.url, index.origin);
        }
    }
    return chosen;
}

}  // namespace wheelforge::engine
