// SPDX-License-Identifier: Apache-2.0
// A temporary folder that is the current one as long as it lives.
#pragma once

#include <string_view>

#include "base/files.hpp"

namespace wheelforge::support {

class WorkingDirectory {
public:
    WorkingDirectory() { fs::current_path(folder_.path()); }
    WorkingDirectory(const WorkingDirectory&) = delete;
    WorkingDirectory& operator=(const WorkingDirectory&) = delete;
    ~WorkingDirectory() { fs::current_path(before_); }

    [[nodiscard]] const fs::path& path() const noexcept { return folder_.path(); }
    void write(const fs::path& name, std::string_view content) const {
        write_file(path() / name, content);
    }

private:
    fs::path before_ = fs::current_path();
    TempDir folder_{fs::temp_directory_path(), "test-"};
};

}  // namespace wheelforge::support
