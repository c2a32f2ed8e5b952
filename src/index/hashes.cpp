// SPDX-License-Identifier: Apache-2.0
#include "index/hashes.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace wheelforge::index {

namespace {

struct Algorithm {
    std::string_view name;
    std::size_t hex_digits;
    bool strong;
};

/// Those of Python's hashlib that OpenSSL computes too.
constexpr std::array<Algorithm, 10> algorithms = {{
    {"md5", 32, false},
    {"sha1", 40, false},
    {"sha224", 56, false},
    {"sha256", 64, true},
    {"sha384", 96, true},
    {"sha512", 128, true},
    {"sha3_256", 64, true},
    {"sha3_384", 96, true},
    {"sha3_512", 128, true},
    {"blake2b", 128, true},
}};

const Algorithm* find_algorithm(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(algorithms, name, &Algorithm::name);
    return found == algorithms.end() ? nullptr : found;
}

}  // namespace

bool is_strong(std::string_view algorithm) noexcept {
    const auto* const known = find_algorithm(algorithm);
    return known != nullptr && known->strong;
}

bool has_strong_hash(const Digests& digests) {
    return std::ranges::any_of(digests, [](const auto& digest) { return is_strong(digest.first); });
}

std::string refuse_hashes(const Digests& digests) {
    for (const auto& [name, hex] : digests) {
        const auto* const known = find_algorithm(name);
        if (known != nullptr
            && (hex.size() != known->hex_digits
                || hex.find_first_not_of("0123456789abcdef") != std::string::npos)) {
            return "its " + name + " is no digest";
        }
    }
    return "";
}

DigestCheck::DigestCheck(Digests expected) : expected_(std::move(expected)) {
    restart();
}

void DigestCheck::restart() {
    running_.clear();
    running_.emplace("sha256", Hasher("sha256"));
    for (const auto& [name, hex] : expected_) {
        if (find_algorithm(name) != nullptr) {
            running_.try_emplace(name, Hasher(name));
        }
    }
}

void DigestCheck::update(std::string_view bytes) {
    for (auto& [name, hasher] : running_) {
        hasher.update(bytes);
    }
}

std::string DigestCheck::finish() {
    std::string problem;
    for (auto& [name, hasher] : running_) {
        const auto actual = hasher.finish();
        if (name == "sha256") {
            sha256_ = actual;
        }
        const auto wanted = expected_.find(name);
        if (problem.empty() && wanted != expected_.end() && wanted->second != actual) {
            problem = name + " is " + actual + ", the index states " + printable(wanted->second);
        }
    }
    return problem;
}

}  // namespace wheelforge::index
