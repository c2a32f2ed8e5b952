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

struct Having {
    std::string variant;
    std::ptrdiff_t words = 0;
};

/// The families with a table of architectures, and how many of the words each has.
std::vector<Having> families_having(const std::vector<std::string>& words) {
    std::vector<Having> having;
    for (const auto& name : variant::known_variants()) {
        const auto each = variant::load_variant(name);
        if (each.family == name && !each.architectures.empty()) {
            having.push_back(
                {name,
                 std::count_if(
                     words.begin(),
                     words.end(),
                     [&](const std::string& word) {
                         return variant::has_arch(each.architectures, word);
                     }
                 )}
            );
        }
    }
    return having;
}

Error nobodys_arch(const std::string& word) {
    std::vector<std::string> all;
    for (const auto& name : variant::known_variants()) {
        for (const auto& chip : variant::load_variant(name).architectures.chips) {
            all.push_back(chip.arch);
            all.insert(all.end(), chip.aliases.begin(), chip.aliases.end());
        }
    }
    Error error(
        ExitCode::usage,
        "unknown-arch",
        "--arch: no variant has the architecture '" + printable(word) + "'"
    );
    const auto near = nearest(word, all);
    if (!near.empty()) {
        error.advise("near it: " + join(near, ", "));
    }
    return error;
}

}  // namespace

std::string variant_of_archs(const std::vector<std::string>& arch_lists) {
    const auto words = variant::arch_words(arch_lists);
    if (words.empty()) {
        return "cpu";
    }
    const auto having = families_having(words);
    const auto most =
        std::max_element(having.begin(), having.end(), [](const auto& a, const auto& b) {
            return a.words < b.words;
        });
    if (most == having.end() || most->words == 0) {
        throw nobodys_arch(words.front());
    }
    return most->variant;
}

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
