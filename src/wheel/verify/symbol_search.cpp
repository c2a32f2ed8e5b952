// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/symbol_search.hpp"

#include <algorithm>
#include <set>

#include "wheel/verify/externals.hpp"

namespace wheelforge::wheel {

namespace {

/// Provided by the interpreter that loads the module, or left open for the tools on purpose.
bool comes_from_elsewhere(std::string_view name) {
    return name.starts_with("Py") || name.starts_with("_Py") || name.starts_with("_ITM_")
           || name == "__gmon_start__" || name.starts_with("__asan_") || name.starts_with("__tsan_")
           || name.starts_with("__ubsan_");
}

bool defines(const FileReport& file, const UndefinedSymbol& symbol) {
    if (symbol.version.empty()) {
        return file.elf->exports(symbol.name);
    }
    // A library without versions at all satisfies any version; the loader only warns.
    return file.elf->exports(symbol.name, symbol.version)
           || (file.elf->exported_versioned.empty() && file.elf->exports(symbol.name));
}

}  // namespace

SearchScope search_scope(const Closure& closure, const Subject& subject, const FileReport& file) {
    SearchScope scope;
    std::set<const FileReport*> seen{&file};
    std::vector<Library> open{{&subject, &file}};
    while (!open.empty()) {
        const Library library = open.back();
        open.pop_back();
        scope.files.push_back(library.file);
        for (const std::string& needed : library.file->elf->needed) {
            const Library* found = closure.find(needed, *library.wheel);
            if (found == nullptr) {
                scope.has_opaque = scope.has_opaque || !has_only_versioned_symbols(needed);
            } else if (seen.insert(found->file).second) {
                open.push_back(*found);
            }
        }
    }
    return scope;
}

SymbolFate fate_of(const UndefinedSymbol& symbol, const SearchScope& scope) {
    const bool defined =
        std::any_of(scope.files.begin(), scope.files.end(), [&](const FileReport* file) {
            return defines(*file, symbol);
        });
    if (defined || comes_from_elsewhere(symbol.name)) {
        return SymbolFate::defined;
    }
    if (!symbol.version.empty() && !symbol.library.empty()) {
        const bool on_disk =
            std::any_of(scope.files.begin(), scope.files.end(), [&](const FileReport* file) {
                return file->elf->soname == symbol.library;
            });
        return on_disk ? SymbolFate::undefined : SymbolFate::unknown;
    }
    return scope.has_opaque ? SymbolFate::unknown : SymbolFate::undefined;
}

}  // namespace wheelforge::wheel
