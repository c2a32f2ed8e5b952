// SPDX-License-Identifier: Apache-2.0
// What can be wrong with a store, found by reading all of it.
#include <algorithm>
#include <set>
#include <system_error>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/leftovers.hpp"
#include "base/text.hpp"
#include "base/tree_digests.hpp"
#include "store/entry.hpp"
#include "store/maintenance.hpp"

namespace wheelforge::store {
namespace {

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(fs::symlink_status(path, ignored));
}

class Inspection {
public:
    explicit Inspection(fs::path root) : root_(std::move(root)) {}

    std::vector<Defect> all() {
        look_at_entries();
        look_at_sources();
        look_at_memo();
        look_at_trees();
        return std::move(defects_);
    }

private:
    void add(const fs::path& path, std::string what) {
        defects_.push_back({path, std::move(what)});
    }

    /// What disappears while we look is being replaced by a run, and no defect.
    template <typename Look>
    void look_at(const fs::path& path, const Look& look) {
        try {
            look();
        } catch (const Error& error) {
            if (fs::exists(path)) {
                add(path, "cannot be read: " + error.message());
            }
        }
    }

    void look_at_entries() {
        for (const auto& shelf : children(root_ / "entries")) {
            if (!is_folder(shelf)) {
                add(shelf, "nobody of us puts such a file there");
                continue;
            }
            for (const auto& folder : children(shelf)) {
                look_at(folder, [&] { look_at_entry(folder); });
            }
        }
    }

    void look_at_entry(const fs::path& folder) {
        const auto key = folder.filename().string();
        if (!is_folder(folder) || folder.parent_path().filename().string() != key.substr(0, 2)) {
            add(folder, "nobody of us puts such a thing there");
            return;
        }
        const auto entry = read_entry(folder);
        if (!entry) {
            add(folder, entry.error().message);
            return;
        }
        if (sha256_file(folder / inputs_file) != key) {
            add(folder, "its inputs are not those of its key");
        }
        for (const auto* name : {record_file, sbom_file}) {
            if (!parse_json(read_file(folder / name))) {
                add(folder, std::string(name) + " in it is no JSON");
            }
        }
        const std::set<std::string> ours = {
            entry_file, inputs_file, record_file, sbom_file, entry->filename
        };
        for (const auto& file : children(folder)) {
            if (!ours.contains(file.filename().string())) {
                add(folder, "the file " + printable(file.filename().string()) + " is not ours");
            }
        }
    }

    /// sources/<sha256>/<file>
    void look_at_sources() {
        for (const auto& folder : children(root_ / "sources")) {
            if (is_arriving(folder)) {
                continue;
            }
            look_at(folder, [&] {
                const auto files = children(folder);
                for (const auto& file : files) {
                    if (!is_temporary(file) && sha256_file(file) != folder.filename().string()) {
                        add(folder, "the file in it has other bytes than its name says");
                    }
                }
            });
        }
    }

    /// trees/trees/<key>: "root", and "digests" of it (build/environment.cpp)
    void look_at_trees() {
        for (const auto& tree : children(root_ / "trees" / "trees")) {
            look_at(tree, [&] {
                const auto stated = read_file(tree / "digests", 256U << 20U);
                if (const auto path = first_difference(stated, tree_digests(tree / "root"))) {
                    add(tree, "was changed since it was made: " + printable(*path));
                }
            });
        }
    }

    void look_at_memo() {
        for (const auto& kind : children(root_ / "memo")) {
            for (const auto& shelf : children(kind)) {
                for (const auto& answer : children(shelf)) {
                    look_at(answer, [&] {
                        if (!is_temporary(answer) && !is_proven_answer(read_file(answer))) {
                            add(answer, "the answer does not match its digest");
                        }
                    });
                }
            }
        }
    }

    fs::path root_;
    std::vector<Defect> defects_;
};

}  // namespace

std::vector<Defect> find_defects(const fs::path& root) {
    return Inspection(root).all();
}

}  // namespace wheelforge::store
