// SPDX-License-Identifier: Apache-2.0
// What differs between two graphs, or between two variants of one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/graph.hpp"

namespace wheelforge::engine {

struct GraphDifference {
    struct Version {
        std::string name;
        std::vector<std::string> before;  ///< versions, sorted; one of them empty: added, removed
        std::vector<std::string> after;
    };
    std::vector<Version> versions;
    /// Same name and version, but something about it is not the same.
    struct Node {
        std::string name;
        std::string version;
        std::string before_source;  ///< "" unless the source differs
        std::string after_source;
        std::string before_inputs;  ///< "" unless the inputs differ
        std::string after_inputs;
        std::vector<std::string> edges_gone;  ///< "runtime: urllib3<3"
        std::vector<std::string> edges_new;
    };
    std::vector<Node> nodes;
    std::vector<std::string> roots_gone;  ///< "requests>=2 (requirements.txt:1)"
    std::vector<std::string> roots_new;

    [[nodiscard]] bool empty() const noexcept {
        return versions.empty() && nodes.empty() && roots_gone.empty() && roots_new.empty();
    }
};

[[nodiscard]] GraphDifference difference(const Graph& before, const Graph& after);

}  // namespace wheelforge::engine
