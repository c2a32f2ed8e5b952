// SPDX-License-Identifier: Apache-2.0
// Terms of the solver. A package is in exactly one state: absent, or present at one of the offers.
// A StateSet says which states are still possible, one bit each, so every question about version
// ranges (wildcards, !=, ===, local versions, pre-releases) is exact set algebra.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wheelforge::resolve {

using PackageId = std::uint32_t;
inline constexpr PackageId nobody = UINT32_MAX;

/// State 0 is "absent"; state i + 1 is offer i, offers in ascending order. Sets that are combined
/// must belong to the same package, that is, have the same size.
class StateSet {
public:
    StateSet() = default;
    [[nodiscard]] static StateSet none(std::size_t offers);
    [[nodiscard]] static StateSet all(std::size_t offers);
    /// Every offer, but not absent.
    [[nodiscard]] static StateSet present(std::size_t offers);
    [[nodiscard]] static StateSet only(std::size_t offers, std::size_t offer);

    void add(std::size_t offer) noexcept { set_bit(offer + 1); }
    void add_absent() noexcept { set_bit(0); }
    [[nodiscard]] bool has(std::size_t offer) const noexcept { return bit(offer + 1); }
    [[nodiscard]] bool has_absent() const noexcept { return size_ > 0 && bit(0); }
    /// How many offers the package has (not how many are in the set).
    [[nodiscard]] std::size_t offers() const noexcept { return size_ - 1; }
    [[nodiscard]] bool empty() const noexcept;
    [[nodiscard]] bool full() const noexcept;
    [[nodiscard]] std::size_t count_present() const noexcept;
    /// Offers in the set, ascending.
    [[nodiscard]] std::vector<std::size_t> present_offers() const;
    /// The highest (lowest) offer of the set; npos if there is none.
    [[nodiscard]] std::size_t highest() const noexcept;
    [[nodiscard]] std::size_t lowest() const noexcept;

    [[nodiscard]] bool subset_of(const StateSet& other) const noexcept;
    [[nodiscard]] bool disjoint_from(const StateSet& other) const noexcept;
    /// Whether (this & narrowed_by) is a subset of other, without building the intersection.
    [[nodiscard]] bool
    subset_of_when(const StateSet& narrowed_by, const StateSet& other) const noexcept;
    StateSet& operator&=(const StateSet& other) noexcept;
    StateSet& operator|=(const StateSet& other) noexcept;
    StateSet& operator-=(const StateSet& other) noexcept;
    [[nodiscard]] StateSet operator~() const;
    friend StateSet operator&(StateSet left, const StateSet& right) { return left &= right; }
    friend StateSet operator|(StateSet left, const StateSet& right) { return left |= right; }
    friend StateSet operator-(StateSet left, const StateSet& right) { return left -= right; }
    bool operator==(const StateSet&) const = default;

    static constexpr std::size_t npos = SIZE_MAX;

private:
    explicit StateSet(std::size_t size) : size_(size), words_((size + 63) / 64, 0) {}
    void set_bit(std::size_t index) noexcept { words_[index / 64] |= 1ULL << (index % 64); }
    [[nodiscard]] bool bit(std::size_t index) const noexcept {
        return ((words_[index / 64] >> (index % 64)) & 1U) != 0;
    }
    /// Bits of the last word that belong to the set.
    [[nodiscard]] std::uint64_t last_mask() const noexcept;

    std::size_t size_ = 0;
    std::vector<std::uint64_t> words_;
};

/// "This package is in one of these states."
struct Term {
    PackageId package = nobody;
    StateSet states;
};

/// How what is known about a package relates to a term.
enum class Relation { satisfied, contradicted, inconclusive };
[[nodiscard]] Relation relation(const StateSet& known, const StateSet& term) noexcept;

}  // namespace wheelforge::resolve
