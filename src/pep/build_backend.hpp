// SPDX-License-Identifier: Apache-2.0
// Names of modules, and what PEP 517 allows in `build-backend` and `backend-path`.
#pragma once

#include <string_view>

namespace wheelforge::pep {

/// "module.sub": identifiers with dots between them. Names of modules in other scripts pass.
[[nodiscard]] bool is_dotted_name(std::string_view text) noexcept;
/// "module.sub" or "module.sub:object.part", each part an identifier.
[[nodiscard]] bool is_backend(std::string_view text) noexcept;
/// Whether a relative path, read as text, cannot leave the directory it starts from.
[[nodiscard]] bool stays_in_tree(std::string_view path) noexcept;

}  // namespace wheelforge::pep
