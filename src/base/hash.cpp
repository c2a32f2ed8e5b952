// SPDX-License-Identifier: Apache-2.0
#include "base/hash.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <stdexcept>
#include <unistd.h>
#include <utility>
#include <vector>

#include <openssl/evp.h>

#include "base/error.hpp"

namespace wheelforge {

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

/// Names as Python's hashlib has them, since indexes and RECORD files use those, and OpenSSL's.
constexpr std::array<std::pair<std::string_view, const char*>, 12> algorithms{{
    {"sha256", "SHA256"},
    {"sha512", "SHA512"},
    {"sha384", "SHA384"},
    {"sha224", "SHA224"},
    {"sha3_224", "SHA3-224"},
    {"sha3_256", "SHA3-256"},
    {"sha3_384", "SHA3-384"},
    {"sha3_512", "SHA3-512"},
    {"blake2b", "BLAKE2B-512"},
    {"blake2s", "BLAKE2S-256"},
    {"sha1", "SHA1"},
    {"md5", "MD5"},
}};

const char* openssl_name(std::string_view algorithm) {
    for (const auto& [ours, theirs] : algorithms) {
        if (ours == algorithm) {
            return theirs;
        }
    }
    throw std::invalid_argument("unknown digest algorithm " + std::string(algorithm));
}

std::string to_hex(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        const auto value = static_cast<unsigned char>(c);
        out += hex_digits[value >> 4U];
        out += hex_digits[value & 0x0FU];
    }
    return out;
}

std::optional<unsigned> hex_value(char c) {
    const auto at = hex_digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + ('a' - 'A')) : c);
    return at == std::string_view::npos ? std::nullopt : std::optional(static_cast<unsigned>(at));
}

std::string from_hex(std::string_view hex) {
    if (hex.size() % 2 != 0) {
        throw std::invalid_argument("odd number of hexadecimal digits");
    }
    std::string out;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        const auto high = hex_value(hex[i]);
        const auto low = hex_value(hex[i + 1]);
        if (!high || !low) {
            throw std::invalid_argument("not a hexadecimal digit");
        }
        out += static_cast<char>((*high << 4U) | *low);
    }
    return out;
}

std::string base64url(std::string_view bytes) {
    std::string out = base64(bytes);
    out.resize(out.find_last_not_of('=') + 1);
    std::replace(out.begin(), out.end(), '+', '-');
    std::replace(out.begin(), out.end(), '/', '_');
    return out;
}

/// The 16 bytes of "6ba7b811-9dad-11d1-80b4-00c04fd430c8"; nullopt if it is none.
std::optional<std::string> uuid_bytes(std::string_view text) {
    if (text.size() != 36) {
        return std::nullopt;
    }
    std::string hex;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash != (text[i] == '-') || (!dash && !hex_value(text[i]))) {
            return std::nullopt;
        }
        if (!dash) {
            hex += text[i];
        }
    }
    return from_hex(hex);
}

std::string uuid5_bytes(std::string_view name_space, std::string_view name) {
    Hasher hasher("sha1");
    hasher.update(name_space);
    hasher.update(name);
    std::string bytes = from_hex(hasher.finish()).substr(0, 16);
    const auto set_bits = [&bytes](std::size_t at, unsigned mask, unsigned value) {
        bytes[at] = static_cast<char>((static_cast<unsigned char>(bytes[at]) & mask) | value);
    };
    set_bits(6, 0x0FU, 0x50U);  // version 5
    set_bits(8, 0x3FU, 0x80U);  // variant of RFC 4122
    return bytes;
}

[[noreturn]] void cannot_read(const std::filesystem::path& path, int error) {
    throw Error{
        ExitCode::surroundings,
        "cannot-read",
        "cannot read " + path.string() + ": " + std::strerror(error)
    };
}

}  // namespace

struct Hasher::Context {
    EVP_MD_CTX* state = EVP_MD_CTX_new();
    bool finished = false;

    Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context() { EVP_MD_CTX_free(state); }

    std::string finish() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned size = 0;
        if (finished || EVP_DigestFinal_ex(state, digest.data(), &size) != 1) {
            throw std::logic_error("digest finished twice");
        }
        finished = true;
        return {digest.begin(), digest.begin() + size};
    }
};

Hasher::Hasher(std::string_view algorithm) : context_(std::make_unique<Context>()) {
    EVP_MD* method = EVP_MD_fetch(nullptr, openssl_name(algorithm), nullptr);
    const bool ready =
        method != nullptr && EVP_DigestInit_ex(context_->state, method, nullptr) == 1;
    EVP_MD_free(method);
    if (!ready) {
        throw std::invalid_argument("digest algorithm " + std::string(algorithm) + " is disabled");
    }
}

Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;
Hasher::~Hasher() = default;

void Hasher::update(std::string_view bytes) {
    if (EVP_DigestUpdate(context_->state, bytes.data(), bytes.size()) != 1) {
        throw std::logic_error("digest updated after its end");
    }
}

std::string Hasher::finish() {
    return to_hex(context_->finish());
}

std::string Hasher::finish_base64url() {
    return base64url(context_->finish());
}

std::string sha256(std::string_view bytes) {
    Hasher hasher;
    hasher.update(bytes);
    return hasher.finish();
}

std::string sha256_file(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        cannot_read(path, errno);
    }
    Hasher hasher;
    std::vector<char> buffer(1U << 18U);
    ssize_t got = 0;
    while ((got = ::read(descriptor, buffer.data(), buffer.size())) != 0) {
        if (got > 0) {
            hasher.update({buffer.data(), static_cast<std::size_t>(got)});
        } else if (errno != EINTR) {
            const int error = errno;
            ::close(descriptor);
            cannot_read(path, error);
        }
    }
    ::close(descriptor);
    return hasher.finish();
}

std::string hex_to_base64url(std::string_view hex) {
    return base64url(from_hex(hex));
}

std::string base64(std::string_view bytes) {
    // EVP_EncodeBlock takes an int; in pieces of a multiple of three bytes nothing is padded early.
    constexpr std::size_t piece = 3U << 20U;
    std::string out;
    std::vector<unsigned char> encoded(piece / 3 * 4 + 1);
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        const auto part = bytes.substr(at, piece);
        const std::vector<unsigned char> input(part.begin(), part.end());
        const int size =
            EVP_EncodeBlock(encoded.data(), input.data(), static_cast<int>(input.size()));
        out.append(encoded.begin(), encoded.begin() + size);
    }
    return out;
}

std::string uuid5(std::string_view name_space, std::string_view name) {
    constexpr std::string_view url_name_space = "6ba7b811-9dad-11d1-80b4-00c04fd430c8";
    auto scope = uuid_bytes(name_space);
    if (!scope) {
        scope = uuid5_bytes(uuid_bytes(url_name_space).value(), name_space);
    }
    std::string text = to_hex(uuid5_bytes(*scope, name));
    for (const std::size_t at : {8U, 13U, 18U, 23U}) {
        text.insert(at, 1, '-');
    }
    return text;
}

}  // namespace wheelforge
