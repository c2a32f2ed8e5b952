// SPDX-License-Identifier: Apache-2.0
// The digests an index states for a file: which we can check, and which are worth trusting.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"

namespace wheelforge::index {

using Digests = std::map<std::string, std::string>;  ///< algorithm -> lower-case hex

/// sha256, sha384, sha512, their SHA-3 kin and blake2b. md5 and sha1 say nothing against
/// somebody who wants to deceive.
[[nodiscard]] bool is_strong(std::string_view algorithm) noexcept;
[[nodiscard]] bool has_strong_hash(const Digests& digests);

/// A reason if a digest of a known algorithm is no hex of the right length: a broken hash must
/// not turn into no hash. "" if all is well.
[[nodiscard]] std::string refuse_hashes(const Digests& digests);

/// Checks bytes against every digest that we can compute, while they stream by.
class DigestCheck {
public:
    explicit DigestCheck(Digests expected);
    void update(std::string_view bytes);
    void restart();
    /// "" if all agree, else which did not ("sha256 is ..., not ..."). Once.
    [[nodiscard]] std::string finish();
    /// The sha256 of what went by; valid after finish().
    [[nodiscard]] const std::string& sha256() const noexcept { return sha256_; }

private:
    Digests expected_;
    std::map<std::string, Hasher> running_;
    std::string sha256_;
};

}  // namespace wheelforge::index
