// SPDX-License-Identifier: Apache-2.0
// What a wheel's tags promise about interpreter, C library and processor, against what its files
// need; and the C++ ABI of PyTorch.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/verify/accelerator_signs.hpp"
#include "wheel/verify/check.hpp"
#include "wheel/verify/externals.hpp"
#include "wheel/verify/module_name.hpp"

namespace wheelforge::wheel {

namespace {

bool is_host_file(const FileReport& file) {
    return file.elf.has_value();
}

/// The machine of a platform tag: "manylinux_2_28_x86_64" -> "x86_64"; "" for "any".
std::string machine_of_tag(std::string_view platform) {
    constexpr std::array<std::string_view, 9> machines = {
        "x86_64", "i686", "aarch64", "armv7l", "ppc64le", "ppc64", "s390x", "riscv64", "loongarch64"
    };
    for (const std::string_view machine : machines) {
        if (platform.ends_with("_" + std::string(machine))) {
            return std::string(machine);
        }
    }
    return "";
}

std::set<std::string> machines_of(const Subject& subject) {
    std::set<std::string> machines;
    for (const pep::Tag& tag : subject.filename.tags) {
        machines.insert(tag.platform == "any" ? "any" : machine_of_tag(tag.platform));
    }
    return machines;
}

void check_platform_tag(const CheckContext& context, FindingSink& out) {
    const std::set<std::string> machines = machines_of(context.subject);
    for (const FileReport& file : context.subject.files) {
        if (!is_host_file(file)) {
            continue;
        }
        const std::string machine = machine_name(*file.elf);
        if (machines == std::set<std::string>{"any"}) {
            out.add(
                "plat-tag",
                file.path,
                fmt::format("is a {} file in a wheel for any platform", machine),
                "the wheel needs a platform tag: its setup.py does not know that it is binary"
            );
        } else if (!machines.contains(machine)) {
            out.add(
                "plat-tag",
                file.path,
                fmt::format(
                    "is for {}, the wheel's tag for {}",
                    machine,
                    join(std::vector<std::string>(machines.begin(), machines.end()), ", ")
                )
            );
        }
    }
}

struct VersionFamily {
    std::string_view name;
    std::string floor;  ///< newest allowed; "" for no rule
};

/// A promise about symbol versions, and who made it.
struct VersionFloor {
    std::string who;
    std::vector<VersionFamily> families;
    Level level = Level::error;
};

void judge_versions(const FileReport& file, const VersionFloor& floor, FindingSink& out) {
    for (const VersionFamily& family : floor.families) {
        const std::string highest = file.elf->highest(family.name);
        if (!family.floor.empty() && !highest.empty() && version_less(family.floor, highest)) {
            out.add_at(
                floor.level,
                "glibc-floor",
                file.path,
                fmt::format(
                    "needs {}_{}, and {} has {} at most",
                    family.name,
                    highest,
                    floor.who,
                    family.floor
                ),
                "build in a container as old as the oldest system it has to run on"
            );
        }
    }
}

/// The most forgiving policy among the wheel's own tags.
const ManylinuxPolicy* policy_of(const Subject& subject) {
    const ManylinuxPolicy* best = nullptr;
    for (const pep::Tag& tag : subject.filename.tags) {
        const ManylinuxPolicy* policy = manylinux_policy(tag.platform);
        if (policy == nullptr) {
            continue;
        }
        const bool newer =
            best == nullptr || version_less(best->newest.at("GLIBC"), policy->newest.at("GLIBC"));
        best = newer ? policy : best;
    }
    return best;
}

VersionFloor floor_of_tag(const ManylinuxPolicy& policy) {
    VersionFloor floor{"the tag " + policy.name, {}};
    for (const auto& [name, newest] : policy.newest) {
        floor.families.push_back({name, newest});
    }
    return floor;
}

VersionFloor floor_of_target(const VariantFacts& variant) {
    return {
        "the target of variant " + variant.name,
        {{"GLIBC", variant.target.glibc}, {"GLIBCXX", variant.target.libstdcxx}}
    };
}

/// A library for one of several accelerators is only loaded where that one is: what it needs is
/// then less of a promise.
void check_glibc_floor(const CheckContext& context, FindingSink& out) {
    const ManylinuxPolicy* policy = policy_of(context.subject);
    const auto& variant = context.request.variant;
    const bool alternatives = has_alternatives(context.subject);
    for (const FileReport& file : context.subject.files) {
        if (!is_host_file(file)) {
            continue;
        }
        const std::string accelerator = alternatives ? accelerator_of(file) : "";
        if (policy != nullptr) {
            VersionFloor floor = floor_of_tag(*policy);
            floor.level = accelerator.empty() ? Level::error : Level::warn;
            judge_versions(file, floor, out);
        }
        if (variant) {
            VersionFloor floor = floor_of_target(*variant);
            const bool is_other = !accelerator.empty() && accelerator != variant->family;
            floor.level = is_other ? Level::info : Level::error;
            judge_versions(file, floor, out);
        }
    }
}

bool has_interpreter(const Subject& subject, const std::string& interpreter, bool free_threaded) {
    return std::any_of(
        subject.filename.tags.begin(),
        subject.filename.tags.end(),
        [&](const pep::Tag& tag) {
            return tag.interpreter == interpreter && tag.abi.ends_with('t') == free_threaded;
        }
    );
}

std::string tags_text(const Subject& subject) {
    return subject.filename.tag_set;
}

void judge_version_specific(
    const CheckContext& context, const FileReport& file, const ModuleName& module, FindingSink& out
) {
    const bool free_threaded = module.tag.ends_with('t');
    const std::string digits =
        free_threaded ? module.tag.substr(0, module.tag.size() - 1) : module.tag;
    if (!has_interpreter(context.subject, "cp" + digits, free_threaded)) {
        out.add(
            "pytag",
            file.path,
            fmt::format(
                "is loaded by CPython {} only, the wheel's tag is {}",
                module.tag,
                tags_text(context.subject)
            )
        );
    }
}

void check_python_tag(const CheckContext& context, FindingSink& out) {
    for (const FileReport& file : context.subject.files) {
        const auto module = parse_module_name(file.path);
        if (!is_host_file(file) || !module) {
            continue;
        }
        if (module->abi == ModuleName::Abi::version_specific) {
            judge_version_specific(context, file, *module, out);
        }
        for (const std::string& needed : file.elf->needed) {
            if (needed.starts_with("libpython")) {
                out.add(
                    "libpython",
                    file.path,
                    fmt::format("needs {}, which many interpreters do not have", needed),
                    "do not link extension modules with -lpython"
                );
            }
        }
    }
}

/// "cp38" -> "3.8".
std::string version_of_interpreter(const std::string& interpreter) {
    return interpreter.size() < 4 ? "" : interpreter.substr(2, 1) + "." + interpreter.substr(3);
}

bool is_python_symbol(std::string_view name) {
    return name.starts_with("Py") || name.starts_with("_Py");
}

void judge_stable_symbols(const FileReport& file, const std::string& promised, FindingSink& out) {
    std::vector<std::string> outside;
    std::vector<std::string> newer;
    for (const UndefinedSymbol& symbol : file.elf->undefined) {
        if (!is_python_symbol(symbol.name)) {
            continue;
        }
        const auto since = stable_abi_since(symbol.name);
        if (!since) {
            outside.push_back(symbol.name);
        } else if (version_less(promised, *since)) {
            newer.push_back(fmt::format("{} ({})", symbol.name, *since));
        }
    }
    if (!outside.empty()) {
        out.add(
            "abi3",
            file.path,
            fmt::format(
                "uses {} symbols outside of the stable ABI: {}", outside.size(), some_of(outside)
            ),
            "define Py_LIMITED_API, or drop the abi3 tag"
        );
    }
    if (!newer.empty()) {
        out.add(
            "abi3",
            file.path,
            fmt::format(
                "promises Python {}, but uses {} symbols that came later: {}",
                promised,
                newer.size(),
                some_of(newer)
            ),
            "raise the Python tag to the version of Py_LIMITED_API"
        );
    }
}

void check_stable_abi(const CheckContext& context, FindingSink& out) {
    std::string promised;
    for (const pep::Tag& tag : context.subject.filename.tags) {
        if (tag.abi == "abi3" || tag.abi == "abi3t") {
            promised = version_of_interpreter(tag.interpreter);
        }
    }
    for (const FileReport& file : context.subject.files) {
        const auto module = parse_module_name(file.path);
        if (!promised.empty() && is_host_file(file) && module
            && module->abi != ModuleName::Abi::version_specific) {
            judge_stable_symbols(file, promised, out);
        }
    }
}

/// Libraries that register themselves with PyTorch when they are loaded need no module function.
bool registers_with_torch(const ElfFacts& elf) {
    return std::any_of(elf.undefined.begin(), elf.undefined.end(), [](const UndefinedSymbol& s) {
        return s.name.starts_with("_ZN5torch7Library") || s.name.starts_with("torch_library_")
               || s.name.starts_with("aoti_torch_library_");
    });
}

void check_init_symbol(const CheckContext& context, FindingSink& out) {
    for (const FileReport& file : context.subject.files) {
        const auto module = parse_module_name(file.path);
        if (!is_host_file(file) || !module || file.elf->type != "shared") {
            continue;
        }
        const auto [classic, modern] = init_functions(*module);
        if (file.elf->exports(classic) || file.elf->exports(modern)) {
            continue;
        }
        const bool by_name = module->abi != ModuleName::Abi::plain;
        const bool excused = !by_name || registers_with_torch(*file.elf);
        out.add_at(
            excused ? Level::info : Level::error,
            "init-symbol",
            file.path,
            fmt::format("exports neither {} nor {}", printable(classic), printable(modern)),
            excused ? "" : "importing it fails: was it linked with its own sources?"
        );
    }
}

/// Which std::string the C++ names of PyTorch in a file speak of.
struct StringAbi {
    std::string old_name;
    std::string new_name;
};

bool is_torch_name(std::string_view name) {
    return name.starts_with("_ZN2at") || name.starts_with("_ZN3c10")
           || name.starts_with("_ZN5torch") || name.starts_with("_ZNK2at")
           || name.starts_with("_ZNK3c10") || name.starts_with("_ZNK5torch");
}

StringAbi string_abi(const ElfFacts& elf) {
    StringAbi abi;
    for (const UndefinedSymbol& symbol : elf.undefined) {
        if (!is_torch_name(symbol.name)) {
            continue;
        }
        const bool is_new = symbol.name.find("cxx11") != std::string::npos;
        const bool is_old = symbol.name.find("RKSs") != std::string::npos
                            || symbol.name.ends_with("ESs") || symbol.name.ends_with("ESsE");
        if (is_new) {
            abi.new_name = symbol.name;
        } else if (is_old) {
            abi.old_name = symbol.name;
        }
    }
    return abi;
}

void check_torch_abi(const CheckContext& context, FindingSink& out) {
    std::string old_file;
    std::string new_file;
    for (const FileReport& file : context.subject.files) {
        if (!is_host_file(file)) {
            continue;
        }
        const StringAbi abi = string_abi(*file.elf);
        if (!abi.old_name.empty() && !abi.new_name.empty()) {
            out.add(
                "torch-abi",
                file.path,
                fmt::format(
                    "uses PyTorch with both C++ string ABIs: {} and {}",
                    printable(abi.old_name),
                    printable(abi.new_name)
                )
            );
        }
        old_file = abi.old_name.empty() ? old_file : file.path;
        new_file = abi.new_name.empty() ? new_file : file.path;
    }
    if (!old_file.empty() && !new_file.empty() && old_file != new_file) {
        out.add(
            "torch-abi",
            old_file,
            fmt::format("uses PyTorch's old C++ string ABI, {} the new one", printable(new_file)),
            "compile all files with the same _GLIBCXX_USE_CXX11_ABI as the torch they run with"
        );
    }
}

constexpr std::array abi_list = {
    Check{"plat-tag", &check_platform_tag},
    Check{"glibc-floor", &check_glibc_floor},
    Check{"pytag", &check_python_tag},
    Check{"abi3", &check_stable_abi},
    Check{"init-symbol", &check_init_symbol},
    Check{"torch-abi", &check_torch_abi},
};

}  // namespace

std::span<const Check> abi_checks() {
    return abi_list;
}

}  // namespace wheelforge::wheel
