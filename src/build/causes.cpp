// SPDX-License-Identifier: Apache-2.0
#include "build/causes.hpp"

#include <set>

#include "base/text.hpp"
#include "build/signatures.hpp"

namespace wheelforge::build {
namespace {

/// Groups of the pattern stand for what the log names.
std::string without_groups(std::string text) {
    for (const auto* group : {"$1", "$2"}) {
        text = replace_all(std::move(text), group, "...");
    }
    return text;
}

}  // namespace

std::optional<std::string> explain_cause(std::string_view id) {
    std::set<std::string> told;
    std::string text;
    for (const auto& signature : Signatures::shipped().all) {
        const auto cause = without_groups(signature.cause);
        if (signature.id != id || !told.insert(cause).second) {
            continue;
        }
        text += "\n" + cause + "\n";
        if (!signature.advice.empty()) {
            text += "  What to do: " + without_groups(signature.advice) + "\n";
        }
    }
    if (text.empty()) {
        return std::nullopt;
    }
    return std::string(id) + " (exit 1): why a build failed, as its log tells\n" + text;
}

std::vector<std::string> cause_ids() {
    std::set<std::string> ids;
    for (const auto& signature : Signatures::shipped().all) {
        ids.insert(signature.id);
    }
    return {ids.begin(), ids.end()};
}

}  // namespace wheelforge::build
