// SPDX-License-Identifier: Apache-2.0
#include "pep/license_list.hpp"

#include "base/error.hpp"
#include "base/resources.hpp"
#include "base/yaml.hpp"
#include "pep/characters.hpp"

namespace wheelforge::pep {

namespace {

constexpr std::string_view list_file = "src/pep/spdx_licenses.yaml";

void add(
    LicenseList::Entries& entries, const yaml::Node& root, std::string_view key, bool deprecated
) {
    const yaml::Node* ids = root.find(key);
    if (ids == nullptr) {
        return;
    }
    for (const std::string& id : ids->as_strings()) {
        entries.emplace(lower(id), LicenseEntry{id, deprecated});
    }
}

LicenseList read() {
    const auto text = resource(list_file);
    if (!text) {
        throw Error(ExitCode::bug, "resource-missing", std::string(list_file) + " is not built in");
    }
    const yaml::Node root = yaml::parse(*text, std::string(list_file));
    LicenseList list;
    if (const yaml::Node* version = root.find("version")) {
        list.version = version->as_string();
    }
    add(list.licenses, root, "licenses", false);
    add(list.licenses, root, "deprecated_licenses", true);
    add(list.exceptions, root, "exceptions", false);
    add(list.exceptions, root, "deprecated_exceptions", true);
    return list;
}

}  // namespace

const LicenseList& LicenseList::get() {
    static const LicenseList list = read();
    return list;
}

}  // namespace wheelforge::pep
