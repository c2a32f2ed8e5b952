// SPDX-License-Identifier: Apache-2.0
#include "cli/one_package.hpp"

#include "base/text.hpp"
#include "config/project_file.hpp"
#include "pep/name.hpp"

namespace wheelforge::cli {

engine::OnePackage parse_package(const std::string& word) {
    const auto equals = word.find("==");
    const auto name = pep::parse_name(trim(std::string_view(word).substr(0, equals)));
    engine::OnePackage package;
    if (name && equals != std::string::npos) {
        if (auto version = pep::Version::parse(trim(std::string_view(word).substr(equals + 2)))) {
            package.version = std::move(*version);
        }
    }
    if (!name || (equals != std::string::npos && !package.version)) {
        throw Error(
            ExitCode::usage, "bad-package", "'" + printable(word) + "' is not NAME or NAME==VERSION"
        );
    }
    package.name = pep::normalize_name(*name);
    return package;
}

engine::BootstrapRequest make_request_for(const std::string& word, InputOptions options) {
    const bool has_files = !options.requirement_files.empty() || !options.constraint_files.empty();
    if (has_files || !config::ProjectFile::load_if_there()) {
        options.requirements = {word};
    }
    return make_request(options);
}

}  // namespace wheelforge::cli
