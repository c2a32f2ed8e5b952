// SPDX-License-Identifier: Apache-2.0
#include "cli/journal.hpp"

#include <chrono>
#include <thread>

#include "base/error.hpp"
#include "base/text.hpp"
#include "engine/run_state.hpp"

namespace wheelforge::cli {
namespace {

/// `status` holds the lock for an instant while it looks.
std::optional<FileLock> patient_lock(const fs::path& path) {
    constexpr int attempts = 20;
    for (int i = 0; i < attempts; ++i) {
        if (auto lock = FileLock::acquire(path, FileLock::Wait::no)) {
            return lock;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return std::nullopt;
}

}  // namespace

Journal::Journal(const std::filesystem::path& variant_folder) {
    const auto path = variant_folder / engine::journal_file;
    try {
        if (auto lock = patient_lock(path)) {
            lock_.emplace(*std::move(lock));
        }
    } catch (const Error&) {
        return;
    }
    if (!lock_) {
        throw Error(
            ExitCode::surroundings,
            "output-busy",
            "another run works in " + printable(variant_folder.string())
        )
            .advise(
                "see what it does: wheelforge status "
                + printable(variant_folder.parent_path().string())
            )
            .advise("or name another output folder: -o DIR");
    }
    std::error_code error;
    fs::resize_file(path, 0, error);
    if (!error) {
        events_ = std::make_unique<EventsFile>(path);
    }
}

}  // namespace wheelforge::cli
