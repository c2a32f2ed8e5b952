// SPDX-License-Identifier: Apache-2.0
// pip's --find-links: a folder of files, a single file, or an HTML page of anybody.
#pragma once

#include <string>

#include "index/page_source.hpp"

namespace wheelforge::index {

/// What stands at `location` (path, file URL or http URL without credentials), all projects
/// together. A local path that is not there gives nothing, as with pip; a page that cannot be
/// read is an Error.
[[nodiscard]] RawPage read_find_links(const std::string& location, const PageSource& pages);

}  // namespace wheelforge::index
