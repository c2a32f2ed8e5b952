// SPDX-License-Identifier: Apache-2.0
// Puts a Version together from its parts and finishes it: text and sort key are made once.
#pragma once

#include "pep/version.hpp"

namespace wheelforge::pep {

struct VersionBuilder {
    Version version;

    VersionBuilder() = default;
    explicit VersionBuilder(Version from) : version(std::move(from)) {}

    Number& epoch() { return version.epoch_; }
    std::vector<Number>& release() { return version.release_; }
    std::optional<Version::Pre>& pre() { return version.pre_; }
    std::optional<Number>& post() { return version.post_; }
    std::optional<Number>& dev() { return version.dev_; }
    std::vector<Version::LocalPart>& local() { return version.local_; }

    /// The finished version; the builder is empty afterwards. The release must not be empty.
    [[nodiscard]] Version finish();

private:
    void set_text();
    void set_key();
};

}  // namespace wheelforge::pep
