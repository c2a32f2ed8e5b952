// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "wheel/inspect.hpp"
#include "wheel/weights.hpp"

namespace wheelforge::wheel {

namespace {

Json code_json(const DeviceCode& code) {
    Json kernels = Json::array();
    for (const auto& [name, body] : code.kernels) {
        kernels.push_back(name);
    }
    return Json{
        {"arch", code.arch},
        {"format", code.format},
        {"objects", code.objects},
        {"kernels", std::move(kernels)},
        {"empty_kernels", code.empty_kernels()},
        {"bytes", code.bytes},
        {"stored_bytes", code.stored_bytes},
        {"details", code.details}
    };
}

Json optional_json(const std::optional<std::string>& text) {
    return text ? Json(*text) : Json(nullptr);
}

Json versions_json(const ElfFacts& elf) {
    Json versions = Json::object();
    for (const char* family : {"GLIBC", "GLIBCXX", "CXXABI", "GCC"}) {
        const std::string highest = elf.highest(family);
        versions[family] = highest.empty() ? Json(nullptr) : Json(highest);
    }
    return versions;
}

Json elf_json(const ElfFacts& elf) {
    return Json{
        {"class", elf.is_64 ? 64 : 32},
        {"endian", elf.big_endian ? "big" : "little"},
        {"machine", machine_name(elf)},
        {"type", elf.type},
        {"soname", elf.soname.empty() ? Json(nullptr) : Json(elf.soname)},
        {"needed", elf.needed},
        {"rpath", optional_json(elf.rpath)},
        {"runpath", optional_json(elf.runpath)},
        {"versions", versions_json(elf)},
        {"undefined", elf.undefined.size()},
        {"exported", elf.exported.size()},
        {"executable_stack", elf.executable_stack},
        {"text_relocations", elf.text_relocations},
        {"relro", elf.relro},
        {"bind_now", elf.bind_now},
        {"section_headers", elf.has_section_headers},
        {"code_bytes", elf.code_bytes},
        {"debug_bytes", elf.debug_bytes},
        {"build_id", elf.build_id.empty() ? Json(nullptr) : Json(elf.build_id)}
    };
}

Json references_json(const DeviceReport& device) {
    Json references = Json::array();
    for (const KpackReference& reference : device.kpack_references) {
        references.push_back(
            Json{{"kernel_name", reference.kernel_name}, {"search_paths", reference.search_paths}}
        );
    }
    return references;
}

Json weights_json(const FileReport& file) {
    Json rows = Json::array();
    for (const Weight& weight : weights_of(file)) {
        rows.push_back(Json{
            {"section", weight.section.empty() ? Json(nullptr) : Json(weight.section)},
            {"arch", weight.arch.empty() ? Json(nullptr) : Json(weight.arch)},
            {"bytes", weight.bytes}
        });
    }
    return rows;
}

Json file_json(const FileReport& file, bool weights) {
    Json code = Json::array();
    for (const DeviceCode& entry : file.device.code) {
        code.push_back(code_json(entry));
    }
    Json json{
        {"path", file.path},
        {"archive", file.archive.empty() ? Json(nullptr) : Json(file.archive)},
        {"size", file.size},
        {"device_code", std::move(code)},
        {"host_kernels", file.device.host_kernels},
        {"failed_kernels", file.device.failed_kernels},
        {"kpack_references", references_json(file.device)},
        {"index_of", file.device.index_files},
        {"elf", file.elf ? elf_json(*file.elf) : Json(nullptr)},
        {"errors", file.device.errors}
    };
    if (weights) {
        json["weights"] = weights_json(file);
    }
    return json;
}

}  // namespace

std::string inspect_json(const InspectReport& report, bool weights) {
    Json files = Json::array();
    for (const FileReport& file : report.files) {
        files.push_back(file_json(file, weights));
    }
    return dump_json(Json{{"format", "wheelforge inspect 1"}, {"files", std::move(files)}});
}

}  // namespace wheelforge::wheel
