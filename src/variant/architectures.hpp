// SPDX-License-Identifier: Apache-2.0
// The architectures of an accelerator family, as data: chip, ISA, family, generic ISA, fallback,
// names people use, versions of the toolkit that have it; and lists of them as --arch and build
// variables spell them.
//
// One spelling is canonical: "gfx90a:xnack+" for AMD, "9.0a" and "8.0+PTX" for NVIDIA. Order is
// kept as given everywhere, since some builds take the last entry for the one that counts.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml.hpp"
#include "pep/version.hpp"

namespace wheelforge::variant {

/// How the architectures of a family are written.
enum class Spelling { plain, gfx, cuda };

/// One row of the table.
struct Chip {
    std::string arch;                  ///< canonical, "gfx1151" or "9.0"
    std::string chips;                 ///< "Strix Halo"
    std::string isa;                   ///< "RDNA3.5"
    std::string family;                ///< "gfx115x"; a list may name it for all its members
    std::string generic;               ///< ISA whose code also runs on it, "gfx11-generic"
    std::string fallback;              ///< arch whose code runs when the runtime is told to pretend
    std::vector<std::string> aliases;  ///< "mi300x"
    std::optional<pep::Version> since;  ///< first toolkit that has it
    std::optional<pep::Version> until;  ///< first toolkit that has it no more
    std::string origin;
};

/// What a build reads its list of architectures from.
struct ArchVariable {
    enum class Form {
        canonical,  ///< gfx942, 9.0a, 8.0+PTX
        undotted,   ///< 90a, 80 (FLASH_ATTN_CUDA_ARCHS)
        cmake,      ///< 90a-real, and 80 where PTX is wanted too
        family,     ///< the family names, each once
    };
    std::string name;
    std::string separator;
    Form form = Form::canonical;
    std::string origin;
};

struct Architectures {
    Spelling spelling = Spelling::plain;
    std::vector<Chip> chips;              ///< in the order of the table
    std::vector<std::string> defaults;    ///< canonical; without --arch
    std::vector<ArchVariable> variables;  ///< for packages that do not say which they read
    std::vector<std::string> detect;      ///< command that prints what devices are here
    std::string detect_pattern;           ///< group 0 of every match is an architecture
    bool unset_is_native = false;         ///< builds without a list compile for what is plugged in

    /// Row of "gfx90a:xnack+", "9.0a", ...; nullptr if there is none.
    [[nodiscard]] const Chip* find(std::string_view arch) const;
    [[nodiscard]] bool empty() const noexcept { return chips.empty(); }
};

/// "gfx90a" of "gfx90a:xnack+", "9.0" of "9.0a+PTX".
[[nodiscard]] std::string base_of(std::string_view arch);

/// Canonical forms of lists separated by commas, semicolons or blanks, in the order given, each
/// once; "compute_90" is "9.0+PTX". Aliases and families stand for their members, "native" stays.
/// @param where  for messages, "--arch"
/// Throws Error{usage} "unknown-arch" naming what is near.
[[nodiscard]] std::vector<std::string> parse_arch_lists(
    const Architectures& architectures, std::span<const std::string> lists, std::string_view where
);

/// The words of such lists, and whether one is an architecture of the family.
[[nodiscard]] std::vector<std::string> arch_words(std::span<const std::string> lists);
[[nodiscard]] bool has_arch(const Architectures& architectures, const std::string& word);

/// One that a message can name as an example: that of the most products. "LIST" for an empty table.
[[nodiscard]] std::string example_arch(const Architectures& architectures);

/// The value of a variable for canonical architectures.
[[nodiscard]] std::string
render(const Architectures& table, std::span<const std::string> archs, const ArchVariable& as);

/// Reads `{name: PYTORCH_ROCM_ARCH, separator: ";", form: undotted}`.
[[nodiscard]] ArchVariable read_arch_variable(const yaml::Node& node);
/// Lays the keys of `node` over `architectures`: chips by name, the rest replaced.
void read_architectures(const yaml::Node& node, Architectures& architectures);

}  // namespace wheelforge::variant
