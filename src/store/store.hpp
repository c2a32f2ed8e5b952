// SPDX-License-Identifier: Apache-2.0
// The content-addressed store: plain files, safe on a shared folder. An entry is published by
// renaming a finished folder; a lock per key keeps two processes from building the same thing.
//
//   <root>/format                     "wheelforge store 1"
//   <root>/entries/ab/<build key>/    entry.json, inputs.txt, record.json, sbom.cdx.json, <wheel>
//   <root>/like/ab/<key>/<build key>  entries that share some of their inputs, by those; in each
//                                     file when the entry was published
//   <root>/memo/<kind>/ab/<key>.json
//   <root>/sources/<sha256>/<file>    downloads
//   <root>/pages/                     parsed index pages
//   <root>/trees/                     unpacked wheels (build/environment.hpp)
//   <root>/locks/                     one file per key
//   <root>/scratch/run-*/             work of one process, its `lock` held while it lives
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/files.hpp"
#include "store/inputs.hpp"

namespace wheelforge::store {

struct Entry {
    std::string key;
    std::string name;
    std::string version;  ///< as built
    std::filesystem::path wheel;
    std::string filename;
    std::string sha256;
    std::string payload;
    std::filesystem::path record;  ///< full build record (JSON), with measurements
    std::filesystem::path sbom;
};

class Store {
public:
    /// Makes the folder if needed. Throws Error{surroundings} "cache-unusable" when it cannot be
    /// written, or has a newer format.
    explicit Store(fs::path root);
    Store(Store&&) noexcept = default;
    ~Store();

    /// Gets one line for the user when a damaged entry was found; without one it is only logged.
    /// Called by whichever thread found it. Set before threads share the store.
    void on_notice(std::function<void(const std::string&)> notice) { notice_ = std::move(notice); }

    [[nodiscard]] const fs::path& root() const noexcept { return root_; }
    [[nodiscard]] fs::path sources() const { return root_ / "sources"; }
    [[nodiscard]] fs::path pages() const { return root_ / "pages"; }
    [[nodiscard]] fs::path trees() const { return root_ / "trees"; }

    /// A finished wheel by key; its bytes are checked against the digest in the entry (a damaged
    /// entry is removed, said, and counts as absent).
    [[nodiscard]] std::optional<Entry> find(const std::string& key) const;

    /// What is published. Paths are moved or linked into the entry.
    struct Publication {
        std::string key;
        std::string inputs_text;
        std::string name;
        std::string version;
        fs::path wheel;
        std::string sha256;
        std::string payload;
        std::string record_json;
        std::string sbom_json;
        std::string like;  ///< key of the inputs it shares with others; may be empty
    };
    /// When another process was faster, its entry is returned.
    Entry publish(const Publication& publication);

    /// Has the entry `key` found by `like` as well.
    void note_like(const std::string& like, const std::string& key) const;
    /// Of the entries that were noted under `like` and are still there, the one published last; of
    /// those published at once the one with the smaller key. `preferred` goes before all if it is
    /// among them.
    [[nodiscard]] std::optional<Entry>
    find_like(const std::string& like, const std::string& preferred = {}) const;

    /// Held while a key is being built.
    [[nodiscard]] FileLock lock(const std::string& key) const;
    /// Scratch folder of one build; stale ones of dead processes are removed at construction.
    [[nodiscard]] TempDir scratch() const;

    /// The folder of this process, which holds those that scratch() makes.
    [[nodiscard]] const fs::path& scratch_root() const noexcept { return run_->path(); }

    /// Small memoised answers (hook answers by plan key, sdist facts by digest). A damaged one
    /// counts as absent.
    [[nodiscard]] std::optional<std::string>
    recall(std::string_view kind, const std::string& key) const;
    void remember(std::string_view kind, const std::string& key, std::string_view json) const;

private:
    [[nodiscard]] fs::path entry_folder(const std::string& key) const;
    [[nodiscard]] fs::path like_folder(const std::string& like) const;
    [[nodiscard]] fs::path memo_file(std::string_view kind, const std::string& key) const;
    void discard(const fs::path& folder, const std::string& reason) const;

    fs::path root_;
    std::function<void(const std::string&)> notice_;
    std::optional<TempDir> run_;        ///< scratch/run-XXXXXX of this process
    std::optional<FileLock> run_lock_;  ///< says that it lives
};

/// $WHEELFORGE_CACHE_DIR, $XDG_CACHE_HOME/wheelforge, ~/.cache/wheelforge.
[[nodiscard]] fs::path default_cache_directory();

}  // namespace wheelforge::store
