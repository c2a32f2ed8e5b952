// SPDX-License-Identifier: Apache-2.0
#include "pep/metadata_rules.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "base/text.hpp"
#include "pep/build_backend.hpp"
#include "pep/characters.hpp"
#include "pep/license.hpp"
#include "pep/name.hpp"

namespace wheelforge::pep {

namespace {

constexpr std::array<std::string_view, 9> metadata_versions{
    "1.0", "1.1", "1.2", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6"
};

struct Field {
    std::string_view name;
    std::string_view since;
    bool repeatable = false;
};

constexpr std::array<Field, 32> fields{{
    {"Metadata-Version", "1.0"},
    {"Name", "1.0"},
    {"Version", "1.0"},
    {"Platform", "1.0", true},
    {"Summary", "1.0"},
    {"Description", "1.0"},
    {"Keywords", "1.0"},
    {"Home-page", "1.0"},
    {"Author", "1.0"},
    {"Author-email", "1.0"},
    {"License", "1.0"},
    {"Supported-Platform", "1.1", true},
    {"Download-URL", "1.1"},
    {"Classifier", "1.1", true},
    {"Requires", "1.1", true},
    {"Provides", "1.1", true},
    {"Obsoletes", "1.1", true},
    {"Maintainer", "1.2"},
    {"Maintainer-email", "1.2"},
    {"Requires-Dist", "1.2", true},
    {"Provides-Dist", "1.2", true},
    {"Obsoletes-Dist", "1.2", true},
    {"Requires-Python", "1.2"},
    {"Requires-External", "1.2", true},
    {"Project-URL", "1.2", true},
    {"Description-Content-Type", "2.1"},
    {"Provides-Extra", "2.1", true},
    {"Dynamic", "2.2", true},
    {"License-Expression", "2.4"},
    {"License-File", "2.4", true},
    {"Import-Name", "2.5", true},
    {"Import-Namespace", "2.5", true},
}};

const Field* find_field(std::string_view name) {
    const auto* const found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) {
        return equal_ignoring_case(field.name, name);
    });
    return found == fields.end() ? nullptr : found;
}

/// Where a version stands in the list; the end for one that is not on it.
auto age(std::string_view version) {
    return std::find(metadata_versions.begin(), metadata_versions.end(), version);
}

class Checker {
public:
    explicit Checker(const Metadata& metadata) : metadata_(metadata) {}

    std::vector<MetadataProblem> run() {
        check_version();
        check_presence();
        check_license();
        check_license_files();
        check_dynamic();
        check_extras();
        check_imports();
        return std::move(problems_);
    }

private:
    void add(std::string_view field, std::string message) {
        problems_.push_back({std::string(field), std::move(message)});
    }

    void check_version() {
        if (age(metadata_.metadata_version) == metadata_versions.end()) {
            add("Metadata-Version",
                "'" + printable(metadata_.metadata_version) + "' is no version of core metadata");
        }
    }

    void check_presence() {
        std::map<const Field*, int> counts;
        for (const auto& [name, value] : metadata_.headers) {
            const Field* field = find_field(name);
            if (field == nullptr) {
                add(printable(name), "core metadata has no such field");
            } else if (++counts[field] == 2 && !field->repeatable) {
                add(field->name, "stands there more than once");
            } else if (counts[field] == 1 && age(field->since) > age(metadata_.metadata_version)) {
                add(field->name, "needs metadata " + std::string(field->since));
            }
        }
        if (metadata_.summary.find('\n') != std::string::npos) {
            add("Summary", "must be one line");
        }
    }

    void check_license() {
        const std::string& expression = metadata_.license_expression;
        if (expression.empty()) {
            return;
        }
        if (const auto parsed = LicenseExpression::parse(expression); !parsed) {
            add("License-Expression", parsed.error().message);
        } else if (parsed->text != expression) {
            add("License-Expression", "should be written '" + parsed->text + "'");
        }
        if (!metadata_.license.empty()) {
            add("License", "must not stand beside License-Expression");
        }
    }

    void check_license_files() {
        for (const std::string& path : metadata_.license_files) {
            const bool plain = path.find_first_of("*\\") == std::string::npos
                               && path.find("..") == std::string::npos
                               && path.find(':') == std::string::npos;
            if (!plain || !stays_in_tree(path)) {
                add("License-File",
                    "'" + printable(path) + "' must be a relative path with '/', without '..'");
            }
        }
    }

    void check_dynamic() {
        for (const std::string& name : metadata_.dynamic) {
            const Field* field = find_field(name);
            if (field == nullptr) {
                add("Dynamic", "'" + printable(name) + "' is no field of core metadata");
            } else if (name == "name" || name == "version" || name == "metadata-version") {
                add("Dynamic", "'" + name + "' must be static");
            }
        }
    }

    void check_extras() {
        for (const auto& [name, value] : metadata_.headers) {
            if (!equal_ignoring_case(name, "Provides-Extra")) {
                continue;
            }
            if (!is_valid_name(value)) {
                add("Provides-Extra", "'" + printable(value) + "' is no name of an extra");
            } else if (age(metadata_.metadata_version) >= age("2.3")
                       && normalize_name(value) != value) {
                add("Provides-Extra", "should be written '" + normalize_name(value) + "'");
            }
        }
    }

    void check_imports() {
        std::set<std::string> names;
        for (const auto& [field, value] : metadata_.headers) {
            const bool is_namespace = equal_ignoring_case(field, "Import-Namespace");
            const bool says_none = value.empty() && !is_namespace;
            if ((!is_namespace && !equal_ignoring_case(field, "Import-Name")) || says_none) {
                continue;
            }
            const ImportName import = parse_import_name(value);
            if (!is_dotted_name(import.name) || !import.valid_option) {
                add(find_field(field)->name,
                    "'" + printable(value) + "' must be a module, or a module and '; private'");
            } else if (!names.insert(import.name).second) {
                add(find_field(field)->name, "'" + import.name + "' is named twice");
            }
        }
    }

    struct ImportName {
        std::string name;
        bool valid_option = true;
    };

    static ImportName parse_import_name(std::string_view value) {
        const std::size_t semicolon = value.find(';');
        const bool has_option = semicolon != std::string_view::npos;
        return {
            std::string(trim(value.substr(0, semicolon))),
            !has_option || trim(value.substr(semicolon + 1)) == "private"
        };
    }

    const Metadata& metadata_;
    std::vector<MetadataProblem> problems_;
};

}  // namespace

std::vector<MetadataProblem> check_metadata(const Metadata& metadata) {
    return Checker(metadata).run();
}

}  // namespace wheelforge::pep
