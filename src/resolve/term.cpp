// SPDX-License-Identifier: Apache-2.0
#include "resolve/term.hpp"

#include <algorithm>
#include <bit>

namespace wheelforge::resolve {

std::uint64_t StateSet::last_mask() const noexcept {
    const std::size_t used = size_ % 64;
    return used == 0 ? ~0ULL : (1ULL << used) - 1;
}

StateSet StateSet::none(std::size_t offers) {
    return StateSet(offers + 1);
}

StateSet StateSet::all(std::size_t offers) {
    return ~none(offers);
}

StateSet StateSet::present(std::size_t offers) {
    StateSet result = all(offers);
    result.words_[0] &= ~1ULL;
    return result;
}

StateSet StateSet::only(std::size_t offers, std::size_t offer) {
    StateSet result = none(offers);
    result.add(offer);
    return result;
}

bool StateSet::empty() const noexcept {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
}

bool StateSet::full() const noexcept {
    if (words_.empty()) {
        return true;
    }
    return std::all_of(
               words_.begin(), words_.end() - 1, [](std::uint64_t word) { return word == ~0ULL; }
           )
           && words_.back() == last_mask();
}

std::size_t StateSet::count_present() const noexcept {
    std::size_t count = 0;
    for (const std::uint64_t word : words_) {
        count += static_cast<std::size_t>(std::popcount(word));
    }
    return count - (has_absent() ? 1 : 0);
}

std::vector<std::size_t> StateSet::present_offers() const {
    std::vector<std::size_t> result;
    for (std::size_t index = 0; index < words_.size(); ++index) {
        std::uint64_t word = index == 0 ? words_[0] & ~1ULL : words_[index];
        for (; word != 0; word &= word - 1) {
            result.push_back(index * 64 + static_cast<std::size_t>(std::countr_zero(word)) - 1);
        }
    }
    return result;
}

std::size_t StateSet::highest() const noexcept {
    for (std::size_t index = words_.size(); index-- > 0;) {
        const std::uint64_t word = index == 0 ? words_[0] & ~1ULL : words_[index];
        if (word != 0) {
            return index * 64 + static_cast<std::size_t>(std::bit_width(word)) - 2;
        }
    }
    return npos;
}

std::size_t StateSet::lowest() const noexcept {
    for (std::size_t index = 0; index < words_.size(); ++index) {
        const std::uint64_t word = index == 0 ? words_[0] & ~1ULL : words_[index];
        if (word != 0) {
            return index * 64 + static_cast<std::size_t>(std::countr_zero(word)) - 1;
        }
    }
    return npos;
}

bool StateSet::subset_of(const StateSet& other) const noexcept {
    for (std::size_t index = 0; index < words_.size(); ++index) {
        if ((words_[index] & ~other.words_[index]) != 0) {
            return false;
        }
    }
    return true;
}

bool StateSet::disjoint_from(const StateSet& other) const noexcept {
    for (std::size_t index = 0; index < words_.size(); ++index) {
        if ((words_[index] & other.words_[index]) != 0) {
            return false;
        }
    }
    return true;
}

bool StateSet::subset_of_when(const StateSet& narrowed_by, const StateSet& other) const noexcept {
    for (std::size_t index = 0; index < words_.size(); ++index) {
        if ((words_[index] & narrowed_by.words_[index] & ~other.words_[index]) != 0) {
            return false;
        }
    }
    return true;
}

StateSet& StateSet::operator&=(const StateSet& other) noexcept {
    for (std::size_t index = 0; index < words_.size(); ++index) {
        words_[index] &= other.words_[index];
    }
    return *this;
}

StateSet& StateSet::operator|=(const StateSet& other) noexcept {
    for (std::size_t index = 0; index < words_.size(); ++index) {
        words_[index] |= other.words_[index];
    }
    return *this;
}

StateSet& StateSet::operator-=(const StateSet& other) noexcept {
    for (std::size_t index = 0; index < words_.size(); ++index) {
        words_[index] &= ~other.words_[index];
    }
    return *this;
}

StateSet StateSet::operator~() const {
    StateSet result(size_);
    for (std::size_t index = 0; index < words_.size(); ++index) {
        result.words_[index] = ~words_[index];
    }
    if (!result.words_.empty()) {
        result.words_.back() &= last_mask();
    }
    return result;
}

Relation relation(const StateSet& known, const StateSet& term) noexcept {
    if (known.subset_of(term)) {
        return Relation::satisfied;
    }
    return known.disjoint_from(term) ? Relation::contradicted : Relation::inconclusive;
}

}  // namespace wheelforge::resolve
