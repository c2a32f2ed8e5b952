// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/kernels_lock.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "base/yaml.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::string_view format_name = "wheelforge kernels.lock 1";
constexpr std::uint64_t largest_lock = 256ULL << 20U;

std::string digest_of(const std::set<std::string>& names) {
    Hasher hasher;
    for (const std::string& name : names) {
        hasher.update(name);
        hasher.update("\n");
    }
    return hasher.finish();
}

std::uint64_t count_of(const yaml::Node& node, const char* key) {
    const yaml::Node* value = node.find(key);
    return value == nullptr
               ? 0
               : static_cast<std::uint64_t>(std::max<std::int64_t>(0, value->as_int()));
}

std::string text_of(const yaml::Node& node, const char* key) {
    const yaml::Node* value = node.find(key);
    return value == nullptr ? "" : value->as_string();
}

LockedArch read_arch(const yaml::Node& node) {
    node.only_keys({"kernels", "names", "empty"}, "an arch of a lock");
    LockedArch arch;
    arch.kernels = count_of(node, "kernels");
    arch.names = text_of(node, "names");
    if (const yaml::Node* empty = node.find("empty")) {
        const std::vector<std::string> names = empty->as_strings();
        arch.empty.insert(names.begin(), names.end());
    }
    return arch;
}

LockedPackage read_package(const yaml::Node& node) {
    node.only_keys({"version", "elf_files", "bytes", "files"}, "a package of a lock");
    LockedPackage package;
    package.version = text_of(node, "version");
    package.elf_files = count_of(node, "elf_files");
    package.bytes = count_of(node, "bytes");
    if (const yaml::Node* files = node.find("files")) {
        for (const auto& [path, archs] : files->as_mapping()) {
            for (const auto& [name, arch] : archs.as_mapping()) {
                package.files[path].emplace(name, read_arch(arch));
            }
        }
    }
    return package;
}

std::string yaml_text(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result + '"';
}

std::string arch_line(const std::string& name, const LockedArch& arch) {
    std::string empty;
    for (const std::string& kernel : arch.empty) {
        empty += (empty.empty() ? "" : ", ") + yaml_text(printable(kernel));
    }
    return fmt::format(
        "        {}: {{kernels: {}, names: {}{}}}\n",
        yaml_text(name),
        arch.kernels,
        arch.names,
        empty.empty() ? "" : fmt::format(", empty: [{}]", empty)
    );
}

}  // namespace

std::string lock_path(std::string_view path) {
    constexpr std::string_view so = ".so";
    const std::size_t name_at = path.rfind('/') + 1;
    const std::size_t suffix = path.find(".cpython-", name_at);
    if (suffix == std::string_view::npos || !path.ends_with(so)) {
        return std::string(path);
    }
    return std::string(path.substr(0, suffix)) + std::string(so);
}

LockedPackage locked_package(std::string version, const std::vector<FileReport>& files) {
    LockedPackage package;
    package.version = std::move(version);
    for (const FileReport& file : files) {
        package.elf_files += file.elf ? 1U : 0U;
        package.bytes += file.size;
        for (const DeviceCode& code : file.device.code) {
            if (code.kernels.empty()) {
                continue;  // a link stub, of whatever arch the compiler likes best
            }
            LockedArch& arch = package.files[lock_path(file.path)][code.arch];
            for (const auto& [name, body] : code.kernels) {
                arch.all.insert(name);
            }
            for (std::string& name : code.empty_kernels()) {
                arch.empty.insert(std::move(name));
            }
        }
    }
    for (auto& [path, archs] : package.files) {
        for (auto& [name, arch] : archs) {
            arch.kernels = arch.all.size();
            arch.names = digest_of(arch.all);
        }
    }
    return package;
}

KernelsLock parse_kernels_lock(std::string_view text, const std::string& file) {
    const yaml::Node root = yaml::parse(text, file);
    if (root.is_null() || text_of(root, "format") != format_name) {
        throw Error(
            ExitCode::usage, "bad-value", fmt::format("{} is no {}", printable(file), format_name)
        );
    }
    root.only_keys({"format", "packages"}, "a lock");
    KernelsLock lock;
    if (const yaml::Node* packages = root.find("packages")) {
        for (const auto& [name, package] : packages->as_mapping()) {
            lock.packages.emplace(name, read_package(package));
        }
    }
    return lock;
}

KernelsLock load_kernels_lock(const std::filesystem::path& path) {
    return parse_kernels_lock(read_file(path, largest_lock), path.string());
}

std::string kernels_lock_text(const KernelsLock& lock) {
    std::string text = fmt::format(
        "# What the last accepted wheels held, by `wheelforge verify --accept`.\n"
        "format: {}\npackages:\n",
        format_name
    );
    for (const auto& [name, package] : lock.packages) {
        text += fmt::format(
            "  {}:\n    version: {}\n    elf_files: {}\n    bytes: {}\n    files:{}\n",
            yaml_text(name),
            yaml_text(package.version),
            package.elf_files,
            package.bytes,
            package.files.empty() ? " {}" : ""
        );
        for (const auto& [path, archs] : package.files) {
            text += fmt::format("      {}:\n", yaml_text(printable(path)));
            for (const auto& [arch, locked] : archs) {
                text += arch_line(arch, locked);
            }
        }
    }
    return text;
}

}  // namespace wheelforge::wheel
