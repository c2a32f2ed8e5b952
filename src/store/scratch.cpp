// SPDX-License-Identifier: Apache-2.0
#include "store/scratch.hpp"

#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"

namespace wheelforge::store {

namespace {

struct Abandoned {
    fs::path folder;
    FileLock lock;
};

/// Folders whose lock nobody holds; theirs is held by us now, so that no other process takes them
/// up as well.
std::vector<Abandoned> abandoned_folders(const fs::path& scratch, const fs::path& own) {
    std::vector<Abandoned> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(scratch, ignored)) {
        std::error_code error;
        if (entry.path() == own || !fs::is_directory(entry.symlink_status(error))) {
            continue;
        }
        if (auto lock = FileLock::acquire(entry.path() / "lock", FileLock::Wait::no)) {
            found.push_back({entry.path(), std::move(*lock)});
        }
    }
    return found;
}

/// Leftovers cost space only: failing to remove one is no reason to stop.
void sweep(const std::vector<Abandoned>& leftovers) {
    for (const Abandoned& leftover : leftovers) {
        try {
            remove_tree(leftover.folder);
        } catch (const Error& error) {
            log::info("cannot remove a leftover folder: " + error.message());
        }
    }
}

std::vector<Abandoned> look_for_abandoned(const fs::path& scratch, const fs::path& own) {
    try {
        return abandoned_folders(scratch, own);
    } catch (const Error& error) {
        log::info("cannot look for leftover folders: " + error.message());
        return {};
    }
}

}  // namespace

std::size_t other_runs(const fs::path& scratch, const fs::path& own) {
    std::size_t count = 0;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(scratch, ignored)) {
        std::error_code error;
        if (entry.path() != own && fs::is_directory(entry.symlink_status(error))
            && !FileLock::acquire(entry.path() / "lock", FileLock::Wait::no)) {
            ++count;
        }
    }
    return count;
}

std::pair<TempDir, FileLock> claim_scratch(const fs::path& scratch, const fs::path& guard) {
    auto serialised = FileLock::acquire(guard, FileLock::Wait::yes);
    TempDir own(scratch, "run-");
    auto lock = FileLock::acquire(own.path() / "lock", FileLock::Wait::yes);
    std::vector<Abandoned> leftovers = look_for_abandoned(scratch, own.path());
    serialised.reset();
    sweep(leftovers);
    return {std::move(own), std::move(lock.value())};
}

}  // namespace wheelforge::store
