// SPDX-License-Identifier: Apache-2.0
// The reference count of std::exception_ptr lives inside libstdc++, which is not built for
// ThreadSanitizer: it does not see that the last of two threads to let go of an exception deletes
// it after the other has.
#if defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
    return "race:__exception_ptr\nrace:wheelforge::Error::~Error\n";
}
#endif
