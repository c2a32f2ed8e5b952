// SPDX-License-Identifier: Apache-2.0
#include "support/device_builder.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <libdeflate.h>
#include <lz4.h>
#include <lzma.h>
#include <zstd.h>

#include "base/hash.hpp"
#include "support/elf_builder.hpp"
#include "support/zip_builder.hpp"

namespace wheelforge::support {

namespace {

void put(std::string& out, std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i) {
        out.push_back(i < sizeof value ? static_cast<char>(value >> (8 * i) & 0xffU) : '\0');
    }
}

void pad(std::string& out, std::size_t alignment) {
    while (out.size() % alignment != 0) {
        out.push_back('\0');
    }
}

std::string zlib_packed(std::string_view bytes) {
    libdeflate_compressor* packer = libdeflate_alloc_compressor(6);
    std::string out(libdeflate_zlib_compress_bound(packer, bytes.size()), '\0');
    out.resize(libdeflate_zlib_compress(packer, bytes.data(), bytes.size(), out.data(), out.size())
    );
    libdeflate_free_compressor(packer);
    return out;
}

std::string zstd_packed(std::string_view bytes) {
    std::string out(ZSTD_compressBound(bytes.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
    return out;
}

std::string lz4_packed(std::string_view bytes) {
    const int size = static_cast<int>(bytes.size());
    std::string out(static_cast<std::size_t>(LZ4_compressBound(size)), '\0');
    const int made =
        LZ4_compress_default(bytes.data(), out.data(), size, static_cast<int>(out.size()));
    out.resize(static_cast<std::size_t>(made));
    return out;
}

std::string xz_packed(std::string_view bytes) {
    std::string out(lzma_stream_buffer_bound(bytes.size()), '\0');
    std::size_t made = 0;
    const lzma_ret status = lzma_easy_buffer_encode(
        6,
        LZMA_CHECK_CRC32,
        nullptr,
        reinterpret_cast<const std::uint8_t*>(bytes.data()),
        bytes.size(),
        reinterpret_cast<std::uint8_t*>(out.data()),
        &made,
        out.size()
    );
    if (status != LZMA_OK) {
        throw std::runtime_error("xz failed");
    }
    out.resize(made);
    return out;
}

std::string amdgpu_code(bool empty, bool new_encoding) {
    std::string code;
    if (!empty) {
        put(code, 0xbe800080, 4);  // s_mov_b32 s0, 0
    }
    put(code, new_encoding ? 0xbfb00000 : 0xbf810000, 4);  // s_endpgm
    pad(code, 16);
    return code;
}

std::string amdgpu_metadata(const std::string& target, const std::vector<TestKernel>& kernels) {
    std::vector<std::string> entries;
    for (const TestKernel& kernel : kernels) {
        entries.push_back(
            mp_map({{".name", mp_text(kernel.name)}, {".symbol", mp_text(kernel.name + ".kd")}})
        );
    }
    const std::string content =
        mp_map({{"amdhsa.target", mp_text(target)}, {"amdhsa.kernels", mp_array(entries)}});
    std::string note;
    put(note, 7, 4);
    put(note, content.size(), 4);
    put(note, 32, 4);
    note += std::string("AMDGPU\0\0", 8);
    note += content;
    pad(note, 4);
    return note;
}

}  // namespace

std::string code_object(
    std::uint32_t flags,
    const std::vector<TestKernel>& kernels,
    std::uint8_t abi_version,
    const std::string& metadata_target
) {
    ElfBuilder elf(224);
    elf.os_abi = 64;
    elf.abi_version = abi_version;
    elf.flags = flags;
    const bool new_encoding = (flags & 0xffU) == gfx1100;
    std::string text;
    std::string descriptors;
    for (const TestKernel& kernel : kernels) {
        const std::string code = amdgpu_code(kernel.empty, new_encoding);
        elf.symbols.push_back({kernel.name, ".text", text.size(), code.size(), 2});
        elf.symbols.push_back({kernel.name + ".kd", ".rodata", descriptors.size(), 64, 1});
        text += code;
        descriptors.append(64, '\0');
    }
    elf.section({".rodata", descriptors, 1, 2, 64});
    elf.section({".text", text, 1, 6, 256});
    if (!metadata_target.empty()) {
        elf.section({".note", amdgpu_metadata(metadata_target, kernels), 7, 2, 4});
    }
    return elf.bytes();
}

std::string hip_bundle(const std::vector<BundleEntry>& entries) {
    std::size_t header = 24 + 8;
    for (const BundleEntry& entry : entries) {
        header += 24 + entry.id.size();
    }
    std::string blobs(header, '\0');
    std::string head = "__CLANG_OFFLOAD_BUNDLE__";
    put(head, entries.size(), 8);
    for (const BundleEntry& entry : entries) {
        if (!entry.blob.empty()) {
            pad(blobs, 4096);
        }
        put(head, blobs.size(), 8);
        put(head, entry.blob.size(), 8);
        put(head, entry.id.size(), 8);
        head += entry.id;
        blobs += entry.blob;
    }
    blobs.replace(0, head.size(), head);
    return blobs;
}

std::string hip_bundle_for(const std::vector<std::pair<std::string, std::string>>& objects) {
    std::vector<BundleEntry> entries{{"host-x86_64-unknown-linux-gnu-", ""}};
    for (const auto& [target, object] : objects) {
        entries.push_back({"hipv4-amdgcn-amd-amdhsa--" + target, object});
    }
    return hip_bundle(entries);
}

std::string ccob(std::string_view bundle, unsigned version, unsigned method) {
    const std::string packed = method == 0 ? zlib_packed(bundle) : zstd_packed(bundle);
    Hasher hasher("md5");
    hasher.update(bundle);
    const std::string hex = hasher.finish();
    std::string out = "CCOB";
    put(out, version, 2);
    put(out, method, 2);
    if (version == 2) {
        put(out, 24 + packed.size(), 4);
    } else if (version == 3) {
        put(out, 32 + packed.size(), 8);
    }
    put(out, bundle.size(), version == 3 ? 8 : 4);
    for (std::size_t i = 0; i < 8; ++i) {
        out.push_back(static_cast<char>(std::stoul(hex.substr(2 * i, 2), nullptr, 16)));
    }
    return out + packed;
}

std::string cubin(const CubinSpec& spec) {
    ElfBuilder elf(190);
    elf.os_abi = spec.new_abi ? 0x41 : 0x33;
    elf.abi_version = spec.new_abi ? 8 : 7;
    elf.flags = spec.new_abi ? spec.sm << 8U : spec.sm;
    elf.dynamic_section = false;
    elf.type = 2;
    elf.symbols_by_section = true;
    for (const TestKernel& kernel : spec.kernels) {
        std::string code;
        put(code, 0x00000a0000017a02, 8);  // sets up the stack pointer
        put(code, 0, 8);
        if (!kernel.empty) {
            put(code, 0x0000000000027919, 8);  // S2R R2
            put(code, 0, 8);
        }
        put(code, 0x000000000000794d, 8);  // EXIT
        put(code, 0, 8);
        const std::string section = ".text." + kernel.name;
        elf.symbols.push_back({kernel.name, section, 0, code.size(), 2, 1, 0x10});
        elf.section({section, code, 1, 6, 128});
    }
    return elf.bytes();
}

std::string
ptx(const std::string& version, const std::string& target, const std::vector<TestKernel>& kernels) {
    std::string text = "//\n// Made for a test\n//\n.version " + version + "\n.target " + target
                       + "\n.address_size 64\n\n";
    for (const TestKernel& kernel : kernels) {
        text += ".visible .entry " + kernel.name + "(\n  .param .u64 " + kernel.name
                + "_param_0\n)\n{\n"
                + (kernel.empty ? "" : "  .reg .b32 %r<2>;\n  mov.u32 %r1, %tid.x;\n")
                + "  ret;\n}\n";
    }
    return text;
}

std::string fatbin(const std::vector<FatbinEntry>& entries) {
    std::string body;
    for (const FatbinEntry& entry : entries) {
        std::string packed = entry.payload;
        std::uint64_t flags = 0x11;
        if (entry.compression == "lz4") {
            packed = lz4_packed(entry.payload);
            flags |= 0x2000;
        } else if (entry.compression == "zstd") {
            packed = zstd_packed(entry.payload);
            flags |= 0x8000;
        }
        flags |= entry.suffix == 'a' ? 0x100000U : 0U;
        flags |= entry.suffix == 'f' ? 0x200000U : 0U;
        const std::size_t compressed = packed.size();
        pad(packed, 8);
        put(body, entry.kind, 2);
        put(body, 0x0101, 2);
        put(body, 64, 4);
        put(body, packed.size(), 8);
        put(body, entry.compression.empty() ? 0 : compressed, 4);
        put(body, 0, 4);
        put(body, 0x00050009, 4);
        put(body, entry.sm, 4);
        put(body, 0, 8);
        put(body, flags, 8);
        put(body, 0, 8);
        put(body, entry.compression.empty() ? 0 : entry.payload.size(), 8);
        body += packed;
    }
    std::string out;
    put(out, 0xba55ed50, 4);
    put(out, 1, 2);
    put(out, 16, 2);
    put(out, body.size(), 8);
    return out + body;
}

std::string hip_library(const HipLibrary& spec) {
    ElfBuilder elf;
    elf.needed = spec.needed;
    elf.section_headers = spec.section_headers;
    elf.section({".hip_fatbin", spec.section, 1, 2, 4096});
    std::string wrapper;
    put(wrapper, spec.kpack_reference.empty() ? 0x48495046 : 0x4b504948, 4);
    put(wrapper, 1, 4);
    put(wrapper, 0, 16);
    std::string names;
    std::string handles;
    elf.section({".text", std::string(64, '\xc3'), 1, 6, 16});
    std::vector<ElfSymbolSpec> symbols;
    for (const std::string& kernel : spec.handles) {
        elf.pointers.push_back({".data.rel.ro", handles.size(), ".text", 0});
        symbols.push_back({kernel, ".data.rel.ro", handles.size(), 8, 1});
        handles.append(8, '\0');
        names += kernel + '\0';
    }
    elf.section({".rodata", names + '\0', 1, 2, 1});
    elf.section({".data.rel.ro", handles + std::string(8, '\0'), 1, 3, 8});
    elf.section({".hipFatBinSegment", wrapper, 1, 3, 8});
    elf.pointers.push_back({".hipFatBinSegment", 8, ".hip_fatbin", spec.wrapper_offset});
    if (!spec.kpack_reference.empty()) {
        const std::string paths = mp_array({mp_text(".kpack/k_gfx942.kpack")});
        elf.section(
            {".rocm_kpack_ref",
             mp_map({{"kernel_name", mp_text(spec.kpack_reference)}, {"kpack_search_paths", paths}})
            }
        );
    }
    elf.dynamic_symbols = symbols;
    elf.dynamic_symbols.push_back({"__hipRegisterFunction"});
    elf.dynamic_symbols.push_back({"__hipRegisterFatBinary"});
    if (!spec.stripped) {
        elf.symbols = elf.dynamic_symbols;
    }
    return elf.bytes();
}

std::string cuda_library(const CudaLibrary& spec) {
    ElfBuilder elf;
    elf.needed = spec.needed;
    elf.section({".nv_fatbin", spec.section, 1, 2, 8});
    std::string wrapper;
    put(wrapper, 0x466243b1, 4);
    put(wrapper, 1, 4);
    put(wrapper, 0, 16);
    elf.section({".nvFatBinSegment", wrapper, 1, 3, 8});
    elf.pointers.push_back({".nvFatBinSegment", 8, ".nv_fatbin", 0});
    elf.section({".text", std::string(64, '\xc3'), 1, 6, 16});
    std::string names;
    for (const std::string& kernel : spec.kernels) {
        names += kernel + '\0';
        const std::string stub = "__device_stub__" + kernel.substr(1);
        elf.symbols.push_back(
            {"_ZL" + std::to_string(stub.size()) + stub + "Pf", ".text", 0, 16, 2, 0}
        );
    }
    elf.section({".rodata", names + '\0', 1, 2, 1});
    elf.dynamic_symbols.push_back({"__cudaRegisterFatBinary"});
    elf.dynamic_symbols.push_back({"__cudaRegisterFunction"});
    elf.symbols.push_back({"__cudaRegisterFunction"});
    return elf.bytes();
}

std::string host_library(const HostLibrary& spec) {
    ElfBuilder elf;
    elf.needed = spec.needed;
    elf.section({".text", std::string(64, '\xc3'), 1, 6, 16});
    if (!spec.module.empty()) {
        elf.dynamic_symbols.push_back({"PyInit_" + spec.module, ".text", 0, 16});
    }
    for (const std::string& name : spec.undefined) {
        elf.dynamic_symbols.push_back({name});
    }
    return elf.bytes();
}

std::string mp_text(std::string_view text) {
    std::string out = "\xda";
    out.push_back(static_cast<char>(text.size() >> 8U & 0xffU));
    out.push_back(static_cast<char>(text.size() & 0xffU));
    return out + std::string(text);
}

std::string mp_number(std::uint64_t value) {
    std::string out = "\xcf";
    for (unsigned i = 8; i > 0; --i) {
        out.push_back(static_cast<char>(value >> (8 * (i - 1)) & 0xffU));
    }
    return out;
}

std::string mp_array(const std::vector<std::string>& values) {
    std::string out = "\xdc";
    out.push_back(static_cast<char>(values.size() >> 8U & 0xffU));
    out.push_back(static_cast<char>(values.size() & 0xffU));
    for (const std::string& value : values) {
        out += value;
    }
    return out;
}

std::string mp_map(const std::vector<std::pair<std::string, std::string>>& pairs) {
    std::string out = "\xde";
    out.push_back(static_cast<char>(pairs.size() >> 8U & 0xffU));
    out.push_back(static_cast<char>(pairs.size() & 0xffU));
    for (const auto& [key, value] : pairs) {
        out += mp_text(key) + value;
    }
    return out;
}

std::string aks2(const std::vector<Aks2Image>& images) {
    std::string directory;
    std::string blobs;
    for (const Aks2Image& image : images) {
        put(directory, 0, 4);
        put(directory, 256, 4);
        put(directory, blobs.size(), 4);
        put(directory, image.object.size(), 4);
        put(directory, image.name.size() + 1, 4);
        directory += image.name + '\0';
        blobs += image.object;
    }
    std::string out = "AKS2";
    put(out, directory.size() + blobs.size(), 4);
    put(out, images.size(), 4);
    put(out, directory.size(), 4);
    return out + xz_packed(directory + blobs);
}

std::string kpack(const std::vector<KpackObject>& objects, bool zstd) {
    std::string out = "KPAK";
    put(out, 1, 4);
    put(out, 0, 8);
    pad(out, 64);
    const std::size_t area = out.size();
    std::vector<std::string> blobs;
    if (zstd) {
        put(out, objects.size(), 4);
    }
    for (const KpackObject& object : objects) {
        if (zstd) {
            const std::string packed = zstd_packed(object.object);
            put(out, packed.size(), 4);
            out += packed;
        } else {
            pad(out, 64);
            blobs.push_back(mp_map(
                {{"offset", mp_number(out.size())}, {"size", mp_number(object.object.size())}}
            ));
            out += object.object;
        }
    }
    const std::size_t contents_at = out.size();
    std::map<std::string, std::vector<std::pair<std::string, std::string>>> by_binary;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        by_binary[objects[i].binary].emplace_back(
            objects[i].arch,
            mp_map(
                {{"type", mp_text("hsaco")},
                 {"ordinal", mp_number(i)},
                 {"original_size", mp_number(objects[i].object.size())}}
            )
        );
    }
    std::vector<std::pair<std::string, std::string>> table;
    for (const auto& [binary, archs] : by_binary) {
        table.emplace_back(binary, mp_map(archs));
    }
    std::vector<std::pair<std::string, std::string>> contents{
        {"compression_scheme", mp_text(zstd ? "zstd-per-kernel" : "none")}, {"toc", mp_map(table)}
    };
    if (zstd) {
        contents.emplace_back("zstd_offset", mp_number(area));
        contents.emplace_back("zstd_size", mp_number(contents_at - area));
    } else {
        contents.emplace_back("blobs", mp_array(blobs));
    }
    std::string offset;
    put(offset, contents_at, 8);
    out.replace(8, 8, offset);
    return out + mp_map(contents);
}

}  // namespace wheelforge::support
