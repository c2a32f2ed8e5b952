// SPDX-License-Identifier: Apache-2.0
// Creating files below one folder and nowhere else: paths are resolved by the kernel relative to a
// descriptor of the folder, never through a symbolic link. Whatever names an archive makes up,
// nothing can be written outside.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.hpp"

namespace wheelforge {

/// Paths are parts without "", "." and "..". Throws Error{refused}: "archive-link" for a path that
/// leads through a link, "archive-duplicate" for a file that exists or a folder that is a file,
/// "archive-name" for a name the file system cannot hold; otherwise Error{surroundings}.
class Beneath {
public:
    using Parts = std::span<const std::string>;
    enum class Resolve {
        kernel,  ///< openat2, Linux 5.6; falls back to walk where it is missing
        walk,    ///< part by part with O_NOFOLLOW
    };
    /// @param folder  must exist
    explicit Beneath(const std::filesystem::path& folder, Resolve resolve = Resolve::kernel);

    /// With its parents; one that exists is fine.
    void make_folder(Parts path);
    /// A new file for writing, mode 0755 or 0644; parents are made.
    [[nodiscard]] Descriptor create_file(Parts path, bool executable);
    void make_symlink(Parts path, const std::string& target);
    /// `existing` must be a regular file.
    void make_hard_link(Parts existing, Parts path);
    [[nodiscard]] std::uint64_t folders_made() const noexcept { return folders_made_; }

private:
    [[nodiscard]] const Descriptor& parent_of(Parts path);
    [[nodiscard]] Descriptor open_folder(Parts path);
    [[nodiscard]] Descriptor open_by_kernel(const std::string& path) const;
    [[nodiscard]] Descriptor walk(Parts path);

    Descriptor root_;
    Resolve resolve_;
    std::uint64_t folders_made_ = 0;
    Descriptor cached_;  ///< the parent used last: members come folder by folder
    std::vector<std::string> cached_path_;
};

}  // namespace wheelforge
