// SPDX-License-Identifier: Apache-2.0
#include "base/resources.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace wheelforge {

// What the generated embedded.cpp defines.
namespace embedded {
struct File {
    const char* name;
    const unsigned char* data;
    std::size_t size;
};
extern const File files[];
extern const std::size_t count;
}  // namespace embedded

namespace {

std::span<const embedded::File> all() {
    return {static_cast<const embedded::File*>(embedded::files), embedded::count};
}

}  // namespace

std::optional<std::string_view> resource(std::string_view path) {
    for (const auto& file : all()) {
        if (file.name == path) {
            return std::string_view(reinterpret_cast<const char*>(file.data), file.size);
        }
    }
    return std::nullopt;
}

std::vector<std::string_view> resources_below(std::string_view prefix) {
    std::vector<std::string_view> paths;
    for (const auto& file : all()) {
        if (std::string_view(file.name).starts_with(prefix)) {
            paths.emplace_back(file.name);
        }
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

}  // namespace wheelforge
