// SPDX-License-Identifier: Apache-2.0
// The signatures of failed builds, read from src/build/signatures.yaml.
#pragma once

#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge::build {

/// How much a match says; a smaller one outranks a larger one.
enum class SignatureClass { decisive, usual, weak };

struct Signature {
    std::string id;
    SignatureClass rank = SignatureClass::usual;
    std::string literal;  ///< must be in the line, before the pattern is tried
    std::regex pattern;
    std::optional<int> exit_code;  ///< instead of literal and pattern
    std::string table;             ///< where $1 is looked up, "" for nowhere
    std::string cause;             ///< with $1, $2
    std::string advice;            ///< with $1, $2
};

struct Signatures {
    std::vector<Signature> all;
    /// table -> key -> advice
    std::map<std::string, std::map<std::string, std::string>> tables;

    /// Those the program carries.
    [[nodiscard]] static const Signatures& shipped();
    /// Throws Error{usage} as the YAML reader does, also for a pattern that does not compile.
    [[nodiscard]] static Signatures parse(std::string_view text, const std::string& file);
    /// What the table knows of `key`: by the whole key, then by the folders it starts with
    /// ("openssl/" for "openssl/ssl.h").
    [[nodiscard]] std::optional<std::string>
    look_up(const std::string& table, const std::string& key) const;
};

}  // namespace wheelforge::build
