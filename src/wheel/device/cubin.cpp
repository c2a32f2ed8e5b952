// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/cubin.hpp"

#include <fmt/format.h>

#include "wheel/device/arch.hpp"
#include "wheel/elf.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::uint8_t os_abi_new = 0x41;
constexpr std::uint8_t entry_flag = 0x10;        // of st_other: a kernel, not a device function
constexpr std::uint32_t this_chip_flag = 0x800;  // of the old ABI; the new one does not tell

Arch arch_of_flags(const ElfImage& image) {
    const bool is_new = image.os_abi() == os_abi_new;
    const std::uint32_t flags = image.flags();
    Arch arch;
    arch.kind = Arch::Kind::cuda_real;
    arch.capability = is_new ? (flags >> 8U) & 0xffU : flags & 0xffU;
    if (!is_new && (flags & this_chip_flag) != 0) {
        arch.suffix = 'a';
    }
    arch.name = fmt::format("sm_{}", arch.capability);
    return arch;
}

/// Volta and later: instructions of 16 bytes, the operation in the low 12 bits and the predicate
/// in the next 4 (7: always). The stack pointer R1 may be set up before.
bool ends_at_once(ByteView code) {
    constexpr std::uint16_t exit_always = 0x794d;
    constexpr std::uint16_t no_operation = 0x7918;
    constexpr std::uint8_t stack_pointer = 1;
    constexpr std::uint64_t looked_at = 4 * 16;
    for (std::uint64_t at = 0; at + 16 <= code.size() && at < looked_at; at += 16) {
        const std::uint16_t operation = code.u16(at);
        if (operation == exit_always) {
            return true;
        }
        if (operation != no_operation && code.u8(at + 2) != stack_pointer) {
            return false;
        }
    }
    return false;
}

class Cubin {
public:
    Cubin(ByteView bytes, DeviceCollector& out) : image_(bytes), out_(out) {}

    void read(const ObjectOrigin& origin) {
        if (image_.machine() != elf::machine_cuda) {
            throw ReadError(fmt::format("ELF for machine {}, not CUDA", image_.machine()));
        }
        const Arch own = arch_of_flags(image_);
        std::string arch = own.suffix == 'a' ? own.name + 'a' : own.name;
        if (!origin.declared_arch.empty()) {
            arch = origin.declared_arch;
            if (reported_arch(arch).capability != own.capability) {
                out_.error(fmt::format("its container says {}, e_flags say {}", arch, own.name));
            }
        }
        capability_ = own.capability;
        DeviceCode& code = out_.object(arch, origin.format);
        code.bytes += image_.file().size();
        code.stored_bytes += origin.stored_bytes;
        if (!origin.detail.empty()) {
            code.details.insert(origin.detail);
        }
        read_kernels(code);
        if (const ElfSection* toolkit = image_.section(".note.nv.tkinfo")) {
            out_.build_note(image_.content(*toolkit).text());
        }
    }

private:
    void read_kernels(DeviceCode& code) {
        bool has_symbols = false;
        for (const ElfSymbol& symbol : image_.symbols()) {
            has_symbols = has_symbols || !symbol.name.empty();
            if (symbol.type == elf::symbol_function && (symbol.other & entry_flag) != 0
                && symbol.defined()) {
                out_.kernel(code, symbol.name, body_of(symbol.section, symbol.value, symbol.size));
            }
        }
        if (!has_symbols) {
            read_kernels_by_section(code);
        }
    }

    /// Every kernel has a .text.NAME and a .nv.info.NAME; device functions lack the latter.
    void read_kernels_by_section(DeviceCode& code) {
        constexpr std::string_view info = ".nv.info.";
        for (const ElfSection& section : image_.sections()) {
            if (!section.name.starts_with(info)) {
                continue;
            }
            const std::string_view name = section.name.substr(info.size());
            const ElfSection* text = image_.section(".text." + std::string(name));
            if (text != nullptr) {
                const auto index = static_cast<std::uint16_t>(text - image_.sections().data());
                out_.kernel(code, name, body_of(index, 0, text->size));
            }
        }
    }

    KernelBody body_of(std::uint16_t section, std::uint64_t offset, std::uint64_t size) {
        KernelBody body{size, false};
        constexpr unsigned volta = 70;
        if (section >= image_.sections().size() || capability_ < volta) {
            return body;
        }
        const ByteView text = image_.content(image_.sections()[section]);
        body.empty = ends_at_once(text.from(offset));
        return body;
    }

    ElfImage image_;
    DeviceCollector& out_;
    unsigned capability_ = 0;
};

}  // namespace

bool is_cubin(ByteView bytes) noexcept {
    return ElfImage::is_elf(bytes) && bytes.size() >= 20
           && (bytes.text().substr(18, 2) == std::string_view("\xbe\x00", 2));
}

void read_cubin(ByteView bytes, const ObjectOrigin& origin, DeviceCollector& out) {
    Cubin(bytes, out).read(origin);
}

}  // namespace wheelforge::wheel
