// SPDX-License-Identifier: Apache-2.0
#include "pep/metadata.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "pep/characters.hpp"
#include "pep/metadata_headers.hpp"
#include "pep/name.hpp"

namespace wheelforge::pep {

namespace {

/// distutils wrote this where nobody gave a value.
constexpr std::string_view unknown = "UNKNOWN";

std::string free_text(const std::string& value) {
    return value == unknown ? "" : value;
}

/// A folded value on one line.
std::string unfolded(std::string_view value) {
    std::string line(value);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

class MetadataReader {
public:
    Parsed<Metadata> read(std::vector<MetadataHeader> headers) {
        for (const MetadataHeader& header : headers) {
            if (auto done = read_header(header); !done) {
                return tl::unexpected(std::move(done).error());
            }
        }
        if (made_.name.empty() || made_.version_text.empty()) {
            return parse_error(made_.name.empty() ? "there is no Name" : "there is no Version");
        }
        for (MetadataHeader& header : headers) {
            made_.headers.emplace_back(std::move(header.name), std::move(header.value));
        }
        return std::move(made_);
    }

private:
    using Done = Parsed<void>;

    Done read_header(const MetadataHeader& header) {
        const std::string field = lower(header.name);
        if (auto done = read_identity(field, header); !done) {
            return done;
        }
        if (field == "requires-dist") {
            return read_requirement(header);
        }
        if (field == "provides-extra") {
            made_.provides_extra.push_back(normalize_name(header.value));
        } else if (field == "dynamic") {
            made_.dynamic.push_back(lower(header.value));
        } else if (field == "license-file") {
            made_.license_files.push_back(header.value);
        } else if (field == "project-url") {
            made_.project_urls.push_back(header.value);
        } else if (field == "import-name" && !header.value.empty()) {
            made_.import_names.push_back(header.value);
        } else if (field == "import-namespace") {
            made_.import_namespaces.push_back(header.value);
        } else {
            read_text(field, header.value);
        }
        return {};
    }

    void read_text(const std::string& field, const std::string& value) {
        std::string* target = field == "summary"              ? &made_.summary
                              : field == "license"            ? &made_.license
                              : field == "license-expression" ? &made_.license_expression
                              : field == "home-page"          ? &made_.home_page
                                                              : nullptr;
        if (target != nullptr && target->empty()) {
            *target = free_text(value);
        }
    }

    /// The fields that may stand there only once and must be right.
    Done read_identity(const std::string& field, const MetadataHeader& header) {
        if (field == "name") {
            return once(made_.name, header, &MetadataReader::check_name);
        }
        if (field == "version") {
            return once(made_.version_text, header, &MetadataReader::check_version);
        }
        if (field == "metadata-version") {
            return once(made_.metadata_version, header, &MetadataReader::check_metadata_version);
        }
        if (field == "requires-python") {
            return once(requires_python_, header, &MetadataReader::check_requires_python);
        }
        return {};
    }

    Done once(
        std::string& target,
        const MetadataHeader& header,
        Done (MetadataReader::*check)(const std::string&)
    ) {
        if (!target.empty()) {
            return parse_error(header.name + " stands there twice", header.offset);
        }
        target = unfolded(header.value);
        auto done = (this->*check)(target);
        if (!done) {
            return wrong(header, done.error());
        }
        return {};
    }

    Done check_name(const std::string& value) {
        auto name = parse_name(value);
        return name ? Done() : tl::unexpected(std::move(name).error());
    }

    Done check_version(const std::string& value) {
        auto version = Version::parse(value);
        if (!version) {
            return tl::unexpected(std::move(version).error());
        }
        made_.version = *std::move(version);
        return {};
    }

    Done check_metadata_version(const std::string& value) {
        const std::size_t dot = value.find('.');
        const std::string_view major = std::string_view(value).substr(0, dot);
        if (dot == std::string::npos || (major != "1" && major != "2")) {
            return parse_error("metadata of this version cannot be read");
        }
        return {};
    }

    Done check_requires_python(const std::string& value) {
        auto set = SpecifierSet::parse(value);
        if (!set) {
            return tl::unexpected(std::move(set).error());
        }
        made_.requires_python = *std::move(set);
        return {};
    }

    Done read_requirement(const MetadataHeader& header) {
        auto requirement = Requirement::parse(unfolded(header.value));
        if (!requirement) {
            return wrong(header, requirement.error());
        }
        made_.requires_dist.push_back(*std::move(requirement));
        return {};
    }

    static tl::unexpected<ParseError> wrong(const MetadataHeader& header, const ParseError& error) {
        return parse_error(
            header.name + " '" + printable(header.value) + "': " + error.message,
            header.offset + error.offset
        );
    }

    Metadata made_;
    std::string requires_python_;
};

/// (2, 2) of "2.2"; unreadable counts as old.
std::pair<int, int> numbers_of(std::string_view version) {
    const auto parsed = Version::parse(version);
    if (!parsed) {
        return {0, 0};
    }
    const auto number = [&](std::size_t i) {
        return i < parsed->release().size()
                   ? static_cast<int>(
                         std::min<std::uint64_t>(parsed->release()[i].small().value_or(99), 99)
                     )
                   : 0;
    };
    return {number(0), number(1)};
}

}  // namespace

Parsed<Metadata> Metadata::parse(std::string_view text) {
    auto headers = parse_metadata_headers(text);
    if (!headers) {
        return tl::unexpected(std::move(headers).error());
    }
    return MetadataReader().read(*std::move(headers));
}

bool Metadata::is_static(std::string_view field) const {
    return numbers_of(metadata_version) >= std::pair(2, 2)
           && std::find(dynamic.begin(), dynamic.end(), field) == dynamic.end();
}

}  // namespace wheelforge::pep
