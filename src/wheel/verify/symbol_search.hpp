// SPDX-License-Identifier: Apache-2.0
// Where the undefined symbols of a file are defined: in the libraries it needs, and in those that
// these need, as the dynamic loader would search.
#pragma once

#include <string>
#include <vector>

#include "wheel/elf_facts.hpp"
#include "wheel/verify/closure.hpp"

namespace wheelforge::wheel {

/// The libraries of a file's dependency tree.
struct SearchScope {
    std::vector<const FileReport*> files;  ///< on disk
    bool has_opaque = false;  ///< some library is not on disk and has symbols without versions
};

[[nodiscard]] SearchScope
search_scope(const Closure& closure, const Subject& subject, const FileReport& file);

enum class SymbolFate { defined, undefined, unknown };

[[nodiscard]] SymbolFate fate_of(const UndefinedSymbol& symbol, const SearchScope& scope);

}  // namespace wheelforge::wheel
