// SPDX-License-Identifier: Apache-2.0
#include "wheel/inspect.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "wheel/device/aotriton.hpp"
#include "wheel/device/ar_archive.hpp"
#include "wheel/device/code_object.hpp"
#include "wheel/device/cubin.hpp"
#include "wheel/device/cuda_fatbin.hpp"
#include "wheel/device/hip_bundle.hpp"
#include "wheel/device/host_code.hpp"
#include "wheel/device/kernel_index.hpp"
#include "wheel/device/kpack.hpp"
#include "wheel/device/offload_binary.hpp"
#include "wheel/device/ptx.hpp"
#include "wheel/device/xpu.hpp"
#include "wheel/file_walk.hpp"

namespace wheelforge::wheel {

namespace {

/// Names that promise device code: anything else in such a file is an error.
bool promises_device_code(std::string_view path) {
    constexpr std::string_view endings[] = {
        ".hsaco", ".co", ".cubin", ".fatbin", ".ptx", ".aks2", ".kpack", ".kpm"
    };
    return std::any_of(std::begin(endings), std::end(endings), [&](std::string_view ending) {
        return path.ends_with(ending);
    });
}

void read_elf(ByteView bytes, FileReport& file, DeviceCollector& out) {
    const ElfImage image(bytes);
    out.inside("ELF", [&] { file.elf = elf_facts(image); });
    read_host_code(image, out);
}

/// @returns false when the content is of no known kind.
bool read_by_content(ByteView bytes, FileReport& file, DeviceCollector& out) {
    const ObjectOrigin alone{"", "", "", bytes.size()};
    const auto as = [&](std::string format) {
        ObjectOrigin origin = alone;
        origin.format = std::move(format);
        return origin;
    };
    if (is_code_object(bytes)) {
        read_code_object(bytes, as("code-object"), out);
    } else if (is_cubin(bytes)) {
        read_cubin(bytes, as("cubin"), out);
    } else if (ElfImage::is_elf(bytes)) {
        read_elf(bytes, file, out);
    } else if (is_hip_container(bytes)) {
        read_hip_containers(bytes, 0, Trailing::refused, out);
    } else if (is_cuda_fatbin(bytes)) {
        read_cuda_containers(bytes, 0, Trailing::refused, out);
    } else if (is_aks2(bytes)) {
        read_aks2(bytes, out);
    } else if (is_kpack(bytes)) {
        read_kpack(bytes, out);
    } else if (is_offload_binary(bytes)) {
        read_offload_binaries(bytes, out);
    } else if (is_spirv(bytes)) {
        read_spirv(bytes, "spirv", as("spirv"), out);
    } else if (is_ar_archive(bytes)) {
        read_ar_archive(bytes, out);
    } else if (is_kernel_index(file.path)) {
        read_kernel_index(file.path, bytes, out);
    } else if (file.path.ends_with(".ptx") && is_ptx(bytes.text())) {
        read_ptx(bytes.text(), as("ptx"), out);
    } else {
        return false;
    }
    return true;
}

ReadBudget budget_for(ByteView bytes) {
    constexpr std::uint64_t free_of_charge = 256ULL << 20U;
    return ReadBudget(free_of_charge + 100 * bytes.size());
}

FileReport refused_archive(const std::filesystem::path& path, const Error& error) {
    FileReport file;
    file.path = path.string();
    file.device.errors.push_back(fmt::format("{} [{}]", error.message(), error.id()));
    return file;
}

}  // namespace

bool InspectReport::has_errors() const noexcept {
    return std::any_of(files.begin(), files.end(), [](const FileReport& file) {
        return !file.device.errors.empty();
    });
}

std::optional<FileReport> inspect_bytes(std::string_view path, ByteView bytes, Digests digests) {
    FileReport file;
    file.path = std::string(path);
    file.size = bytes.size();
    DeviceCollector out(budget_for(bytes), digests);
    bool known = true;
    try {
        known = read_by_content(bytes, file, out);
    } catch (const ReadError& failure) {
        out.error(failure.what());
    }
    if (!known && !promises_device_code(path)) {
        return std::nullopt;
    }
    if (!known) {
        out.error("is no device code of any kind we know");
    }
    file.device = out.finish();
    return file;
}

std::optional<FileReport> inspect_library(std::string_view path, ByteView bytes) {
    if (!ElfImage::is_elf(bytes) || is_code_object(bytes) || is_cubin(bytes)) {
        return std::nullopt;
    }
    FileReport file;
    file.path = std::string(path);
    file.size = bytes.size();
    try {
        file.elf = elf_facts(ElfImage(bytes));
    } catch (const ReadError& failure) {
        file.device.errors.push_back(printable(failure.what()));
    }
    return file;
}

bool worth_inspecting(std::string_view path) noexcept {
    return !is_text_name(path) || is_kernel_index(path);
}

InspectReport inspect_path(const std::filesystem::path& path) {
    InspectReport report;
    FileWalk walk;
    const bool container = std::filesystem::exists(path) && is_container(path);
    walk.wanted = [&](const WalkedFile& file) { return !container || worth_inspecting(file.name); };
    walk.visit = [&](const WalkedFile& file, ByteView bytes) {
        if (auto found = inspect_bytes(file.name, bytes, Digests::ignored)) {
            found->archive = container ? path.string() : "";
            report.files.push_back(std::move(*found));
        } else if (!container) {
            FileReport nothing;
            nothing.path = file.name;
            nothing.size = file.size;
            nothing.device.errors.emplace_back("is no file of any kind we know");
            report.files.push_back(std::move(nothing));
        }
    };
    try {
        walk_files(path, walk);
    } catch (const Error& error) {
        if (error.code() != ExitCode::refused) {
            throw;
        }
        report.files.push_back(refused_archive(path, error));
    }
    return report;
}

}  // namespace wheelforge::wheel
