// SPDX-License-Identifier: Apache-2.0
// Device code of every kind for tests, byte by byte: AMD code objects, offload bundles and their
// compressed forms, CUDA binaries and fat binaries, PTX, MessagePack, kernel archives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wheelforge::support {

struct TestKernel {
    std::string name;
    bool empty = false;
};

/// EF_AMDGPU_MACH of a few processors, and feature bits as code objects from v4 on have them.
inline constexpr std::uint32_t gfx90a = 0x3f;
inline constexpr std::uint32_t gfx942 = 0x4c;
inline constexpr std::uint32_t gfx1100 = 0x41;
inline constexpr std::uint32_t gfx9_4_generic = 0x5f;
inline constexpr std::uint32_t xnack_on = 0x300;
inline constexpr std::uint32_t xnack_off = 0x200;

/// @param flags  e_flags
[[nodiscard]] std::string code_object(
    std::uint32_t flags,
    const std::vector<TestKernel>& kernels,
    std::uint8_t abi_version = 4,
    const std::string& metadata_target = ""
);

struct BundleEntry {
    std::string id;  ///< "hipv4-amdgcn-amd-amdhsa--gfx942"
    std::string blob;
};
[[nodiscard]] std::string hip_bundle(const std::vector<BundleEntry>& entries);
/// Host entry first, then one entry per {target, object}.
[[nodiscard]] std::string
hip_bundle_for(const std::vector<std::pair<std::string, std::string>>& objects);
/// @param method  0 zlib, 1 zstd
[[nodiscard]] std::string ccob(std::string_view bundle, unsigned version, unsigned method);

struct CubinSpec {
    unsigned sm = 80;
    std::vector<TestKernel> kernels;
    bool new_abi = true;
};
[[nodiscard]] std::string cubin(const CubinSpec& spec);
[[nodiscard]] std::string
ptx(const std::string& version, const std::string& target, const std::vector<TestKernel>& kernels);

struct FatbinEntry {
    std::uint16_t kind = 2;  ///< 1 PTX, 2 cubin
    unsigned sm = 80;
    std::string payload;
    std::string compression = {};  ///< "", "lz4", "zstd"
    char suffix = '\0';
};
[[nodiscard]] std::string fatbin(const std::vector<FatbinEntry>& entries);

/// A shared library with a HIP fat binary: wrapper, kernel handles and registration as clang
/// leaves them.
struct HipLibrary {
    std::string section;               ///< content of .hip_fatbin
    std::vector<std::string> handles;  ///< kernels the host side launches
    bool section_headers = true;
    bool stripped = false;             ///< without .symtab
    std::string kpack_reference = {};  ///< its code was moved to an archive under this name
    std::uint64_t wrapper_offset = 0;  ///< where the wrapper points, in .hip_fatbin
    std::vector<std::string> needed = {"libamdhip64.so.7", "libc.so.6"};
};
[[nodiscard]] std::string hip_library(const HipLibrary& spec);

struct CudaLibrary {
    std::string section;               ///< content of .nv_fatbin
    std::vector<std::string> kernels;  ///< kernels the host side launches
    std::vector<std::string> needed = {"libcudart.so.12", "libc.so.6"};
};
[[nodiscard]] std::string cuda_library(const CudaLibrary& spec);

/// An ordinary extension module.
struct HostLibrary {
    std::string module = "_C";  ///< PyInit_<module> is exported; "" for none
    std::vector<std::string> needed = {"libc.so.6"};
    std::vector<std::string> undefined = {};
};
[[nodiscard]] std::string host_library(const HostLibrary& spec);

// MessagePack, the parts that device code uses.
[[nodiscard]] std::string mp_text(std::string_view text);
[[nodiscard]] std::string mp_number(std::uint64_t value);
[[nodiscard]] std::string mp_array(const std::vector<std::string>& values);
[[nodiscard]] std::string mp_map(const std::vector<std::pair<std::string, std::string>>& pairs);

struct Aks2Image {
    std::string name;
    std::string object;  ///< "" for a kernel that did not compile
};
[[nodiscard]] std::string aks2(const std::vector<Aks2Image>& images);

/// {binary, arch, object}
struct KpackObject {
    std::string binary;
    std::string arch;
    std::string object;
};
[[nodiscard]] std::string kpack(const std::vector<KpackObject>& objects, bool zstd);

}  // namespace wheelforge::support
