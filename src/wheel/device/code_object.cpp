// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/code_object.hpp"

#include <map>
#include <set>

#include <fmt/format.h>

#include "wheel/device/arch.hpp"
#include "wheel/msgpack.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::uint8_t os_abi_amdhsa = 64;
constexpr std::uint8_t symbol_kernel_v2 = 10;
constexpr std::uint64_t descriptor_size = 64;
constexpr std::uint32_t metadata_note = 32;

std::optional<bool> feature_v4(std::uint32_t bits) {
    switch (bits & 3U) {
    case 2:
        return false;
    case 3:
        return true;
    default:
        return std::nullopt;  // unsupported or any: the code runs either way
    }
}

Arch arch_of_flags(std::uint32_t flags, std::uint8_t abi_version) {
    Arch arch;
    arch.kind = Arch::Kind::amdgpu;
    arch.name = amdgpu_processor(flags & 0xffU);
    if (abi_version >= 2) {
        arch.xnack = feature_v4(flags >> 8U);
        arch.sramecc = feature_v4(flags >> 10U);
        return arch;
    }
    // Before v4 a clear bit said "off" for chips that have the feature and nothing for others.
    if ((flags & 0x100U) != 0) {
        arch.xnack = true;
    }
    if ((flags & 0x200U) != 0) {
        arch.sramecc = true;
    }
    return arch;
}

/// Bytes at a symbol: by address in a linked object, by section offset in a relocatable one.
std::optional<ByteView>
bytes_at(const ElfImage& image, std::uint16_t section, std::uint64_t value, std::uint64_t length) {
    if (!image.segments().empty()) {
        return image.at_address(value, length);
    }
    if (section == 0 || section >= image.sections().size()) {
        return std::nullopt;
    }
    const ByteView content = image.content(image.sections()[section]);
    if (value > content.size() || length > content.size() - value) {
        return std::nullopt;
    }
    return content.sub(value, length);
}

/// The first instruction that is not s_nop is s_endpgm.
bool ends_at_once(ByteView code, std::string_view processor) {
    const bool has_new_encoding = processor.starts_with("gfx11") || processor.starts_with("gfx12")
                                  || processor.starts_with("gfx13");
    const std::uint32_t end_program = has_new_encoding ? 0xbfb00000U : 0xbf810000U;
    for (std::uint64_t at = 0; at + 4 <= code.size(); at += 4) {
        const std::uint32_t instruction = code.u32(at);
        if ((instruction & 0xffff0000U) != 0xbf800000U) {
            return instruction == end_program;
        }
    }
    return false;
}

class CodeObject {
public:
    CodeObject(ByteView bytes, DeviceCollector& out) : image_(bytes), out_(out) {
        arch_ = arch_of_flags(image_.flags(), image_.abi_version());
    }

    void read(const ObjectOrigin& origin) {
        if (image_.machine() != elf::machine_amdgpu) {
            throw ReadError(fmt::format("ELF for machine {}, not AMD GPU", image_.machine()));
        }
        if (image_.os_abi() != os_abi_amdhsa) {
            out_.error(fmt::format("code object for OS ABI {}, not amdhsa", image_.os_abi()));
        }
        compare("its container", origin.declared_arch);
        DeviceCode& code = out_.object(arch_.text(), origin.format);
        code.bytes += image_.file().size();
        code.stored_bytes += origin.stored_bytes;
        if (!origin.detail.empty()) {
            code.details.insert(origin.detail);
        }
        code.details.insert(fmt::format("code object v{}", image_.abi_version() + 2));
        read_symbols(code);
        read_metadata(code);
    }

private:
    void compare(std::string_view who, const std::string& declared) {
        if (!declared.empty() && declared != arch_.text()) {
            out_.error(fmt::format("{} says {}, e_flags say {}", who, declared, arch_.text()));
        }
    }

