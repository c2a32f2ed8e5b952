// SPDX-License-Identifier: Apache-2.0
// What becomes of an error in a settings file: thrown at once, or kept so that all are shown.
#pragma once

#include <utility>
#include <vector>

#include "base/error.hpp"

namespace wheelforge::config {

class Complaints {
public:
    /// Errors are thrown.
    Complaints() = default;
    /// Errors are kept in `kept`, which must outlive this.
    explicit Complaints(std::vector<Error>& kept) : kept_(&kept) {}

    /// Runs `read`; an Error of it leaves the rest of the file to be read.
    template <typename Read>
    void guard(Read&& read) const {
        if (kept_ == nullptr) {
            std::forward<Read>(read)();
            return;
        }
        try {
            std::forward<Read>(read)();
        } catch (const Error& error) {
            kept_->push_back(error);
        }
    }

private:
    std::vector<Error>* kept_ = nullptr;
};

}  // namespace wheelforge::config
