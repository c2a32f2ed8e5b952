// SPDX-License-Identifier: Apache-2.0
#include "source/languages.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace wheelforge::source {
namespace {

using Row = std::pair<std::string_view, std::string_view>;

constexpr std::array<Row, 3> by_name = {{
    {"Cargo.toml", "rust"},
    {"CMakeLists.txt", "cmake"},
    {"meson.build", "meson"},
}};

constexpr std::array<Row, 15> by_extension = {{
    {"c", "c"},
    {"cc", "c++"},
    {"cpp", "c++"},
    {"cxx", "c++"},
    {"C", "c++"},
    {"pyx", "cython"},
    {"f", "fortran"},
    {"F", "fortran"},
    {"for", "fortran"},
    {"f77", "fortran"},
    {"f90", "fortran"},
    {"F90", "fortran"},
    {"f95", "fortran"},
    {"cu", "cuda"},
    {"hip", "hip"},
}};

template <std::size_t Size>
std::string_view look_up(const std::array<Row, Size>& table, std::string_view key) noexcept {
    const auto row =
        std::find_if(table.begin(), table.end(), [&](const Row& r) { return r.first == key; });
    return row == table.end() ? std::string_view() : row->second;
}

}  // namespace

std::string_view language_of(std::string_view member) noexcept {
    const auto name = member.substr(member.find_last_of('/') + 1);
    if (const auto language = look_up(by_name, name); !language.empty()) {
        return language;
    }
    const auto dot = name.find_last_of('.');
    return dot == std::string_view::npos ? std::string_view()
                                         : look_up(by_extension, name.substr(dot + 1));
}

}  // namespace wheelforge::source
