// SPDX-License-Identifier: Apache-2.0
// The journal of a run: its events, in its output folder, for `status` and `log -f`. Its lock says
// that the run lives, whatever becomes of the process, and keeps a second run out of the folder.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "base/files.hpp"
#include "cli/progress.hpp"

namespace wheelforge::cli {

class Journal {
public:
    /// Begins anew. Without the right to write there it does nothing: the run itself will say so.
    /// Throws Error{surroundings} "output-busy" when another run works in this folder.
    explicit Journal(const std::filesystem::path& variant_folder);

    /// Null when nothing can be written.
    [[nodiscard]] engine::Observer* observer() const noexcept { return events_.get(); }

private:
    std::optional<FileLock> lock_;
    std::unique_ptr<EventsFile> events_;
};

}  // namespace wheelforge::cli
