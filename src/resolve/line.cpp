// SPDX-License-Identifier: Apache-2.0
#include "resolve/line.hpp"

namespace wheelforge::resolve {

bool applies(const Wanted& line, const Problem& problem) {
    return !problem.dropped.contains(line.requirement.name)
           && (!line.requirement.marker || line.requirement.marker->evaluate(problem.target.markers)
           );
}

std::string coupling_text(const Coupling& coupling, const pep::Requirement& required) {
    std::string text;
    for (const pep::Requirement& requirement : coupling.when) {
        text += (text.empty() ? "" : " with ") + requirement.text_without_marker();
    }
    text += (text.empty() ? "there must be " : " goes with ") + required.text_without_marker();
    return coupling.because.empty() ? text : text + " (" + coupling.because + ")";
}

}  // namespace wheelforge::resolve
