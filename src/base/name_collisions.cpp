// SPDX-License-Identifier: Apache-2.0
#include "base/name_collisions.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utf8proc.h>

#include "base/text.hpp"

namespace wheelforge {
namespace {

constexpr std::size_t most_told = 20;

struct Free {
    void operator()(utf8proc_uint8_t* bytes) const noexcept { std::free(bytes); }
};

utf8proc_int32_t lower(utf8proc_int32_t character, void*) {
    return utf8proc_tolower(character);
}

utf8proc_int32_t same(utf8proc_int32_t character, void*) {
    return character;
}

/// NFD, of lower case letters if `change` makes them.
std::string decomposed(std::string_view text, utf8proc_custom_func change) {
    utf8proc_uint8_t* bytes = nullptr;
    const auto size = utf8proc_map_custom(
        reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
        static_cast<utf8proc_ssize_t>(text.size()),
        &bytes,
        static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE),
        change,
        nullptr
    );
    const std::unique_ptr<utf8proc_uint8_t, Free> owner(bytes);
    if (size < 0) {
        return std::string(text);
    }
    return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x80U;
    });
}

std::string folded(std::string_view path) {
    return is_ascii(path) ? to_lower(path) : decomposed(path, &lower);
}

std::string_view folder_of(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? "" : path.substr(0, slash);
}

std::string difference(std::string_view a, std::string_view b) {
    const auto as_it_is = [](std::string_view path) { return decomposed(path, &same); };
    return as_it_is(a) == as_it_is(b) ? "the normal form of Unicode" : "case";
}

}  // namespace

void NameCollisions::add(std::string_view path) {
    const auto [place, fresh] = first_.emplace(folded(path), path);
    if (fresh || folder_of(place->second) != folder_of(path)) {
        return;
    }
    if (told_.size() == most_told) {
        ++untold_;
        return;
    }
    told_.push_back(
        "\"" + printable(place->second) + "\" and \"" + printable(path) + "\" differ by "
        + difference(place->second, path)
        + " only: where file names ignore that, one overwrites the other"
    );
}

std::vector<std::string> NameCollisions::notices() const {
    auto all = told_;
    if (untold_ > 0) {
        all.push_back(std::to_string(untold_) + " more names differ from others as little");
    }
    return all;
}

}  // namespace wheelforge
