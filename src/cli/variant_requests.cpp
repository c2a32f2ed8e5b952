// SPDX-License-Identifier: Apache-2.0
// Several variants in one run: a request each.
#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/inputs.hpp"
#include "variant/variant.hpp"

namespace wheelforge::cli {
namespace {

/// Tables of the variants that have a definition; of others nothing is known.
std::vector<variant::Architectures> tables_of(const std::vector<std::string>& variants) {
    const auto known = variant::known_variants();
    std::vector<variant::Architectures> tables;
    for (const auto& name : variants) {
        const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
        tables.push_back(
            is_known ? variant::load_variant(name).architectures : variant::Architectures()
        );
    }
    return tables;
}

/// What of --arch each variant gets: the words that its family has, in their order.
std::vector<std::vector<std::string>> archs_of(const InputOptions& options) {
    const auto tables = tables_of(options.variants);
    std::vector<std::vector<std::string>> lists(tables.size());
    for (const auto& word : variant::arch_words(options.archs)) {
        bool is_anybodys = false;
        for (std::size_t i = 0; i < tables.size(); ++i) {
            if (variant::has_arch(tables[i], word)) {
                lists[i].push_back(word);
                is_anybodys = true;
            }
        }
        if (!is_anybodys) {
            throw Error(
                ExitCode::usage,
                "unknown-arch",
                "--arch: none of " + join(options.variants, ", ") + " has the architecture '"
                    + printable(word) + "'"
            )
                .advise("see the names that one knows: wheelforge plan --variant NAME --arch LIST");
        }
    }
    return lists;
}

}  // namespace

std::vector<engine::BootstrapRequest> make_requests(const InputOptions& options) {
    auto names = options.variants;
    std::sort(names.begin(), names.end());
    if (std::adjacent_find(names.begin(), names.end()) != names.end()) {
        throw Error(ExitCode::usage, "bad-usage", "--variant names a variant twice");
    }
    std::vector<engine::BootstrapRequest> requests;
    if (options.variants.size() == 1) {
        requests.push_back(make_request(options));
        return requests;
    }
    const auto lists = archs_of(options);
    for (std::size_t i = 0; i < options.variants.size(); ++i) {
        auto one = options;
        one.variants = {options.variants[i]};
        one.archs = lists[i];
        requests.push_back(make_request(one));
    }
    return requests;
}

}  // namespace wheelforge::cli
