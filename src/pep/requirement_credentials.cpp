// SPDX-License-Identifier: Apache-2.0
#include "pep/requirement_credentials.hpp"

#include "base/http.hpp"

namespace wheelforge::pep {

Requirement without_credentials(Requirement requirement) {
    if (requirement.url) {
        requirement.url = wheelforge::without_credentials(*requirement.url);
    }
    return requirement;
}

}  // namespace wheelforge::pep
