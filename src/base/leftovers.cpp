// SPDX-License-Identifier: Apache-2.0
#include "base/leftovers.hpp"

#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <system_error>

#include "base/descriptor.hpp"

namespace wheelforge {
namespace {

namespace fs = std::filesystem;

bool is_abandoned(const fs::path& file) {
    const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    return opened.valid() && ::flock(opened.get(), LOCK_EX | LOCK_NB) == 0;
}

template <typename Iterator>
std::size_t sweep(const fs::path& folder) {
    std::size_t removed = 0;
    std::error_code error;
    for (Iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        const auto path = entry->path();
        if (is_temporary(path) && fs::is_regular_file(entry->symlink_status(ignored))
            && is_abandoned(path)) {
            removed += fs::remove(path, ignored) ? 1 : 0;
        }
    }
    return removed;
}

}  // namespace

// ".wheelforge-" and six letters or digits, as mkostemp() makes them. One name of that form is
// given by us: the list of wheels in an output folder.
bool is_temporary(const fs::path& file) {
    constexpr std::string_view prefix = ".wheelforge-";
    constexpr std::size_t letters = 6;
    const std::string name = file.filename().string();
    if (!name.starts_with(prefix) || name.size() != prefix.size() + letters) {
        return false;
    }
    return name != ".wheelforge-wheels";
}

std::size_t sweep_leftovers(const fs::path& folder, Depth depth) {
    return depth == Depth::tree ? sweep<fs::recursive_directory_iterator>(folder)
                                : sweep<fs::directory_iterator>(folder);
}

}  // namespace wheelforge
