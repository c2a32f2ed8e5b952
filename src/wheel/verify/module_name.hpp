// SPDX-License-Identifier: Apache-2.0
// File names of extension modules (PEP 3149, 384, 803): which interpreter loads them, and how the
// function is called that it looks for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wheelforge::wheel {

struct ModuleName {
    enum class Abi { version_specific, stable, stable_free_threaded, plain };
    std::string module;  ///< last component: "_C"
    Abi abi = Abi::plain;
    std::string tag;      ///< version specific: "312", "313t"
    std::string machine;  ///< version specific: "x86_64-linux-gnu"
};

/// nullopt for files that no interpreter imports by name (libfoo.so.1, programs).
[[nodiscard]] std::optional<ModuleName> parse_module_name(std::string_view path);

/// Names of which one must be exported: PyInit_X and PyModExport_X (PEP 793), or their forms for
/// names beyond ASCII.
[[nodiscard]] std::pair<std::string, std::string> init_functions(const ModuleName& module);

}  // namespace wheelforge::wheel
