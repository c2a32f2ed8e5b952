// SPDX-License-Identifier: Apache-2.0
#include "pep/version_builder.hpp"

#include <array>

namespace wheelforge::pep {

namespace {

// The sort key. Every part is written so that no key of a part begins another one, hence the
// bytes compare like the parts:
//
//     epoch, release without trailing zeros, end, pre, post, dev, local
//
// A number below 239 is one byte (value + 1); a larger one says its length first. Zero is the end
// of a list.
constexpr std::uint64_t one_byte_numbers = 0xEF;
constexpr char end_of_list = '\x00';
constexpr unsigned length_marker = 0xF0;
constexpr unsigned huge_marker = 0xF9;

// Ranks, as PEP 440 orders the kinds of release.
constexpr char dev_only = '\x00';   // "1.0.dev1" stands before "1.0a1"
constexpr char first_pre = '\x01';  // alpha, beta and rc follow each other
constexpr char no_pre = '\x04';
constexpr char no_post = '\x00';
constexpr char has_post = '\x01';
constexpr char has_dev = '\x00';
constexpr char no_dev = '\x01';
constexpr char local_text = '\x01';
constexpr char local_number = '\x02';

void append_byte(std::string& key, unsigned value) {
    key.push_back(static_cast<char>(static_cast<unsigned char>(value)));
}

void append_big_endian(std::string& key, std::uint64_t value, unsigned bytes) {
    for (unsigned i = bytes; i > 0; --i) {
        append_byte(key, static_cast<unsigned>((value >> ((i - 1) * 8U)) & 0xFFU));
    }
}

void append_number(std::string& key, const Number& number) {
    const std::optional<std::uint64_t> value = number.small();
    if (!value) {
        append_byte(key, huge_marker);
        append_big_endian(key, number.text().size(), 8);
        key += number.text();
        return;
    }
    if (*value < one_byte_numbers) {
        append_byte(key, static_cast<unsigned>(*value) + 1);
        return;
    }
    unsigned bytes = 1;
    while (bytes < 8 && (*value >> (bytes * 8U)) != 0) {
        ++bytes;
    }
    append_byte(key, length_marker + bytes);
    append_big_endian(key, *value, bytes);
}

void append_release(std::string& key, const std::vector<Number>& release) {
    std::size_t end = release.size();
    while (end > 0 && release[end - 1].is_zero()) {
        --end;
    }
    for (std::size_t i = 0; i < end; ++i) {
        append_number(key, release[i]);
    }
    key.push_back(end_of_list);
}

void append_pre(std::string& key, const Version& version) {
    if (version.pre()) {
        key.push_back(static_cast<char>(first_pre + static_cast<char>(version.pre()->kind)));
        append_number(key, version.pre()->number);
    } else {
        key.push_back(version.dev() && !version.post() ? dev_only : no_pre);
    }
}

void append_optional(
    std::string& key, const std::optional<Number>& number, char present, char absent
) {
    key.push_back(number ? present : absent);
    if (number) {
        append_number(key, *number);
    }
}

void append_local(std::string& key, const std::vector<Version::LocalPart>& local) {
    for (const Version::LocalPart& part : local) {
        if (const auto* number = std::get_if<Number>(&part)) {
            key.push_back(local_number);
            append_number(key, *number);
        } else {
            key.push_back(local_text);
            key += std::get<std::string>(part);
            key.push_back(end_of_list);
        }
    }
}

}  // namespace

void VersionBuilder::set_text() {
    constexpr std::array<std::string_view, 3> letters{"a", "b", "rc"};
    std::string text = version.base_text();
    if (version.pre_) {
        text += letters.at(static_cast<std::size_t>(version.pre_->kind));
        text += version.pre_->number.text();
    }
    if (version.post_) {
        text += ".post" + version.post_->text();
    }
    if (version.dev_) {
        text += ".dev" + version.dev_->text();
    }
    if (version.has_local()) {
        text += "+" + version.local_text();
    }
    version.text_ = std::move(text);
}

void VersionBuilder::set_key() {
    std::string key;
    append_number(key, version.epoch_);
    append_release(key, version.release_);
    append_pre(key, version);
    version.family_end_ = static_cast<std::uint32_t>(key.size());
    append_optional(key, version.post_, has_post, no_post);
    append_optional(key, version.dev_, has_dev, no_dev);
    version.public_end_ = static_cast<std::uint32_t>(key.size());
    append_local(key, version.local_);
    version.key_ = std::move(key);
}

Version VersionBuilder::finish() {
    set_text();
    set_key();
    return std::move(version);
}

}  // namespace wheelforge::pep
