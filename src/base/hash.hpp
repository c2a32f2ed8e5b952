// SPDX-License-Identifier: Apache-2.0
// Digests by OpenSSL. Digests are lower-case hex strings everywhere in the program.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace wheelforge {

/// A running digest. Algorithms: sha256, sha512, sha384, sha224, sha3_*, blake2b, sha1, md5.
class Hasher {
public:
    /// Throws std::invalid_argument on an algorithm OpenSSL does not know.
    explicit Hasher(std::string_view algorithm = "sha256");
    Hasher(Hasher&&) noexcept;
    Hasher& operator=(Hasher&&) noexcept;
    ~Hasher();
    void update(std::string_view bytes);
    /// Lower-case hex. Once.
    [[nodiscard]] std::string finish();
    /// As in RECORD (PEP 376/427): urlsafe base64 without padding. Once.
    [[nodiscard]] std::string finish_base64url();

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

[[nodiscard]] std::string sha256(std::string_view bytes);
[[nodiscard]] std::string sha256_file(const std::filesystem::path& path);
/// urlsafe base64 without padding of a hex digest, as RECORD writes it.
[[nodiscard]] std::string hex_to_base64url(std::string_view hex);
[[nodiscard]] std::string base64(std::string_view bytes);
/// RFC 4122 UUID version 5 of `name`, for reproducible serial numbers. `name_space` is a UUID; any
/// other text stands for the UUID it has in the URL name space.
[[nodiscard]] std::string uuid5(std::string_view name_space, std::string_view name);

}  // namespace wheelforge
