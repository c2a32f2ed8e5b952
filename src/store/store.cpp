// SPDX-License-Identifier: Apache-2.0
#include "store/store.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <stdexcept>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "store/entry.hpp"
#include "store/scratch.hpp"

namespace wheelforge::store {

namespace {

constexpr std::string_view format_text = "wheelforge store 1\n";
constexpr std::string_view format_stem = "wheelforge store ";

Error unusable(const fs::path& root, const std::string& reason) {
    return Error{
        ExitCode::surroundings,
        "cache-unusable",
        "the cache folder " + printable(root.string()) + " cannot be used: " + reason
    }
        .advise("name another folder by --cache-dir or WHEELFORGE_CACHE_DIR");
}

void check_format(const fs::path& root) {
    auto text = read_file_if_there(root / "format", 4096);
    if (!text) {
        write_file(root / "format", format_text);
    } else if (*text != format_text) {
        bool ours = text->compare(0, format_stem.size(), format_stem) == 0;
        throw unusable(
            root,
            ours ? "it was written in another format (" + printable(trim(*text)) + ")"
                 : "its file \"format\" is not ours"
        );
    }
}

/// Keys name files, so they are checked even though they are our own digests.
const std::string& checked(const std::string& key) {
    if (key.size() < 2 || !is_plain_name(key)) {
        throw std::invalid_argument("not a name for the store: " + printable(key));
    }
    return key;
}

fs::path absolute_from_environment(const char* variable) {
    const char* value = std::getenv(variable);
    fs::path path = value != nullptr ? value : "";
    return path.is_absolute() ? path : fs::path();
}

void write_entry(const fs::path& folder, const Store::Publication& publication) {
    Entry entry;
    entry.key = publication.key;
    entry.name = publication.name;
    entry.version = publication.version;
    entry.filename = checked(publication.wheel.filename().string());
    entry.sha256 = publication.sha256;
    entry.payload = publication.payload;
    publish_copy(publication.wheel, folder / entry.filename);
    write_file(folder / inputs_file, publication.inputs_text);
    write_file(folder / record_file, publication.record_json);
    write_file(folder / sbom_file, publication.sbom_json);
    write_file(folder / entry_file, entry_json(entry));
    fs::permissions(folder, fs::perms(0755));  // other users of a shared cache read it
}

// A remembered answer is one JSON object whose first member proves the rest:
// {"sha256":"<64 digits>","answer":<json>}
constexpr std::string_view memo_head = R"({"sha256":")";
constexpr std::string_view memo_middle = R"(","answer":)";
constexpr std::string_view memo_tail = "}\n";
constexpr std::size_t digest_length = 64;

std::optional<std::string> proven_answer(std::string_view text) {
    std::size_t before = memo_head.size() + digest_length + memo_middle.size();
    if (text.size() < before + memo_tail.size() || !text.starts_with(memo_head)
        || !text.ends_with(memo_tail)) {
        return std::nullopt;
    }
    std::string_view answer = text.substr(before, text.size() - before - memo_tail.size());
    if (text.substr(memo_head.size(), digest_length) != sha256(answer)) {
        return std::nullopt;
    }
    return std::string(answer);
}

}  // namespace

bool is_proven_answer(std::string_view text) {
    return proven_answer(text).has_value();
}

Store::Store(fs::path root) : root_(std::move(root)) {
    try {
        make_directories(root_);
        check_format(root_);
        for (const char* folder : {"entries", "memo", "sources", "pages", "trees", "locks"}) {
            make_directories(root_ / folder);
        }
        auto [run, lock] = claim_scratch(root_ / "scratch", root_ / "locks" / "scratch.lock");
        run_lock_.emplace(std::move(lock));
        run_.emplace(std::move(run));
    } catch (Error& error) {
        if (error.id() == "cache-unusable") {
            throw;
        }
        throw unusable(root_, error.message());
    }
}

Store::~Store() = default;

fs::path Store::entry_folder(const std::string& key) const {
    return root_ / "entries" / checked(key).substr(0, 2) / key;
}

