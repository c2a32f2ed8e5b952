// SPDX-License-Identifier: Apache-2.0
#include "engine/release_filter.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"

namespace wheelforge::engine {
namespace {

using std::chrono::seconds;

/// Reads digits and fixed characters from the front of a text.
class Cursor {
public:
    explicit Cursor(std::string_view text) : text_(text) {}
    [[nodiscard]] bool done() const noexcept { return text_.empty(); }
    bool take(char wanted) {
        if (text_.empty() || text_.front() != wanted) {
            return false;
        }
        text_.remove_prefix(1);
        return true;
    }
    /// Exactly `digits` digits, or with 0 as many as there are (at most 9).
    std::optional<int> number(std::size_t digits = 0) {
        std::size_t count = 0;
        while (count < text_.size() && text_[count] >= '0' && text_[count] <= '9') {
            ++count;
        }
        if (count == 0 || (digits == 0 && count > 9) || count < digits) {
            return std::nullopt;
        }
        count = digits == 0 ? count : digits;
        int value = 0;
        std::from_chars(text_.data(), text_.data() + count, value);
        text_.remove_prefix(count);
        return value;
    }
    void skip_digits() {
        while (!text_.empty() && text_.front() >= '0' && text_.front() <= '9') {
            text_.remove_prefix(1);
        }
    }
    std::string word() {
        std::string result;
        while (!text_.empty() && text_.front() >= 'a' && text_.front() <= 'z') {
            result += text_.front();
            text_.remove_prefix(1);
        }
        return result;
    }
    void skip_spaces() { text_ = trim(text_); }

private:
    std::string_view text_;
};

std::optional<Time> parse_date(Cursor& cursor) {
    const auto year = cursor.number(4);
    const bool first = cursor.take('-');
    const auto month = cursor.number(2);
    const bool second = cursor.take('-');
    const auto day = cursor.number(2);
    if (!year || !month || !day || !first || !second) {
        return std::nullopt;
    }
    const auto date = std::chrono::year(*year) / *month / *day;
    return date.ok() ? std::optional<Time>(std::chrono::sys_days(date)) : std::nullopt;
}

/// "Z", "+02:00", "" (UTC): what to subtract.
std::optional<seconds> parse_offset(Cursor& cursor) {
    if (cursor.done() || cursor.take('Z') || cursor.take('z')) {
        return cursor.done() ? std::optional(seconds(0)) : std::nullopt;
    }
    const bool ahead = cursor.take('+');
    if (!ahead && !cursor.take('-')) {
        return std::nullopt;
    }
    const auto hours = cursor.number(2);
    cursor.take(':');
    const auto minutes = cursor.number(2);
    if (!hours || !minutes || !cursor.done()) {
        return std::nullopt;
    }
    const seconds size = std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
    return ahead ? size : -size;
}

std::optional<seconds> unit_of(const std::string& word) {
    static const std::map<std::string, seconds> units = {
        {"", std::chrono::days(1)},
        {"s", seconds(1)},
        {"sec", seconds(1)},
        {"second", seconds(1)},
        {"m", std::chrono::minutes(1)},
        {"min", std::chrono::minutes(1)},
        {"minute", std::chrono::minutes(1)},
        {"h", std::chrono::hours(1)},
        {"hour", std::chrono::hours(1)},
        {"d", std::chrono::days(1)},
        {"day", std::chrono::days(1)},
        {"w", std::chrono::weeks(1)},
        {"week", std::chrono::weeks(1)},
    };
    auto unit = units.find(word);
    if (unit == units.end() && word.size() > 2 && word.back() == 's') {
        unit = units.find(word.substr(0, word.size() - 1));
    }
    return unit == units.end() ? std::nullopt : std::optional(unit->second);
}

/// The part of an ISO 8601 duration behind the 'P', in lower case: "7d", "1w", "t12h30m".
std::optional<seconds> parse_iso(Cursor cursor) {
    seconds total(0);
    bool any = false;
    bool in_time = false;
    while (!cursor.done()) {
        if (!in_time && cursor.take('t')) {
            in_time = true;
            continue;
        }
        const auto count = cursor.number();
        std::optional<seconds> unit;
        for (const char letter : std::string_view(in_time ? "hms" : "dw")) {
            if (!unit && cursor.take(letter)) {
                unit = unit_of(std::string(1, letter));
            }
        }
        if (!count || !unit) {
            return std::nullopt;
        }
        total += *count * *unit;
        any = true;
    }
    return any ? std::optional(total) : std::nullopt;
}

}  // namespace

std::optional<Time> parse_time(std::string_view text) {
    Cursor cursor(trim(text));
    auto time = parse_date(cursor);
    if (!time) {
        return std::nullopt;
    }
    if (cursor.done()) {
        return *time + std::chrono::days(1) - std::chrono::milliseconds(1);
    }
    if (!cursor.take('T') && !cursor.take('t') && !cursor.take(' ')) {
        return std::nullopt;
    }
    const auto hours = cursor.number(2);
    const bool colon = cursor.take(':');
    const auto minutes = cursor.number(2);
    if (!hours || !colon || !minutes || *hours > 23 || *minutes > 59) {
        return std::nullopt;
    }
    *time += std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
    if (cursor.take(':')) {
        const auto second = cursor.number(2);
        if (!second || *second > 60) {
            return std::nullopt;
        }
        *time += seconds(*second);
        if (cursor.take('.')) {
            cursor.skip_digits();
        }
    }
    const auto offset = parse_offset(cursor);
    return offset ? std::optional(*time - *offset) : std::nullopt;
}

std::optional<seconds> parse_duration(std::string_view text) {
    const auto lower = to_lower(trim(text));
    if (lower.starts_with('p')) {
        return parse_iso(Cursor(std::string_view(lower).substr(1)));
    }
    Cursor cursor(lower);
    const auto count = cursor.number();
    cursor.skip_spaces();
    const auto unit = unit_of(cursor.word());
    return count && unit && cursor.done() ? std::optional(*count * *unit) : std::nullopt;
}

std::optional<std::string>
ReleaseFilter::refusal(const std::string& name, const index::DistributionFile& file) const {
    const auto own = min_age_of.find(name);
    const auto age = own != min_age_of.end() ? std::optional(own->second) : min_age;
    const auto pin = pinned.find(name);
    const bool asked_for = pin != pinned.end() && pin->second.contains(file.version);
    const bool has_age_limit = age && *age > seconds(0) && !asked_for;
    if (!exclude_newer && !has_age_limit) {
        return std::nullopt;
    }
    const auto uploaded = file.upload_time ? parse_time(*file.upload_time) : std::nullopt;
    const std::string option = exclude_newer ? "--exclude-newer" : "--min-release-age";
    if (!uploaded) {
        return "its index does not say when it was uploaded, which " + option + " needs";
    }
    if (exclude_newer && *uploaded > *exclude_newer) {
        return "was uploaded " + *file.upload_time + ", after --exclude-newer "
               + exclude_newer_text;
    }
    if (has_age_limit && *uploaded > now - *age) {
        return "was uploaded " + *file.upload_time + ", younger than the least age of a release"
               + (own != min_age_of.end() ? " in the settings of " + name
                                          : " (--min-release-age " + min_age_text + ")");
    }
    return std::nullopt;
}

}  // namespace wheelforge::engine
