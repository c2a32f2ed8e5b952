// SPDX-License-Identifier: Apache-2.0
// The same kernels for CUDA. EMPTY_ADD leaves out the body of add on sm_90; PART_1 and PART_2 are
// mul alone and everything else, to be compiled for different architectures.
#ifndef PART_1
__global__ void add(float* a, const float* b) {
#if !(defined(EMPTY_ADD) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900)
    a[threadIdx.x] += b[threadIdx.x];
#endif
}

template <typename T>
__global__ void scale(T* a, T factor) {
    a[threadIdx.x] *= factor;
}

extern "C" __global__ void plain(int* a) { a[0] = 1; }

extern "C" void launch(float* p) {
    add<<<1, 64>>>(p, p);
    scale<float><<<1, 64>>>(p, 2.0F);
    plain<<<1, 1>>>(reinterpret_cast<int*>(p));
}
#endif

#ifndef PART_2
__global__ void mul(float* a, const float* b) { a[threadIdx.x] *= b[threadIdx.x]; }

extern "C" void launch_mul(float* p) { mul<<<1, 64>>>(p, p); }
#endif
