// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/device_code.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::size_t most_errors = 200;

}  // namespace

std::vector<std::string> DeviceCode::empty_kernels() const {
    std::vector<std::string> names;
    for (const auto& [name, body] : kernels) {
        if (body.empty) {
            names.push_back(name);
        }
    }
    return names;
}

std::size_t DeviceReport::kernel_count() const {
    std::size_t count = 0;
    for (const DeviceCode& entry : code) {
        count += entry.kernels.size();
    }
    return count;
}

void refuse_trailing(ByteView bytes, std::uint64_t at, Trailing trailing) {
    if (trailing == Trailing::refused) {
        const std::string_view start = bytes.from(at).text().substr(0, 8);
        throw ReadError(fmt::format("unknown content at offset {:#x}: {}", at, printable(start)));
    }
}

DeviceCode& DeviceCollector::object(const std::string& arch, const std::string& format) {
    budget_.spend_objects();
    DeviceCode& code = code_[{arch, format}];
    code.arch = arch;
    code.format = format;
    ++code.objects;
    return code;
}

void DeviceCollector::kernel(DeviceCode& code, std::string_view name, KernelBody body) {
    budget_.spend_objects();
    const auto found = code.kernels.find(name);
    if (found == code.kernels.end()) {
        code.kernels.emplace(name, body);
        return;
    }
    found->second.code_bytes = std::max(found->second.code_bytes, body.code_bytes);
    found->second.empty = found->second.empty && body.empty;
}

void DeviceCollector::error(std::string_view what) {
    if (report_.errors.size() == most_errors) {
        report_.errors.emplace_back("further errors of this file are left out");
    }
    if (report_.errors.size() > most_errors) {
        return;
    }
    const std::string place = join(places_, ", ");
    report_.errors.push_back(printable(place + (place.empty() ? "" : ": ") + std::string(what)));
}

void DeviceCollector::build_note(std::string_view text) {
    constexpr std::size_t most_notes = 64;
    constexpr std::size_t longest_note = 4096;
    if (report_.build_notes.size() < most_notes) {
        report_.build_notes.emplace(text.substr(0, longest_note));
    }
}

DeviceReport DeviceCollector::finish() {
    for (auto& [key, code] : code_) {
        report_.code.push_back(std::move(code));
    }
    code_.clear();
    return std::move(report_);
}

}  // namespace wheelforge::wheel