    void read_symbols(DeviceCode& code) {
        const std::vector<ElfSymbol> symbols = image_.symbols();
        for (const ElfSymbol& symbol : symbols) {
            if (symbol.type == elf::symbol_function && symbol.defined()) {
                functions_.emplace(symbol.name, symbol);
            }
        }
        for (const ElfSymbol& symbol : symbols) {
            if (symbol.type == symbol_kernel_v2 && symbol.defined()) {
                out_.kernel(code, symbol.name, {symbol.size, false});
            } else if (symbol.name.ends_with(".kd") && symbol.type == elf::symbol_object
                       && symbol.size == descriptor_size && symbol.defined()) {
                const std::string_view name = symbol.name.substr(0, symbol.name.size() - 3);
                out_.kernel(code, name, body_of(name, symbol));
            }
        }
    }

    KernelBody body_of(std::string_view name, const ElfSymbol& descriptor) {
        constexpr std::uint64_t looked_at = 16;
        KernelBody body{0, false};
        std::optional<ByteView> start;
        if (const auto function = functions_.find(name); function != functions_.end()) {
            const ElfSymbol& symbol = function->second;
            body.code_bytes = symbol.size;
            start = bytes_at(image_, symbol.section, symbol.value, 4);
            if (const auto more = bytes_at(image_, symbol.section, symbol.value, looked_at)) {
                start = more;
            }
        } else if (const auto bytes = image_.at_address(descriptor.value, descriptor_size)) {
            // Without a function symbol: the descriptor holds the distance to its code.
            start = image_.at_address(descriptor.value + bytes->u64(16), 4);
        }
        if (!start) {
            out_.error(fmt::format("kernel {} has no code in the object", name));
            return body;
        }
        body.empty = ends_at_once(*start, arch_.name);
        return body;
    }

    void read_metadata(DeviceCode& code) {
        for (const ElfNote& note : image_.notes()) {
            if (note.name == "AMDGPU" && note.type == metadata_note) {
                out_.inside("metadata note", [&] { check_metadata(note.content, code); });
            }
        }
    }

    void check_metadata(ByteView content, DeviceCode& code) {
        const Msgpack metadata(content, out_.budget());
        if (const std::string_view target = metadata.root().text_of("amdhsa.target");
            !target.empty()) {
            compare("metadata", target_of_triple(target));
        }
        const auto kernels = metadata.root().find("amdhsa.kernels");
        if (!kernels) {
            return;
        }
        for (const Msgpack::Cursor& kernel : kernels->elements()) {
            std::string_view symbol = kernel.text_of(".symbol");
            symbol = symbol.ends_with(".kd") ? symbol.substr(0, symbol.size() - 3) : symbol;
            if (!symbol.empty() && code.kernels.find(symbol) == code.kernels.end()) {
                out_.error(fmt::format("metadata lists kernel {} that has no descriptor", symbol));
            }
        }
    }

    ElfImage image_;
    DeviceCollector& out_;
    Arch arch_;
    std::map<std::string_view, ElfSymbol> functions_;
};

}  // namespace

bool is_code_object(ByteView bytes) noexcept {
    return ElfImage::is_elf(bytes) && bytes.size() >= 20
           && (bytes.text().substr(18, 2) == std::string_view("\xe0\x00", 2));
}

void read_code_object(ByteView bytes, const ObjectOrigin& origin, DeviceCollector& out) {
    CodeObject(bytes, out).read(origin);
}

std::string target_of_triple(std::string_view triple) {
    constexpr std::string_view system = "-amdhsa-";
    const std::size_t found = triple.find(system);
    if (found == std::string_view::npos) {
        return "";
    }
    std::string_view rest = triple.substr(found + system.size());
    if (const std::size_t dash = rest.find('-'); dash == 0 || rest.substr(0, dash) == "unknown") {
        rest = rest.substr(dash + 1);
    }
    return std::string(rest);
}

}  // namespace wheelforge::wheel
