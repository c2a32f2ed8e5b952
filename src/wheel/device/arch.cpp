// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/arch.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "base/resources.hpp"
#include "base/text.hpp"
#include "base/yaml.hpp"

namespace wheelforge::wheel {

namespace {

struct AmdgpuTable {
    std::map<std::uint32_t, std::string> machines;
    std::map<std::string, std::vector<std::string>, std::less<>> generics;
};

AmdgpuTable load_table() {
    constexpr std::string_view path = "src/wheel/device/amdgpu.yaml";
    const yaml::Node root = yaml::parse(resource(path).value_or(""), std::string(path));
    AmdgpuTable table;
    for (const auto& [number, processor] : root.find("machines")->as_mapping()) {
        std::uint32_t machine = 0;
        std::from_chars(number.data() + 2, number.data() + number.size(), machine, 16);
        table.machines.emplace(machine, processor.as_string());
    }
    for (const auto& [generic, members] : root.find("generics")->as_mapping()) {
        table.generics.emplace(generic, members.as_strings());
    }
    return table;
}

const AmdgpuTable& amdgpu_table() {
    static const AmdgpuTable table = load_table();
    return table;
}

bool is_amdgpu_name(std::string_view name) {
    return name.starts_with("gfx") && name.size() > 3
           && name.find_first_not_of("0123456789abcdefgnric-", 3) == std::string_view::npos;
}

Parsed<Arch> parse_amdgpu(std::string_view text) {
    const std::vector<std::string_view> parts = split(text, ':');
    Arch arch;
    arch.kind = Arch::Kind::amdgpu;
    arch.name = std::string(parts[0]);
    if (!is_amdgpu_name(parts[0])) {
        return parse_error(fmt::format("'{}' is no AMD processor", printable(parts[0])));
    }
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const bool on = parts[i].ends_with('+');
        const std::string_view feature = parts[i].substr(0, parts[i].size() - 1);
        if (!on && !parts[i].ends_with('-')) {
            return parse_error(fmt::format("feature '{}' lacks + or -", printable(parts[i])));
        }
        if (feature == "xnack") {
            arch.xnack = on;
        } else if (feature == "sramecc") {
            arch.sramecc = on;
        } else {
            return parse_error(fmt::format("unknown feature '{}'", printable(feature)));
        }
    }
    return arch;
}

/// "90a", "9.0a", "120": digits, an optional dot before the last one, an optional suffix.
Parsed<Arch> parse_cuda(std::string_view number, bool is_virtual) {
    Arch arch;
    arch.kind = is_virtual ? Arch::Kind::cuda_virtual : Arch::Kind::cuda_real;
    std::string digits;
    for (std::size_t i = 0; i < number.size(); ++i) {
        const char c = number[i];
        const bool is_last = i + 1 == number.size();
        if (c >= '0' && c <= '9') {
            digits += c;
        } else if ((c == 'a' || c == 'f') && is_last) {
            arch.suffix = c;
        } else if (c != '.') {
            digits.clear();
            break;
        }
    }
    if (digits.size() < 2 || digits.size() > 3) {
        return parse_error(fmt::format("'{}' is no CUDA architecture", printable(number)));
    }
    std::from_chars(digits.data(), digits.data() + digits.size(), arch.capability);
    arch.name = (is_virtual ? "compute_" : "sm_") + digits;
    if (arch.suffix != '\0') {
        arch.name += arch.suffix;
    }
    return arch;
}

Coverage amdgpu_covers(const Arch& have, const Arch& wanted) {
    const auto& generics = amdgpu_table().generics;
    if (have.name == "amdgcnspirv") {
        return Coverage::jit;
    }
    if (have.name != wanted.name) {
        const auto generic = generics.find(have.name);
        if (generic == generics.end()
            || std::find(generic->second.begin(), generic->second.end(), wanted.name)
                   == generic->second.end()) {
            return Coverage::none;
        }
    }
    const auto feature_fits = [](std::optional<bool> code, std::optional<bool> device) {
        return !code || !device || *code == *device;
    };
    const bool fits =
        feature_fits(have.xnack, wanted.xnack) && feature_fits(have.sramecc, wanted.sramecc);
    return fits ? Coverage::native : Coverage::none;
}

bool same_major(const Arch& a, const Arch& b) {
    return a.capability / 10 == b.capability / 10;
}

/// Whether the chips that `have` is made for include the one that `wanted` names.
bool cuda_reaches(const Arch& have, const Arch& wanted) {
    const bool not_newer = have.capability <= wanted.capability;
    switch (have.suffix) {
    case 'a':
        return have.capability == wanted.capability;
    case 'f':
        return same_major(have, wanted) && not_newer;
    default:
        return have.kind == Arch::Kind::cuda_virtual ? not_newer
                                                     : same_major(have, wanted) && not_newer;
    }
}

Coverage cuda_covers(const Arch& have, const Arch& wanted) {
    // Somebody who asks for 'a' or 'f' code wants its instructions, not just something that loads.
    if (wanted.suffix == 'a' && have.name != wanted.name) {
        const bool as_ptx = have.kind == Arch::Kind::cuda_virtual && have.suffix == 'a'
                            && have.capability == wanted.capability;
        return as_ptx ? Coverage::jit : Coverage::none;
    }
    if (wanted.suffix == 'f' && have.suffix == '\0') {
        return Coverage::none;
    }
    if (!cuda_reaches(have, wanted)) {
        return Coverage::none;
    }
    if (wanted.kind == Arch::Kind::cuda_virtual) {
        return have.kind == Arch::Kind::cuda_virtual ? Coverage::native : Coverage::none;
    }
    return have.kind == Arch::Kind::cuda_virtual ? Coverage::jit : Coverage::native;
}

std::string without_word(std::string_view text, std::string_view ending) {
    return std::string(text.substr(0, text.size() - ending.size()));
}

}  // namespace

