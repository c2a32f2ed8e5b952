// SPDX-License-Identifier: Apache-2.0
#include "store/maintenance.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/leftovers.hpp"
#include "base/log.hpp"
#include "store/entry.hpp"
#include "store/scratch.hpp"

namespace wheelforge::store {
namespace {

using Clock = fs::file_time_type::clock;

struct Kind {
    const char* name;
    const char* about;
};
constexpr Kind kinds[] = {
    {"entries", "wheels, with their records"},
    {"sources", "downloaded sdists and wheels"},
    {"trees", "unpacked wheels, made again when needed"},
    {"memo", "remembered answers of builds"},
    {"answers", "remembered answers of programs"},
    {"pages", "pages of indexes"},
    {"like", "which wheels share inputs"},
    {"scratch", "work of running builds"},
    {"locks", "lock files"},
};

/// Of one item, whatever it is: a file, or a folder with all in it.
std::uint64_t size_of(const fs::path& path) {
    std::error_code error;
    if (fs::is_directory(fs::symlink_status(path, error))) {
        return tree_size(path);
    }
    const auto size = fs::file_size(path, error);
    return error ? 0 : size;
}

/// What is two levels down: entries/ab/<key>, like/ab/<key>.
std::vector<fs::path> grandchildren(const fs::path& folder) {
    std::vector<fs::path> paths;
    for (const auto& shelf : children(folder)) {
        const auto on_it = children(shelf);
        paths.insert(paths.end(), on_it.begin(), on_it.end());
    }
    return paths;
}

std::vector<fs::path> items_of(const fs::path& root, const std::string& part) {
    if (part == "entries" || part == "like") {
        return grandchildren(root / part);
    }
    if (part == "trees") {
        return children(root / part / "trees");
    }
    if (part == "memo") {
        std::vector<fs::path> paths;
        for (const auto& kind : children(root / part)) {
            const auto answers = grandchildren(kind);
            paths.insert(paths.end(), answers.begin(), answers.end());
        }
        return paths;
    }
    return children(root / part);
}

fs::file_time_type last_use(const fs::path& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    return error ? Clock::now() : time;
}

/// Which items of a part the rule lets go.
class Choice {
public:
    Choice(const fs::path& root, const PruneRule& rule) : root_(root), rule_(rule) {}

    [[nodiscard]] std::vector<fs::path> of(const std::string& part) const {
        if (part == "scratch") {
            return {};  // swept whenever a store is opened
        }
        if (part == "locks") {
            return idle_locks();
        }
        std::vector<fs::path> chosen;
        const bool by_age = rule_.older_than && part != "like";
        for (const auto& item : items_of(root_, part)) {
            if (by_age && last_use(item) < Clock::now() - *rule_.older_than) {
                chosen.push_back(item);
            }
        }
        if (part == "entries" && rule_.keep) {
            add_surplus(chosen);
        }
        return chosen;
    }

private:
    /// There is no other run, so the one lock in use is the one that starts take.
    [[nodiscard]] std::vector<fs::path> idle_locks() const {
        auto locks = children(root_ / "locks");
        std::erase(locks, root_ / "locks" / "scratch.lock");
        return locks;
    }

    void add_surplus(std::vector<fs::path>& chosen) const {
        std::map<std::string, std::vector<std::pair<fs::file_time_type, fs::path>>> by_name;
        for (const auto& item : items_of(root_, "entries")) {
            if (std::find(chosen.begin(), chosen.end(), item) == chosen.end()) {
                if (const auto entry = read_entry_facts(item)) {
                    by_name[entry->name].emplace_back(last_use(item), item);
                }
            }
        }
        for (auto& [name, entries] : by_name) {
            std::sort(entries.rbegin(), entries.rend());
            for (std::size_t i = *rule_.keep; i < entries.size(); ++i) {
                chosen.push_back(entries[i].second);
            }
        }
    }

