// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/inspect.hpp"
#include "wheel/weights.hpp"

namespace wheelforge::wheel {

namespace {

template <std::size_t Columns>
using Rows = std::vector<std::array<std::string, Columns>>;

/// Columns as wide as their widest cell; the first two to the left, numbers to the right.
template <std::size_t Columns>
std::string aligned(const Rows<Columns>& rows) {
    constexpr std::size_t left_columns = 2;
    std::array<std::size_t, Columns> widths{};
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < Columns; ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line = "  ";
        for (std::size_t i = 0; i < Columns; ++i) {
            line += i < left_columns ? fmt::format("{:<{}}  ", row[i], widths[i])
                                     : fmt::format("{:>{}}  ", row[i], widths[i]);
        }
        line.resize(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string code_table(const FileReport& file) {
    Rows<6> rows{{"ARCH", "FORMAT", "OBJECTS", "KERNELS", "EMPTY", "BYTES"}};
    for (const DeviceCode& code : file.device.code) {
        rows.push_back(
            {printable(code.arch),
             code.format,
             std::to_string(code.objects),
             std::to_string(code.kernels.size()),
             std::to_string(code.empty_kernels().size()),
             human_bytes(code.bytes)}
        );
    }
    return file.device.code.empty() ? "" : aligned(rows);
}

std::string weight_table(const FileReport& file) {
    Rows<3> rows{{"SECTION", "ARCH", "BYTES"}};
    for (const Weight& weight : weights_of(file)) {
        rows.push_back({weight.section, printable(weight.arch), human_bytes(weight.bytes)});
    }
    return aligned(rows);
}

std::string notes(const FileReport& file) {
    std::string text;
    for (const KpackReference& reference : file.device.kpack_references) {
        text += fmt::format(
            "  its kernels are in a kpack archive: {}\n",
            printable(join(reference.search_paths, ", "))
        );
    }
    if (!file.device.failed_kernels.empty()) {
        text += fmt::format("  {} kernels did not compile\n", file.device.failed_kernels.size());
    }
    for (const std::string& error : file.device.errors) {
        text += fmt::format("  error: {}\n", error);
    }
    return text;
}

bool has_more_to_say(const FileReport& file) {
    const DeviceReport& device = file.device;
    return !device.code.empty() || !device.errors.empty() || !device.kpack_references.empty()
           || !device.failed_kernels.empty();
}

std::string elf_line(const FileReport& file) {
    if (!file.elf) {
        return "";
    }
    const ElfFacts& elf = *file.elf;
    std::string line = fmt::format("{} ELF, {}", elf.type, machine_name(elf));
    if (const std::string glibc = elf.highest("GLIBC"); !glibc.empty()) {
        line += ", glibc " + glibc;
    }
    return line;
}

std::string heading(const FileReport& file) {
    std::string line = fmt::format("{}  {}", printable(file.path), human_bytes(file.size));
    const std::string elf = elf_line(file);
    line += elf.empty() ? "" : "  " + elf;
    return line + (has_more_to_say(file) ? "\n" : "  no device code\n");
}

}  // namespace

std::string inspect_table(const InspectReport& report, bool weights) {
    std::string text;
    std::string archive;
    for (const FileReport& file : report.files) {
        if (file.archive != archive) {
            archive = file.archive;
            text += (text.empty() ? "" : "\n") + printable(archive) + "\n";
        }
        text +=
            heading(file) + code_table(file) + (weights ? weight_table(file) : "") + notes(file);
    }
    return text.empty() ? "no ELF files and no device code\n" : text;
}

}  // namespace wheelforge::wheel
