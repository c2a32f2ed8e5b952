// SPDX-License-Identifier: Apache-2.0
// Host code that uses a runtime and launches nothing: what is left when a build takes the wrong
// branch.
extern "C" int
#ifdef FOR_HIP
hipMalloc(void**, unsigned long);
#define ALLOCATE hipMalloc
#else
cudaMalloc(void**, unsigned long);
#define ALLOCATE cudaMalloc
#endif

extern "C" int allocate() {
    void* p = nullptr;
    return ALLOCATE(&p, 1);
}
