// SPDX-License-Identifier: Apache-2.0
// What a wheel is expected to hold: by --arch or variant, by its plugin, by a policy file, by what
// the package says about itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml.hpp"
#include "wheel/device/arch.hpp"

namespace wheelforge::wheel {

/// Whether a wheel has to hold kernels.
enum class Kernels : std::uint8_t {
    automatic,  ///< when it looks as if it had to do with an accelerator
    required,
    jit,   ///< compiled at run time: none need be there
    none,  ///< by design
};

struct ConditionalKernels {
    std::vector<std::string> variants;        ///< families it holds for; none: any, or none known
    std::map<std::string, std::string> when;  ///< environment variables and their values
    Kernels kernels = Kernels::automatic;
};

struct FileExpectation {
    std::string glob;  ///< fnmatch(3) over the path in the wheel; '*' also matches '/'
    std::vector<Arch> archs;
    std::uint64_t least_kernels = 1;  ///< per arch
    std::string origin;               ///< "policy.yaml:12:3"
};

struct PackageExpectation {
    std::vector<ConditionalKernels> kernels;  ///< the first whose conditions hold
    std::vector<Arch> archs;                  ///< instead of what is asked for in general
    std::vector<FileExpectation> files;
    std::map<std::string, std::vector<std::string>> aliases;  ///< gfx1151: [gfx1100] also serves it
    std::vector<std::string> externals;  ///< globs of libraries that come from elsewhere
    std::vector<std::string> imports;    ///< modules that a smoke test imports
    std::vector<std::string> commands;   ///< command lines that a smoke test runs

    /// @param family  of the variant, "" if there is none
    [[nodiscard]] Kernels kernels_in(
        const std::map<std::string, std::string>& environment, std::string_view family
    ) const;
};

/// The keys of an expectation, as plugins and policy files write them:
///   kernels: required | jit | none | [{when: {VAR: value}, expect: none},
///            {variants: [rocm, cuda], expect: required}]
///   archs: [gfx942, "9.0a"]
///   files: {"vllm/_moe_C*.so": {archs: [sm_80], min_kernels: 1000}}
///   aliases: {gfx1151: [gfx1100]}
///   externals: ["libfoo.so.*"]
///   smoke: {imports: [xformers.ops], commands: ["tool --version"]}
[[nodiscard]] std::vector<std::string> expectation_keys();
/// Reads those keys of a mapping; other keys are the caller's. Throws Error{usage} with position.
[[nodiscard]] PackageExpectation read_expectation(const yaml::Node& node);

/// What a package says about its own build (xformers' cpp_lib.json).
struct DeclaredBuild {
    std::string file;
    bool has_cuda = false;
    bool has_hip = false;
    std::vector<Arch> archs;
    std::string arch_list;  ///< as written
};
[[nodiscard]] std::optional<DeclaredBuild>
read_declared_build(std::string_view path, std::string_view text);

}  // namespace wheelforge::wheel
