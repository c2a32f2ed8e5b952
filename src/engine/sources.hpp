// SPDX-License-Identifier: Apache-2.0
// The source of each pinned version: fetched and opened once, with its plan key, and what earlier
// runs learnt under that key.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/channel.hpp"
#include "config/settings.hpp"
#include "engine/catalog.hpp"
#include "engine/loop.hpp"
#include "engine/request.hpp"
#include "plugin/recipe.hpp"
#include "resolve/problem.hpp"
#include "source/sdist.hpp"
#include "store/inputs.hpp"

namespace wheelforge::engine {

struct PreparedSource {
    plugin::PackageId id;
    index::DistributionFile file;
    std::string sha256;
    std::shared_ptr<const source::SdistFacts> facts;
    config::PackageSettings settings;
    std::vector<plugin::BuildVariable> variables;
    PackageEnvironment environment;  ///< what of the variant reaches it
    plugin::Supplement supplement;
    std::vector<pep::Requirement> build_requires;    ///< static, markers that hold
    std::vector<resolve::Wanted> build_constraints;  ///< bounds of build tools, by its settings
    /// Of the file of the tree that settings name (requires_from), markers unevaluated.
    std::optional<std::vector<pep::Requirement>> requires_from;
    store::Inputs plan_inputs;
    std::string plan_key;
    std::optional<pep::Metadata> known_metadata;     ///< of a wheel built under this plan key
    std::optional<pep::Metadata> prepared_metadata;  ///< answered by its hook under this plan key
};

using SourcePtr = std::shared_ptr<const PreparedSource>;

class Sources {
public:
    Sources(
        Loop& loop,
        Pool& pool,
        const Catalog& catalog,
        const BootstrapRequest& request,
        const plugin::Toolbox& tools,
        const plugin::Registry& recipes
    );
    /// `ready` is called on the coordinator with the source or with what the recipe threw.
    using Ready = std::function<void(SourcePtr, std::exception_ptr)>;
    void want(const plugin::PackageId& id, Ready ready);
    [[nodiscard]] SourcePtr find(const plugin::PackageId& id) const;

private:
    struct Slot {
        SourcePtr source;
        std::exception_ptr failure;
        bool asked = false;
        std::vector<Ready> waiting;
    };

    Loop& loop_;
    Pool& pool_;
    const Catalog& catalog_;
    const BootstrapRequest& request_;
    const plugin::Toolbox& tools_;
    const plugin::Registry& recipes_;
    std::map<plugin::PackageId, Slot> slots_;
};

/// What hooks answered, by plan key; nullopt when nobody asked yet.
[[nodiscard]] std::optional<std::vector<std::string>>
recall_dynamic_requires(const store::Store& store, const std::string& plan_key);
void remember_dynamic_requires(
    const store::Store& store,
    const std::string& plan_key,
    const std::vector<std::string>& requires_
);
void remember_metadata(
    const store::Store& store, const std::string& plan_key, std::string_view metadata_text
);
[[nodiscard]] std::optional<pep::Metadata>
recall_prepared_metadata(const store::Store& store, const std::string& plan_key);
void remember_prepared_metadata(
    const store::Store& store, const std::string& plan_key, std::string_view metadata_text
);

}  // namespace wheelforge::engine
