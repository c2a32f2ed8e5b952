// SPDX-License-Identifier: Apache-2.0
// The words for single facts.
#pragma once

#include <string>

#include "resolve/conflict.hpp"
#include "resolve/model.hpp"

namespace wheelforge::resolve {

struct Phrase {
    Link link;
    std::string text;  ///< a clause of a sentence: "flask 3.1.0 needs werkzeug>=3.1"
};

/// A fact in the light of a story.
struct Told {
    const Fact* fact = nullptr;
    /// The states of the object that it forbids; nullptr when it forbids all.
    const StateSet* refused = nullptr;
    /// The versions it is about here: of the subject, or of the object where there is no subject.
    StateSet about;
    /// The versions of that package that are left without it.
    StateSet left;
    bool repeated = false;  ///< the requirement itself has just been told
};

/// "3.1.0", "3.0.0 and 3.1.0", "3.0.0 to 3.1.2": runs of versions are collapsed.
[[nodiscard]] std::string versions_text(const Catalogue& catalogue, const StateSet& versions);
[[nodiscard]] Phrase phrase(const Model& model, const Told& told);

}  // namespace wheelforge::resolve
