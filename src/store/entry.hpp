// SPDX-License-Identifier: Apache-2.0
// entry.json, the last word on a published wheel: what it is called and which bytes it has.
#pragma once

#include <filesystem>
#include <string>

#include "base/expected.hpp"
#include "store/store.hpp"

namespace wheelforge::store {

/// Names of the files beside the wheel.
inline constexpr const char* entry_file = "entry.json";
inline constexpr const char* inputs_file = "inputs.txt";
inline constexpr const char* record_file = "record.json";
inline constexpr const char* sbom_file = "sbom.cdx.json";

[[nodiscard]] std::string entry_json(const Entry& entry);
/// The entry in `folder`, whose name is its key. Wrong or missing fields, a wheel with other bytes
/// than recorded and a missing file are parse errors: the entry is damaged.
[[nodiscard]] Parsed<Entry> read_entry(const std::filesystem::path& folder);

/// What entry.json says, whether or not the wheel beside it is sound: nothing large is read.
[[nodiscard]] Parsed<Entry> read_entry_facts(const std::filesystem::path& folder);

/// Whether `text` is a remembered answer (Store::remember) with the digest it was written with.
[[nodiscard]] bool is_proven_answer(std::string_view text);

/// Whether `name` can be a file name inside the store: letters, digits, "._+-!", no leading dot.
[[nodiscard]] bool is_plain_name(std::string_view name) noexcept;

}  // namespace wheelforge::store