    fs::path root_;
    PruneRule rule_;
};

/// Out of sight by one rename, then gone: who is killed halfway leaves scratch, not half an entry.
void remove(const Store& store, const fs::path& item) {
    TempDir grave = store.scratch();
    std::error_code error;
    fs::rename(item, grave.path() / "removed", error);
    if (error) {
        throw Error(
            ExitCode::surroundings,
            "cannot-write",
            "cannot remove " + item.string() + ": " + error.message()
        );
    }
}

/// What somebody was writing who is gone; nobody else works with the store.
Part take_leftovers(const fs::path& root, bool dry_run) {
    Part part{"leftovers", "half-written files of runs that were killed", 0, 0};
    for (const auto* folder : {"sources", "memo", "answers", "pages"}) {
        std::error_code error;
        const fs::recursive_directory_iterator end;
        for (fs::recursive_directory_iterator each(root / folder, error); !error && each != end;
             each.increment(error)) {
            const auto path = each->path();
            if (is_temporary(path) || is_arriving(path)) {
                each.disable_recursion_pending();
                ++part.items;
                part.bytes += size_of(path);
                if (!dry_run) {
                    remove_tree(path);
                }
            }
        }
    }
    return part;
}

/// Notes of entries that are no more.
void forget_lost(const Store& store) {
    for (const auto& folder : items_of(store.root(), "like")) {
        for (const auto& note : children(folder)) {
            const auto key = note.filename().string();
            std::error_code error;
            if (key.size() < 2 || !fs::exists(store.root() / "entries" / key.substr(0, 2) / key)) {
                fs::remove(note, error);
            }
        }
        std::error_code not_empty;
        fs::remove(folder, not_empty);
    }
}

}  // namespace

std::vector<fs::path> children(const fs::path& folder) {
    std::vector<fs::path> paths;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(folder, absent)) {
        paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

bool is_arriving(const fs::path& folder) {
    return folder.filename().string().starts_with(".incoming-");
}

std::vector<Part> measure(const fs::path& root) {
    std::vector<Part> parts;
    for (const auto& kind : kinds) {
        std::error_code error;
        if (fs::exists(root / kind.name, error)) {
            parts.push_back(
                {kind.name, kind.about, items_of(root, kind.name).size(), size_of(root / kind.name)}
            );
        }
    }
    return parts;
}

Custody::Custody(const Store& store)
    : starts_(
          FileLock::acquire(store.root() / "locks" / "scratch.lock", FileLock::Wait::yes).value()
      ) {
    if (const auto others = other_runs(store.root() / "scratch", store.scratch_root());
        others > 0) {
        throw Error(
            ExitCode::surroundings,
            "cache-busy",
            (others == 1 ? std::string("another run works") : std::to_string(others) + " runs work")
                + " with the cache " + store.root().string()
        )
            .advise("do it again when no run uses the cache")
            .advise("only looking is always possible: wheelforge cache size, cache verify");
    }
}

std::size_t
remove_defects(const Custody& /*held*/, const Store& store, const std::vector<Defect>& defects) {
    std::set<fs::path> paths;
    for (const auto& defect : defects) {
        paths.insert(defect.path);
    }
    std::size_t removed = 0;
    for (const auto& path : paths) {
        std::error_code error;
        if (fs::exists(fs::symlink_status(path, error))) {
            remove(store, path);
            ++removed;
        }
    }
    forget_lost(store);
    return removed;
}

std::vector<Part> prune(const Custody& /*held*/, const Store& store, const PruneRule& rule) {
    const Choice choice(store.root(), rule);
    std::vector<Part> gone;
    for (const auto& kind : kinds) {
        Part part{kind.name, kind.about, 0, 0};
        for (const auto& item : choice.of(kind.name)) {
            ++part.items;
            part.bytes += size_of(item);
            if (!rule.dry_run) {
                remove(store, item);
            }
        }
        if (part.items > 0) {
            gone.push_back(std::move(part));
        }
    }
    if (auto leftovers = take_leftovers(store.root(), rule.dry_run); leftovers.items > 0) {
        gone.push_back(std::move(leftovers));
    }
    if (!rule.dry_run) {
        forget_lost(store);
    }
    return gone;
}

}  // namespace wheelforge::store
