// SPDX-License-Identifier: Apache-2.0
// What device code runs on: AMD target IDs ("gfx942:sramecc+:xnack-", "gfx11-generic"), CUDA real
// ("sm_90a") and virtual ("compute_90") architectures, and others that are only named.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"

namespace wheelforge::wheel {

/// How well an object serves a device.
enum class Coverage : std::uint8_t {
    none,
    jit,     ///< has to be compiled by the driver at load time
    native,  ///< is loaded as it stands
};

struct Arch {
    enum class Kind : std::uint8_t { amdgpu, cuda_real, cuda_virtual, other };
    Kind kind = Kind::other;
    std::string name;           ///< "gfx942", "gfx11-generic", "sm_90a", "compute_90", "spir64"
    unsigned capability = 0;    ///< CUDA: 90
    char suffix = '\0';         ///< CUDA: 'a' (this chip only), 'f' (its family), or none
    std::optional<bool> xnack;  ///< AMD: unset means any
    std::optional<bool> sramecc;

    [[nodiscard]] std::string text() const;
    auto operator<=>(const Arch&) const = default;
};

/// Canonical forms, and what people write for them: "gfx90a:xnack+", "sm_90a", "90a", "9.0a",
/// "compute_80". Anything else is an error.
[[nodiscard]] Parsed<Arch> parse_arch(std::string_view text);
/// A list as the build variables hold it (',', ';' or spaces); "8.0+PTX" gives sm_80 and
/// compute_80.
[[nodiscard]] Parsed<std::vector<Arch>> parse_arch_list(std::string_view text);
/// An arch as a report names it; unknown names become Kind::other.
[[nodiscard]] Arch reported_arch(std::string_view text);

/// Whether code for `have` serves a device (or a virtual architecture) `wanted`.
[[nodiscard]] Coverage covers(const Arch& have, const Arch& wanted);

/// Processor of EF_AMDGPU_MACH; "mach_0xNN" for one that is not known yet.
[[nodiscard]] std::string amdgpu_processor(std::uint32_t machine);
[[nodiscard]] bool is_amdgpu_generic(std::string_view processor);

}  // namespace wheelforge::wheel
