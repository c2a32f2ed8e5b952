// SPDX-License-Identifier: Apache-2.0
// What a program answered to a question whose answer depends on nothing but the program file and
// what the question names: remembered on disk, so that a run that has nothing to do starts no
// process. Without a folder nothing is remembered.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace wheelforge::answers {

/// Where answers are kept, for the whole process. Set once, before threads start.
void keep_in(std::filesystem::path folder);

/// Path, size, times and inode of a program; nullopt for scripts, whose answers depend on what
/// they start, and for what cannot be read.
[[nodiscard]] std::optional<std::string> identity_of(const std::filesystem::path& program);

/// @param question  everything the answer depends on
[[nodiscard]] std::optional<std::string> recall(std::string_view question);
/// Failing to remember is not an error.
void remember(std::string_view question, std::string_view answer);

}  // namespace wheelforge::answers
