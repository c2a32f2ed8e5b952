// SPDX-License-Identifier: Apache-2.0
#include "engine/failure.hpp"

#include <algorithm>

namespace wheelforge::engine {

Failure failure_from(const std::exception_ptr& failure) {
    Failure result;
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        result.code = error.code();
        result.id = error.id();
        result.message = error.message();
        for (const auto& context : error.context()) {
            result.message += " (while " + context + ")";
        }
        result.advice = error.advice();
    } catch (const std::exception& error) {
        result.code = ExitCode::bug;
        result.id = "internal-error";
        result.message = error.what();
    }
    return result;
}

Failure failure_of_conflict(const resolve::Conflict& conflict) {
    Failure result;
    result.code = ExitCode::unsatisfiable;
    result.id = "no-solution";
    result.message = "there is no solution for " + conflict.scope + "\n" + conflict.prose;
    return result;
}

Failure ring_failure(const std::vector<plugin::PackageId>& ring) {
    std::string told = ring.front().text();
    for (std::size_t i = 1; i <= ring.size(); ++i) {
        const auto& next = ring[i % ring.size()];
        told += " needs " + next.text() + " to be built";
        told += i == ring.size() ? "" : ", " + next.text();
    }
    Failure failure;
    failure.code = ExitCode::unsatisfiable;
    failure.id = "build-cycle";
    failure.message = ring.size() == 1 ? ring.front().text() + " needs itself to be built"
                                       : "a ring of build requirements: " + told;
    const auto& through = ring[1 % ring.size()];
    failure.advice = {
        "break the ring: take one of them as a wheel (--pre-built " + through.name
        + ", or pre_built: true in its settings), or constrain one to a version that does not "
          "need the other"
    };
    return failure;
}

Failure refusal_of(std::vector<wheel::Finding> findings, const std::string& what) {
    Failure result;
    result.code = ExitCode::refused;
    result.id = "wheel-refused";
    const auto first = std::find_if(findings.begin(), findings.end(), [](const auto& finding) {
        return finding.level == wheel::Level::error;
    });
    if (first != findings.end()) {
        result.message = what + " is refused: " + first->evidence + " [" + first->id + "]";
        if (!first->advice.empty()) {
            result.advice.push_back(first->advice);
        }
    }
    result.findings = std::move(findings);
    return result;
}

Error error_of(const Failure& failure) {
    Error error(failure.code, failure.id, failure.message);
    for (const auto& advice : failure.advice) {
        error.advise(advice);
    }
    return error;
}

}  // namespace wheelforge::engine
