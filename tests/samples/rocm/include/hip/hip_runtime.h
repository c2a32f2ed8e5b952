// SPDX-License-Identifier: Apache-2.0
// As much of HIP's headers as a kernel launch needs, for a clang without ROCm.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))

struct dim3 {
    unsigned x, y, z;
    __host__ __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
typedef struct ihipStream_t* hipStream_t;
extern "C" __host__ int __hipPushCallConfiguration(dim3, dim3, unsigned long = 0, hipStream_t = 0);
extern "C" __host__ int __hipPopCallConfiguration(dim3*, dim3*, unsigned long*, hipStream_t*);
extern "C" __host__ int hipLaunchKernel(
    const void*, dim3, dim3, void**, unsigned long, hipStream_t
);
extern "C" __host__ int hipMalloc(void**, unsigned long);

#define hipThreadIdx_x __builtin_amdgcn_workitem_id_x()
#define hipBlockIdx_x __builtin_amdgcn_workgroup_id_x()
