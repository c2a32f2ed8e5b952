// SPDX-License-Identifier: Apache-2.0
// Kernels that can be lost in the ways real ones are:
//   LOSE_MUL    the device code of mul is left out: on gfx950, or everywhere with LOSE_EVERYWHERE
//   EMPTY_ADD   the body of add is left out on gfx942
#ifdef WITH_ROCM_HEADERS
#include <hip/hip_runtime.h>
#define THREAD threadIdx.x
#else
#include <hip/hip_runtime.h>
#define THREAD __builtin_amdgcn_workitem_id_x()
#endif

__global__ void add(float* a, const float* b) {
#if !(defined(EMPTY_ADD) && defined(__gfx942__))
    a[THREAD] += b[THREAD];
#endif
}

template <typename T>
__global__ void scale(T* a, T factor) {
    a[THREAD] *= factor;
}

#if defined(LOSE_MUL) && defined(__HIP_DEVICE_COMPILE__) \
    && (defined(LOSE_EVERYWHERE) || defined(__gfx950__))
#define HAS_MUL 0
#else
#define HAS_MUL 1
__global__ void mul(float* a, const float* b) { a[THREAD] *= b[THREAD]; }
#endif

extern "C" __global__ void plain(int* a) { a[0] = 1; }

// Seen by the device side too: it is what instantiates scale there.
extern "C" void launch(float* p) {
    add<<<1, 64>>>(p, p);
    scale<float><<<1, 64>>>(p, 2.0F);
#if HAS_MUL
    mul<<<1, 64>>>(p, p);
#endif
    plain<<<1, 1>>>(reinterpret_cast<int*>(p));
}
