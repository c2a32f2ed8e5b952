// SPDX-License-Identifier: Apache-2.0
#include "build/diagnosis.hpp"

#include <algorithm>
#include <regex>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "build/signatures.hpp"

namespace wheelforge::build {
namespace {

/// The library's matcher recurses on the text: longer lines are cut before they meet it.
constexpr std::size_t line_limit = 1000;
constexpr std::size_t evidence_limit = 300;

struct Match {
    const Signature* signature = nullptr;
    std::size_t line = 0;
    std::string evidence;
    std::vector<std::string> groups;  ///< [0] is the whole match

    /// The cause is what is decisive, else what stands last.
    [[nodiscard]] bool outranks(const Match& other) const {
        return std::pair(signature->rank, -static_cast<std::int64_t>(line))
               < std::pair(other.signature->rank, -static_cast<std::int64_t>(other.line));
    }
};

std::optional<Match> match_line(const Signature& signature, const std::string& line) {
    if (signature.exit_code || line.find(signature.literal) == std::string::npos) {
        return std::nullopt;
    }
    std::smatch found;
    if (!std::regex_search(line, found, signature.pattern)) {
        return std::nullopt;
    }
    Match match{&signature, 0, line.substr(0, evidence_limit), {}};
    for (const auto& group : found) {
        match.groups.push_back(group.str());
    }
    return match;
}

std::optional<Match> match_exit(const Signature& signature, int exit_code) {
    if (signature.exit_code != exit_code) {
        return std::nullopt;
    }
    return Match{&signature, 0, "exit status " + std::to_string(exit_code), {}};
}

void keep_better(std::optional<Match>& best, std::optional<Match> other) {
    if (other && (!best || other->outranks(*best))) {
        best = std::move(other);
    }
}

std::string filled(std::string text, const std::vector<std::string>& groups) {
    for (std::size_t i = 1; i < 4; ++i) {
        const std::string value = i < groups.size() ? groups[i] : "";
        text = replace_all(std::move(text), "$" + std::to_string(i), value);
    }
    return text;
}

Diagnosis told(const Signatures& signatures, const Match& match) {
    const Signature& signature = *match.signature;
    const std::string key = match.groups.size() > 1 ? match.groups[1] : "";
    const auto known = signatures.look_up(signature.table, key);
    return {
        signature.id,
        printable(filled(signature.cause, match.groups)),
        printable(known ? *known : filled(signature.advice, match.groups)),
        printable(trim(match.evidence)),
    };
}

}  // namespace

std::optional<Diagnosis> diagnose(std::string_view log_tail, int exit_code) {
    const Signatures& signatures = Signatures::shipped();
    std::optional<Match> best;
    std::size_t number = 0;
    for (const auto text : lines(log_tail)) {
        const std::string line(text.substr(0, line_limit));
        ++number;
        for (const Signature& signature : signatures.all) {
            if (auto match = match_line(signature, line)) {
                match->line = number;
                keep_better(best, std::move(match));
            }
        }
    }
    for (const Signature& signature : signatures.all) {
        keep_better(best, match_exit(signature, exit_code));
    }
    return best ? std::optional(told(signatures, *best)) : std::nullopt;
}

}  // namespace wheelforge::build
