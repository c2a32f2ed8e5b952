// SPDX-License-Identifier: Apache-2.0
// Versions (PEP 440). A value type whose law is v == Version::parse(v.text()).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/expected.hpp"

namespace wheelforge::pep {

/// A non-negative number of any size: PEP 440 sets no bound on a segment's digits.
class Number {
public:
    Number() = default;
    explicit Number(std::uint64_t value);
    [[nodiscard]] Number next() const;  ///< this and one
    /// The value where it is small enough to calculate with (19 digits).
    [[nodiscard]] std::optional<std::uint64_t> small() const noexcept;
    /// @param digits  one or more ASCII digits; leading zeros are dropped
    static Number from_digits(std::string_view digits);
    [[nodiscard]] const std::string& text() const noexcept { return digits_; }
    [[nodiscard]] bool is_zero() const noexcept { return digits_ == "0"; }
    std::strong_ordering operator<=>(const Number& other) const noexcept;
    bool operator==(const Number& other) const noexcept = default;

private:
    std::string digits_ = "0";
};

class Version {
public:
    enum class PreKind { alpha, beta, rc };  // in their order
    struct Pre {
        PreKind kind;
        Number number;
        auto operator<=>(const Pre&) const = default;
    };
    using LocalPart = std::variant<std::string, Number>;  ///< text sorts before number

    /// Accepts every spelling PEP 440 normalises (v1.0, 1.0-alpha1, 1.0.post, " 1.0 ").
    [[nodiscard]] static Parsed<Version> parse(std::string_view text);

    [[nodiscard]] const Number& epoch() const noexcept { return epoch_; }
    [[nodiscard]] const std::vector<Number>& release() const noexcept { return release_; }
    [[nodiscard]] const std::optional<Pre>& pre() const noexcept { return pre_; }
    [[nodiscard]] const std::optional<Number>& post() const noexcept { return post_; }
    [[nodiscard]] const std::optional<Number>& dev() const noexcept { return dev_; }
    [[nodiscard]] const std::vector<LocalPart>& local() const noexcept { return local_; }

    [[nodiscard]] bool is_prerelease() const noexcept { return pre_ || dev_; }
    [[nodiscard]] bool is_postrelease() const noexcept { return post_.has_value(); }
    [[nodiscard]] bool has_local() const noexcept { return !local_.empty(); }

    [[nodiscard]] const std::string& text() const noexcept { return text_; }  ///< normalised
    [[nodiscard]] std::string public_text() const;  ///< without the local part
    [[nodiscard]] std::string base_text() const;    ///< epoch and release only
    [[nodiscard]] std::string local_text() const;   ///< "" if none
    [[nodiscard]] Version without_local() const;

    /// Bytes whose order (as unsigned characters, shorter first) is the order of versions, so that
    /// comparing costs one memcmp. Equal exactly for equal versions: "1.0" and "1" have one key.
    [[nodiscard]] const std::string& sort_key() const noexcept { return key_; }
    /// The same without the local part.
    [[nodiscard]] std::string_view public_sort_key() const noexcept {
        return std::string_view(key_).substr(0, public_end_);
    }
    /// What a version shares with its post-releases and local versions: epoch, release and
    /// pre-release.
    [[nodiscard]] std::string_view family_sort_key() const noexcept {
        return std::string_view(key_).substr(0, family_end_);
    }

    std::strong_ordering operator<=>(const Version& other) const noexcept {
        return key_ <=> other.key_;
    }
    bool operator==(const Version& other) const noexcept { return key_ == other.key_; }

private:
    friend struct VersionBuilder;
    Number epoch_;
    std::vector<Number> release_;
    std::optional<Pre> pre_;
    std::optional<Number> post_;
    std::optional<Number> dev_;
    std::vector<LocalPart> local_;
    std::string text_;
    std::string key_;
    std::uint32_t family_end_ = 0;
    std::uint32_t public_end_ = 0;
};

}  // namespace wheelforge::pep

template <>
struct std::hash<wheelforge::pep::Version> {
    std::size_t operator()(const wheelforge::pep::Version& version) const noexcept {
        return std::hash<std::string>{}(version.sort_key());
    }
};
