// SPDX-License-Identifier: Apache-2.0
// Tokens of the PEP 508 grammar. Which token may come next depends on the place, so the parser asks
// for one at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/expected.hpp"

namespace wheelforge::pep {

class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    [[nodiscard]] std::string_view text() const noexcept { return text_; }
    [[nodiscard]] std::size_t position() const noexcept { return at_; }
    void move_to(std::size_t position) noexcept { at_ = position; }
    [[nodiscard]] bool at_end() const noexcept { return at_ == text_.size(); }
    [[nodiscard]] bool looking_at(char c) const noexcept { return !at_end() && text_[at_] == c; }

    /// Blanks and tabs; a line end is none of them.
    bool skip_blanks() noexcept;
    bool take(char c) noexcept;
    bool take(std::string_view symbol) noexcept;
    /// `word` between word boundaries.
    bool take_word(std::string_view word) noexcept;
    /// A name of a project or an extra: may end in '_', as the reference has it.
    std::optional<std::string_view> take_identifier() noexcept;
    /// Everything up to the next blank or tab; nullopt if that is nothing.
    std::optional<std::string_view> take_url() noexcept;

    [[nodiscard]] tl::unexpected<ParseError> fail(std::string message) const {
        return parse_error(std::move(message), at_);
    }

private:
    [[nodiscard]] bool boundary_at(std::size_t position) const noexcept;
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace wheelforge::pep
