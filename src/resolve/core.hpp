// SPDX-License-Identifier: Apache-2.0
// The facts that cannot all hold, cut down to a set of which each one is needed. They are closed:
// whatever a search concludes from them, it needs to ask nobody.
#pragma once

#include <optional>
#include <vector>

#include "resolve/model.hpp"

namespace wheelforge::resolve {

class Core {
public:
    /// The refutation of the model's search, minimised.
    explicit Core(const Model& model);

    struct Item {
        std::vector<Term> terms;  ///< packages by their number in the core
        Fact fact;                ///< packages by their number in the model
    };
    [[nodiscard]] const std::vector<Item>& items() const noexcept { return items_; }
    /// A search that knows these facts and nothing else; clause i is item i.
    [[nodiscard]] Search search() const;
    /// Packages of the search, by their number in the model.
    [[nodiscard]] PackageId in_model(PackageId package) const { return packages_[package].id; }

private:
    struct Package {
        PackageId id;
        PackageId base;  ///< number in the core, or nobody
        std::size_t offers;
    };
    using Selection = std::vector<std::size_t>;  ///< items, ascending

    PackageId number(PackageId package);
    void minimise();
    [[nodiscard]] Search search(const Selection& selection) const;
    /// The part of the selection that cannot hold; nullopt if all of it can, or if finding out
    /// would take too long.
    [[nodiscard]] std::optional<Selection> refute(const Selection& selection);
    [[nodiscard]] Selection without_slices(Selection selection, std::size_t length);

    const Model* model_;
    std::vector<Package> packages_;
    std::map<PackageId, PackageId> numbers_;
    std::vector<Item> items_;
    std::size_t effort_ = 0;
};

}  // namespace wheelforge::resolve
