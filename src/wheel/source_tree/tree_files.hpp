// SPDX-License-Identifier: Apache-2.0
// The files of a source tree, unpacked or not, for those who read them as text.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace wheelforge::wheel {

using WantsFile = std::function<bool(const std::filesystem::path& below)>;
using TakeText = std::function<void(const std::filesystem::path& below, std::string text)>;

/// Hands over the files that are wanted, by their path below the tree, in any order. Links are not
/// followed; binary files and those above 4 MiB are left out.
using TreeFiles = std::function<void(const WantsFile& wanted, const TakeText& take)>;

/// Throws, when used, Error{surroundings} when the folder cannot be read.
[[nodiscard]] TreeFiles files_of_folder(std::filesystem::path tree);
/// Those of an sdist as it is, without unpacking. Throws, when used, as read_files of
/// base/archive.hpp.
[[nodiscard]] TreeFiles files_of_archive(std::filesystem::path archive);

}  // namespace wheelforge::wheel
