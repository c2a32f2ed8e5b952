// SPDX-License-Identifier: Apache-2.0
#include "base/free_memory.hpp"

#include <cstdlib>  // says whether it is glibc

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace wheelforge {

void return_free_memory() noexcept {
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

}  // namespace wheelforge
