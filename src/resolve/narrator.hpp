// SPDX-License-Identifier: Apache-2.0
// The story of a core. Where propagation alone does not find the contradiction it goes case by
// case: "With b 2.0: ... With b 1.0: ...".
#pragma once

#include <set>
#include <string>
#include <vector>

#include "resolve/scene.hpp"

namespace wheelforge::resolve {

class Narrator {
public:
    Narrator(const Model& model, const Core& core) : model_(&model), core_(&core) {}
    void tell();
    /// Sentences; one line a case.
    [[nodiscard]] std::string prose() const;
    [[nodiscard]] const std::vector<Link>& chain() const noexcept { return chain_; }

private:
    void tell_case(
        const std::string& heading,
        const std::vector<Assumption>& assumptions,
        const std::set<ClauseId>& told
    );
    void tell_cases(
        const std::string& heading, const std::vector<Assumption>& assumptions, Scene& scene
    );
    void add_line(const std::string& text, std::size_t depth);
    /// The versions of a package that are still possible, those that the core treats alike
    /// together, the highest first.
    [[nodiscard]] std::vector<StateSet> alike(const Search& search, PackageId package) const;
    /// The package with the fewest cases.
    [[nodiscard]] PackageId to_split(const Search& search) const;
    [[nodiscard]] std::string case_heading(const Assumption& assumption) const;

    const Model* model_;
    const Core* core_;
    std::vector<std::string> lines_;
    std::vector<Link> chain_;
};

}  // namespace wheelforge::resolve
