// SPDX-License-Identifier: Apache-2.0
// Device code against what was asked for, and against the host code that launches it.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/verify/accelerator_signs.hpp"
#include "wheel/verify/check.hpp"
#include "wheel/verify/coverage.hpp"
#include "wheel/verify/driver_versions.hpp"
#include "wheel/verify/externals.hpp"

namespace wheelforge::wheel {

namespace {

using Files = std::vector<const FileReport*>;

Files all_files(const Subject& subject) {
    Files files;
    for (const FileReport& file : subject.files) {
        files.push_back(&file);
    }
    return files;
}

Files files_like(const Subject& subject, const std::string& glob) {
    Files files;
    for (const FileReport& file : subject.files) {
        if (glob_matches(glob, file.path)) {
            files.push_back(&file);
        }
    }
    return files;
}

/// Whether the wheel owes kernels, and how sure we are.
struct Owed {
    bool kernels = false;
    Level level = Level::error;
    std::string why;
};

Owed what_is_owed(const CheckContext& context) {
    const WheelExpectation& expected = context.expected;
    switch (expected.kernels) {
    case Kernels::none:
    case Kernels::jit:
        return {};
    case Kernels::required:
        return {true, Level::error, "kernels are required"};
    case Kernels::automatic:
        break;
    }
    if (context.subject.has_kernels()) {
        return {true, Level::error, ""};
    }
    const std::string sign = accelerator_sign(context.subject);
    if (expected.asked_by_name && context.subject.has_elf()) {
        return {true, Level::error, sign.empty() ? "the wheel was asked about by name" : sign};
    }
    return {!sign.empty(), Level::warn, sign};
}

std::string name_of_holder(const CheckContext& context) {
    return fmt::format("the wheel holds {}", held_archs(all_files(context.subject)));
}

void judge_jit(
    const CheckContext& context, const Arch& wanted, const CoverageOf& coverage, FindingSink& out
) {
    const std::vector<std::string> by(coverage.by.begin(), coverage.by.end());
    out.add(
        "jit-only",
        "",
        fmt::format(
            "{} is served by {} alone: the driver compiles it when it is first used",
            wanted.text(),
            join(by, ", ")
        ),
        fmt::format("build for {} too", wanted.text())
    );
    const DriverFloor floor = driver_floor(context.request.variant, coverage.oldest_ptx);
    if (floor.ptx != 0 && coverage.oldest_ptx > floor.ptx) {
        out.add(
            "ptx-too-new",
            "",
            fmt::format(
                "{} depends on PTX {}.{}, but {} reads PTX up to {}.{}",
                wanted.text(),
                coverage.oldest_ptx / 10,
                coverage.oldest_ptx % 10,
                floor.origin,
                floor.ptx / 10,
                floor.ptx % 10
            ),
            fmt::format("build for {} itself, or with an older CUDA", wanted.text())
        );
    }
}

void check_arch_missing(const CheckContext& context, FindingSink& out) {
    const WheelExpectation& expected = context.expected;
    const Owed owed = what_is_owed(context);
    if (!owed.kernels) {
        return;
    }
    if (expected.archs.empty() && expected.kernels == Kernels::required
        && !context.subject.has_kernels()) {
        out.add("arch-missing", "", "kernels are required, and the wheel holds none");
    }
    for (const Arch& wanted : expected.archs) {
        const CoverageOf coverage =
            coverage_of(all_files(context.subject), wanted, expected.aliases);
        if (coverage.best == Coverage::none) {
            out.add_at(
                owed.level,
                "arch-missing",
                "",
                fmt::format(
                    "no kernel for {} ({}); {}{}",
                    wanted.text(),
                    expected.origin,
                    name_of_holder(context),
                    owed.why.empty() ? "" : "; " + owed.why
                ),
                "set the package's own arch variable, or declare kernels: none if this is by design"
            );
        } else if (coverage.best == Coverage::jit) {
            judge_jit(context, wanted, coverage, out);
        }
    }
}

/// The package's own word on how it was built.
void check_declared_build(const CheckContext& context, FindingSink& out) {
    const auto& declared = context.subject.declared;
    if (!declared) {
        return;
    }
    const std::string family =
        context.request.variant ? context.request.variant->family : std::string();
    const bool lacks =
        (family == "rocm" && !declared->has_hip) || (family == "cuda" && !declared->has_cuda);
    if (lacks) {
        out.add(
            "declared-build",
            declared->file,
            fmt::format("says that it was built without {}", family == "rocm" ? "HIP" : "CUDA"),
            "its setup.py did not take the branch of this accelerator: see what variables it reads"
        );
    }
    for (const Arch& wanted : declared->archs) {
        const CoverageOf coverage =
            coverage_of(all_files(context.subject), wanted, context.expected.aliases);
        if (coverage.best == Coverage::none) {
            out.add(
                "declared-build",
                declared->file,
                fmt::format(
                    "says {} (\"{}\"), but there is no kernel for it",
                    wanted.text(),
                    printable(declared->arch_list)
                )
            );
        }
    }
}

void judge_file(
    const FileExpectation& expected,
    const FileReport& file,
    const Arch& wanted,
    const Aliases& aliases,
    FindingSink& out
) {
    const CoverageOf coverage = coverage_of({&file}, wanted, aliases);
    if (coverage.kernels.size() < expected.least_kernels || coverage.best == Coverage::none) {
        out.add(
            "file-expectation",
            file.path,
            fmt::format(
                "{} kernels for {}, {} are expected by {}",
                coverage.kernels.size(),
                wanted.text(),
                expected.least_kernels,
                expected.origin
            )
        );
    }
}

void check_file_expectations(const CheckContext& context, FindingSink& out) {
    for (const FileExpectation& expected : context.expected.files) {
        const Files files = files_like(context.subject, expected.glob);
        if (files.empty()) {
            out.add(
                "file-expectation",
                "",
                fmt::format("no file matches {}, which {} expects", expected.glob, expected.origin)
            );
        }
        const std::vector<Arch>& archs =
            expected.archs.empty() ? context.expected.archs : expected.archs;
        for (const FileReport* file : files) {
            for (const Arch& wanted : archs) {
                judge_file(expected, *file, wanted, context.expected.aliases, out);
            }
        }
    }
}

std::set<std::string> kernels_in(const FileReport& file) {
    std::set<std::string> names;
    for (const DeviceCode& code : file.device.code) {
        for (const auto& [name, body] : code.kernels) {
            names.insert(name);
        }
    }
    return names;
}

/// Code that was moved to a .kpack archive of this wheel or of another.
std::set<std::string> kernels_in_kpack(const CheckContext& context, const FileReport& file) {
    std::set<std::string> names;
    for (const KpackReference& reference : file.device.kpack_references) {
        for (const FileReport& other : context.subject.files) {
            if (other.device.kpack_names.contains(reference.kernel_name)) {
                names.merge(kernels_in(other));
            }
        }
    }
    return names;
}

void check_kernel_missing(const CheckContext& context, FindingSink& out) {
    for (const FileReport& file : context.subject.files) {
        std::set<std::string> kernels = kernels_in(file);
        kernels.merge(kernels_in_kpack(context, file));
        const bool moved_elsewhere = !file.device.kpack_references.empty() && kernels.empty();
        std::vector<std::string> missing;
        std::set_difference(
            file.device.host_kernels.begin(),
            file.device.host_kernels.end(),
            kernels.begin(),
            kernels.end(),
            std::back_inserter(missing)
        );
        if (!missing.empty() && !moved_elsewhere) {
            out.add(
                "kernel-missing",
                file.path,
                fmt::format(
                    "the host code launches {} kernels that no device code holds: {}",
                    missing.size(),
                    some_of(missing)
                ),
                "the device side of these sources was not compiled or not linked"
            );
        } else if (file.device.registers_kernels && kernels.empty() && !moved_elsewhere && file.elf
                   && file.elf->type != "object") {
            out.add(
                "kernel-missing",
                file.path,
                "registers device kernels when it is loaded, but holds none"
            );
        }
    }
}

void check_kpack(const CheckContext& context, FindingSink& out) {
    for (const FileReport& file : context.subject.files) {
        for (const KpackReference& reference : file.device.kpack_references) {
            const bool here = std::any_of(
                context.subject.files.begin(),
                context.subject.files.end(),
                [&](const FileReport& other) {
                    return other.device.kpack_names.contains(reference.kernel_name);
                }
            );
            if (!here) {
                out.add(
                    "kpack-missing",
                    file.path,
                    fmt::format(
                        "its kernels were moved to {}, and no .kpack archive of this wheel holds "
                        "{}",
                        some_of(reference.search_paths),
                        printable(reference.kernel_name)
                    ),
                    "install or declare the device package beside it"
                );
            }
        }
    }
}

/// Name -> architectures where it ends at its first instruction.
using EmptyBy = std::map<std::string, std::vector<std::string>>;

EmptyBy empty_kernels(const FileReport& file) {
    EmptyBy empty;
    for (const DeviceCode& code : file.device.code) {
        for (const std::string& name : code.empty_kernels()) {
            empty[name].push_back(code.arch);
        }
    }
    return empty;
}

bool has_body_somewhere(const FileReport& file, const std::string& name) {
    return std::any_of(
        file.device.code.begin(),
        file.device.code.end(),
        [&](const DeviceCode& code) {
            const auto found = code.kernels.find(name);
            return found != code.kernels.end() && !found->second.empty;
        }
    );
}

void check_empty_kernels(const CheckContext& context, FindingSink& out) {
    for (const FileReport& file : context.subject.files) {
        std::vector<std::string> partly;
        std::vector<std::string> everywhere;
        for (const auto& [name, archs] : empty_kernels(file)) {
            if (has_body_somewhere(file, name)) {
                partly.push_back(fmt::format("{} ({})", name, join(archs, ", ")));
            } else {
                everywhere.push_back(name);
            }
        }
        if (!partly.empty()) {
            out.add(
                "empty-kernel",
                file.path,
                fmt::format(
                    "{} kernels do nothing on some archs and something on others: {}",
                    partly.size(),
                    some_of(partly)
                ),
                "an #if around the body? Launching it succeeds and changes nothing"
            );
        }
        if (!everywhere.empty()) {
            out.add(
                "empty-kernel",
                file.path,
                fmt::format("{} kernels do nothing: {}", everywhere.size(), some_of(everywhere))
            );
        }
    }
}

void check_bad_code_objects(const CheckContext& context, FindingSink& out) {
    for (const FileReport& file : context.subject.files) {
        for (const std::string& error : file.device.errors) {
            out.add("bad-code-object", file.path, error);
        }
        if (!file.device.failed_kernels.empty()) {
            out.add(
                "failed-kernel",
                file.path,
                fmt::format(
                    "{} kernels did not compile: {}",
                    file.device.failed_kernels.size(),
                    some_of(file.device.failed_kernels)
                )
            );
        }
        if (file.device.has_concat_group) {
            out.add(
                "fatbin-too-new",
                file.path,
                "holds a concatenated group, which drivers before CUDA 13.5 do not read",
                "compile without nvcc's --concat"
            );
        }
    }
}

constexpr std::array device_list = {
    Check{"arch-missing", &check_arch_missing},
    Check{"declared-build", &check_declared_build},
    Check{"file-expectation", &check_file_expectations},
    Check{"kernel-missing", &check_kernel_missing},
    Check{"kpack-missing", &check_kpack},
    Check{"empty-kernel", &check_empty_kernels},
    Check{"bad-code-object", &check_bad_code_objects},
};

}  // namespace

std::span<const Check> device_checks() {
    return device_list;
}

}  // namespace wheelforge::wheel
