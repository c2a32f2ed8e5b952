// SPDX-License-Identifier: Apache-2.0
// `wheelforge verify`: judges wheels by a table of checks, alone and in the closure they come with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wheel/finding.hpp"
#include "wheel/verify/kernels_lock.hpp"
#include "wheel/verify/request.hpp"

namespace wheelforge::wheel {

struct WheelVerdict {
    std::string path;
    std::string file;  ///< file name
    std::string name;  ///< normalised; "" for a wheel that could not be opened
    std::string version;
    std::string archs;              ///< what it holds code for: "gfx942, gfx950"
    std::vector<Finding> findings;  ///< worst first
};

struct VerifyResult {
    std::vector<WheelVerdict> wheels;
    KernelsLock lock;  ///< what the wheels hold, for --accept
    [[nodiscard]] bool has_errors() const noexcept;
    [[nodiscard]] std::size_t count(Level level) const noexcept;
};

/// Throws Error{usage} "no-wheels" when the inputs hold none, and Error{surroundings}.
[[nodiscard]] VerifyResult verify(const VerifyRequest& request);

enum class VerifyFormat { text, json, junit };
/// docs/formats/verify.schema.json says what the JSON looks like.
[[nodiscard]] std::string render(const VerifyResult& result, VerifyFormat format);

}  // namespace wheelforge::wheel
