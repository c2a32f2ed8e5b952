// SPDX-License-Identifier: Apache-2.0
// Which kernels the host side knows. A HIP kernel has a handle: an 8-byte object of the kernel's
// own mangled name that holds the address of its launch stub. A CUDA kernel has a stub function
// __device_stub__NAME, and a host function of its own name. Both register the name as a string, and
// the string is what tells such a symbol from any other function pointer or function. In CUDA
// libraries without symbols the strings alone tell: mangled names of functions stand in constant
// data for no other reason.
#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_set>

#include "base/text.hpp"
#include "wheel/device/host_code.hpp"

namespace wheelforge::wheel {

namespace {

using Names = std::unordered_set<std::string_view>;

constexpr std::string_view cuda_stub = "__device_stub__";

bool is_constant_data(const ElfSection& section) {
    constexpr std::uint32_t program_data = 1;
    constexpr std::uint64_t write_or_execute = 5;
    return section.type == program_data && (section.flags & elf::flag_allocated) != 0
           && (section.flags & write_or_execute) == 0 && section.name.starts_with(".rodata");
}

std::vector<ByteView> constant_data(const ElfImage& image) {
    std::vector<ByteView> places;
    for (const ElfSection& section : image.sections()) {
        if (is_constant_data(section)) {
            places.push_back(image.content(section));
        }
    }
    for (const ElfSegment& segment : image.segments()) {
        constexpr std::uint32_t writable = 2;  // linkers may put constants and code into one
        if (image.sections().empty() && segment.type == elf::segment_load
            && (segment.flags & writable) == 0) {
            places.push_back(image.file().sub(segment.offset, segment.file_size));
        }
    }
    return places;
}

/// Those of `wanted` that stand somewhere in constant data as a string of their own.
Names registered_names(const std::vector<ByteView>& places, const Names& wanted) {
    Names found;
    for (const ByteView place : places) {
        for (const std::string_view text : split(place.text(), '\0')) {
            if (text.size() > 1 && wanted.contains(text)) {
                found.insert(text);
            }
        }
    }
    return found;
}

/// Linkers merge a string into the end of another: the few that are left are searched for.
bool stands_at_an_end(const std::vector<ByteView>& places, std::string_view name) {
    const std::string with_end = std::string(name) + '\0';
    return std::any_of(places.begin(), places.end(), [&](ByteView place) {
        return place.text().find(with_end) != std::string_view::npos;
    });
}

void keep_registered(
    const std::vector<ByteView>& places, const Names& candidates, DeviceCollector& out
) {
    constexpr unsigned most_searches = 64;
    const Names found = registered_names(places, candidates);
    unsigned searches = 0;
    for (const std::string_view name : candidates) {
        if (found.contains(name)
            || (++searches <= most_searches && stands_at_an_end(places, name))) {
            out.report().host_kernels.emplace(name);
        }
    }
}

Names hip_handles(const ElfImage& image, const std::vector<ElfSymbol>& symbols) {
    std::unordered_set<std::uint64_t> code_pointers;
    for (const ElfRelocation& relocation : image.pointers()) {
        if (image.is_executable(relocation.target)) {
            code_pointers.insert(relocation.where);
        }
    }
    Names names;
    for (const ElfSymbol& symbol : symbols) {
        if (symbol.type == elf::symbol_object && symbol.size == 8 && symbol.defined()
            && code_pointers.contains(symbol.value)) {
            names.insert(symbol.name);
        }
    }
    return names;
}

/// "_ZL26__device_stub__Z5k_addPfPKfPfPKf": the length before tells where the kernel's name ends.
std::string kernel_of_stub(std::string_view symbol) {
    const std::size_t at = symbol.find(cuda_stub);
    if (at == std::string_view::npos || at == 0) {
        return "";
    }
    const std::size_t digits = symbol.find_last_not_of("0123456789", at - 1) + 1;
    std::size_t length = 0;
    std::from_chars(symbol.data() + digits, symbol.data() + at, length);
    if (length <= cuda_stub.size() || length > symbol.size() - at) {
        return "";
    }
    const std::string_view rest = symbol.substr(at + cuda_stub.size(), length - cuda_stub.size());
    // A mangled name lost its first underscore to the one that ends the prefix.
    return rest.starts_with('Z') ? "_" + std::string(rest) : std::string(rest);
}

std::set<std::string> kernels_of_stubs(const std::vector<ElfSymbol>& symbols) {
    std::set<std::string> kernels;
    for (const ElfSymbol& symbol : symbols) {
        if (symbol.type == elf::symbol_function && symbol.defined()) {
            if (std::string kernel = kernel_of_stub(symbol.name); !kernel.empty()) {
                kernels.insert(std::move(kernel));
            }
        }
    }
    return kernels;
}

/// Whether a mangled name can be that of a function: variables end with their own name, which is a
/// nested one ("_ZN1a1bE"), static ("_ZL1b") or local ("_ZZ1fvE1b").
bool can_be_function(std::string_view name) {
    if (!name.starts_with("_Z") || name.ends_with('E') || name.starts_with("_ZZ")) {
        return false;
    }
    const std::size_t digits = name.starts_with("_ZL") ? 3 : 2;
    std::size_t length = 0;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + digits, end, length);
    const bool is_plain = parsed.ec == std::errc();
    return !is_plain || static_cast<std::size_t>(end - parsed.ptr) > length;
}

Names function_names_in(const std::vector<ByteView>& places) {
    Names names;
    for (const ByteView place : places) {
        for (const std::string_view text : split(place.text(), '\0')) {
            if (can_be_function(text)) {
                names.insert(text);
            }
        }
    }
    return names;
}

Names mangled_functions(const std::vector<ElfSymbol>& symbols) {
    Names names;
    for (const ElfSymbol& symbol : symbols) {
        if (symbol.type == elf::symbol_function && symbol.defined()
            && symbol.name.starts_with("_Z")) {
            names.insert(symbol.name);
        }
    }
    return names;
}

bool mentions(const std::vector<ElfSymbol>& symbols, std::string_view name) {
    return std::any_of(symbols.begin(), symbols.end(), [&](const ElfSymbol& symbol) {
        return symbol.name.substr(0, symbol.name.find('@')) == name;
    });
}

}  // namespace

void read_host_kernels(const ElfImage& image, DeviceCollector& out) {
    const std::vector<ElfSymbol> symbols = image.symbols();
    const bool is_hip =
        image.section(".hipFatBinSegment") != nullptr || mentions(symbols, "__hipRegisterFunction");
    const bool is_cuda =
        image.section(".nvFatBinSegment") != nullptr || mentions(symbols, "__cudaRegisterFunction");
    out.report().registers_kernels =
        mentions(symbols, "__hipRegisterFunction") || mentions(symbols, "__cudaRegisterFunction");
    if (!is_hip && !is_cuda) {
        return;
    }
    const std::vector<ByteView> places = constant_data(image);
    if (is_hip) {
        keep_registered(places, hip_handles(image, symbols), out);
    }
    if (is_cuda) {
        // nvcc may mangle a lambda differently on the two sides: only registered names count.
        const std::set<std::string> stubs = kernels_of_stubs(symbols);
        Names candidates = mangled_functions(symbols);
        candidates.insert(stubs.begin(), stubs.end());
        Names launched = registered_names(places, candidates);
        launched.merge(function_names_in(places));
        for (const std::string_view name : launched) {
            out.report().host_kernels.emplace(name);
        }
    }
}

}  // namespace wheelforge::wheel