std::string Arch::text() const {
    std::string result = name;
    if (sramecc) {
        result += *sramecc ? ":sramecc+" : ":sramecc-";
    }
    if (xnack) {
        result += *xnack ? ":xnack+" : ":xnack-";
    }
    return result;
}

Parsed<Arch> parse_arch(std::string_view text) {
    text = trim(text);
    if (text.starts_with("gfx")) {
        return parse_amdgpu(text);
    }
    if (text.starts_with("compute_")) {
        return parse_cuda(text.substr(8), true);
    }
    if (text.starts_with("sm_")) {
        return parse_cuda(text.substr(3), false);
    }
    return parse_cuda(text, false);
}

Parsed<std::vector<Arch>> parse_arch_list(std::string_view text) {
    constexpr std::string_view ptx = "+PTX";
    std::vector<Arch> result;
    std::size_t at = 0;
    while ((at = text.find_first_not_of(",; \t\n", at)) != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(",; \t\n", at), text.size());
        const std::string_view word = text.substr(at, end - at);
        const bool with_ptx = word.ends_with(ptx);
        Parsed<Arch> arch = parse_arch(with_ptx ? without_word(word, ptx) : std::string(word));
        if (!arch) {
            return parse_error(arch.error().message, at);
        }
        result.push_back(*arch);
        if (with_ptx) {
            result.push_back(*parse_cuda(std::string_view(arch->name).substr(3), true));
        }
        at = end;
    }
    return result;
}

Arch reported_arch(std::string_view text) {
    const bool is_known =
        text.starts_with("gfx") || text.starts_with("sm_") || text.starts_with("compute_");
    if (const Parsed<Arch> arch = parse_arch(text); is_known && arch) {
        return *arch;
    }
    Arch arch;
    arch.kind = text == "amdgcnspirv" ? Arch::Kind::amdgpu : Arch::Kind::other;
    arch.name = std::string(text);
    return arch;
}

Coverage covers(const Arch& have, const Arch& wanted) {
    const auto is_cuda = [](const Arch& arch) {
        return arch.kind == Arch::Kind::cuda_real || arch.kind == Arch::Kind::cuda_virtual;
    };
    if (have.kind == Arch::Kind::amdgpu && wanted.kind == Arch::Kind::amdgpu) {
        return amdgpu_covers(have, wanted);
    }
    if (is_cuda(have) && is_cuda(wanted)) {
        return cuda_covers(have, wanted);
    }
    return have.name == wanted.name ? Coverage::native : Coverage::none;
}

std::string amdgpu_processor(std::uint32_t machine) {
    const auto& machines = amdgpu_table().machines;
    const auto found = machines.find(machine);
    return found == machines.end() ? fmt::format("mach_0x{:02x}", machine) : found->second;
}

bool is_amdgpu_generic(std::string_view processor) {
    return processor.ends_with("-generic");
}

}  // namespace wheelforge::wheel