fs::path Store::memo_file(std::string_view kind, const std::string& key) const {
    return root_ / "memo" / checked(std::string(kind)) / checked(key).substr(0, 2)
           / (key + ".json");
}

void Store::discard(const fs::path& folder, const std::string& reason) const {
    TempDir grave = scratch();
    std::error_code error;
    fs::rename(folder, grave.path() / "damaged", error);
    std::string line =
        "removed the damaged store entry " + folder.filename().string() + ": " + printable(reason);
    if (notice_) {
        notice_(line);
    } else {
        log::info(line);
    }
}

fs::path Store::like_folder(const std::string& like) const {
    return root_ / "like" / checked(like).substr(0, 2) / like;
}

void Store::note_like(const std::string& like, const std::string& key) const {
    const fs::path note = like_folder(like) / checked(key);
    std::error_code error;
    if (fs::exists(note, error)) {
        return;
    }
    const auto published = fs::last_write_time(entry_folder(key) / entry_file, error);
    if (!error) {
        write_file(note, std::to_string(published.time_since_epoch().count()) + "\n");
    }
}

std::optional<Entry> Store::find_like(const std::string& like, const std::string& preferred) const {
    std::vector<std::pair<long long, std::string>> notes;  // time, newest first
    std::error_code absent;
    for (const auto& note : fs::directory_iterator(like_folder(like), absent)) {
        const auto key = note.path().filename().string();
        const auto text = read_file_if_there(note.path(), 4096);
        long long time = 0;
        if (!text || !is_plain_name(key)
            || std::from_chars(text->data(), text->data() + text->size(), time).ec != std::errc()) {
            continue;
        }
        notes.emplace_back(key == preferred ? std::numeric_limits<long long>::min() : -time, key);
    }
    std::sort(notes.begin(), notes.end());
    for (const auto& [time, key] : notes) {
        if (auto entry = find(key)) {
            return entry;
        }
    }
    return std::nullopt;
}

std::optional<Entry> Store::find(const std::string& key) const {
    fs::path folder = entry_folder(key);
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        return std::nullopt;
    }
    auto entry = read_entry(folder);
    if (!entry) {
        discard(folder, entry.error().message);
        return std::nullopt;
    }
    ::utimensat(AT_FDCWD, folder.c_str(), nullptr, 0);  // its last use, which pruning goes by
    return std::move(*entry);
}

Entry Store::publish(const Publication& publication) {
    fs::path folder = entry_folder(publication.key);
    make_directories(folder.parent_path());
    // At most twice: the entry that stands in the way may turn out to be damaged.
    for (int attempt = 0; attempt < 2; ++attempt) {
        TempDir draft = scratch();
        write_entry(draft.path(), publication);
        publish_directory(draft.release(), folder);
        if (auto published = find(publication.key)) {
            if (!publication.like.empty()) {
                note_like(publication.like, publication.key);
            }
            return std::move(*published);
        }
    }
    throw unusable(root_, "what is written there does not read back");
}

FileLock Store::lock(const std::string& key) const {
    auto lock = FileLock::acquire(root_ / "locks" / (checked(key) + ".lock"), FileLock::Wait::yes);
    return std::move(lock.value());
}

TempDir Store::scratch() const {
    return TempDir(run_->path(), "work-");
}

std::optional<std::string> Store::recall(std::string_view kind, const std::string& key) const {
    auto text = read_file_if_there(memo_file(kind, key));
    return text ? proven_answer(*text) : std::nullopt;
}

void Store::remember(std::string_view kind, const std::string& key, std::string_view json) const {
    std::string text(memo_head);
    text += sha256(json);
    text += memo_middle;
    text += json;
    text += memo_tail;
    write_file(memo_file(kind, key), text);
}

fs::path default_cache_directory() {
    if (const char* own = std::getenv("WHEELFORGE_CACHE_DIR"); own != nullptr && *own != '\0') {
        return fs::absolute(own);
    }
    fs::path shared = absolute_from_environment("XDG_CACHE_HOME");
    return (shared.empty() ? home_directory() / ".cache" : shared) / "wheelforge";
}

}  // namespace wheelforge::store
