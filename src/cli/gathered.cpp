// SPDX-License-Identifier: Apache-2.0
#include "cli/gathered.hpp"

#include <optional>

#include "base/error.hpp"
#include "base/http.hpp"
#include "base/text.hpp"
#include "build/interpreter.hpp"
#include "config/project_file.hpp"
#include "index/pip_config.hpp"
#include "index/remote_text.hpp"

namespace wheelforge::cli {
namespace {

constexpr std::uint64_t longest_file = 16U << 20U;

/// Files behind URLs, with certificates, proxies and credentials as pip is configured for. Most
/// runs name none, so the client comes with the first.
class Remote {
public:
    explicit Remote(const InputOptions& options) : options_(options) {}

    std::string fetch(const std::string& url) {
        if (options_.offline) {
            throw Error(
                ExitCode::surroundings,
                "offline-missing",
                masked_url(url) + " is not on this machine, and the run is offline"
            )
                .advise("name a copy of the file, or leave --offline out");
        }
        if (!client_) {
            client_.emplace(transport());
        }
        return index::fetch_text(*client_, url, longest_file);
    }

private:
    [[nodiscard]] HttpSettings transport() const {
        const auto environment = current_environment();
        index::PipConfigInput input;
        input.env = environment_for_pip(environment, options_.no_config);
        const auto path = environment.find("PATH");
        input.interpreter =
            build::probe_interpreter(options_.python, path == environment.end() ? "" : path->second)
                .executable;
        input.no_index = options_.no_index;
        if (!options_.index_url.empty()) {
            input.index_urls = {options_.index_url};
        }
        input.extra_index_urls = options_.extra_index_urls;
        return index::pip_index_settings(input).http;
    }

    const InputOptions& options_;
    std::optional<HttpClient> client_;
};

void append(std::vector<config::RequirementLine>& lines, const config::RequirementsFile& file) {
    lines.insert(lines.end(), file.requirements.begin(), file.requirements.end());
    lines.insert(lines.end(), file.constraints.begin(), file.constraints.end());
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
    list.insert(list.end(), more.begin(), more.end());
}

void take(Gathered& gathered, const config::RequirementsFile& file) {
    gathered.roots.insert(gathered.roots.end(), file.requirements.begin(), file.requirements.end());
    gathered.constraints.insert(
        gathered.constraints.end(), file.constraints.begin(), file.constraints.end()
    );
    if (!file.index_urls.empty()) {
        gathered.index_urls = file.index_urls;
    }
    append(gathered.extra_index_urls, file.extra_index_urls);
    append(gathered.find_links, file.find_links);
    append(gathered.trusted_hosts, file.trusted_hosts);
    append(gathered.only_binary, file.only_binary);
    gathered.no_index = gathered.no_index || file.no_index;
    gathered.prereleases = gathered.prereleases || file.allow_prereleases;
    gathered.require_hashes = gathered.require_hashes || file.require_hashes;
}

config::RequirementLine word(const std::string& text) {
    auto requirement = pep::Requirement::parse(text);
    if (!requirement) {
        throw Error(
            ExitCode::usage,
            "bad-requirement",
            "'" + printable(masked_url(text))
                + "' on the command line is no requirement: " + requirement.error().message
        );
    }
    return {std::move(*requirement), "command line", {}};
}

/// wheelforge.yaml of the current folder stands in when the command line names no roots.
void take_project_file(
    Gathered& gathered, const InputOptions& options, const config::FetchText& fetch
) {
    const auto project = options.no_config ? std::nullopt : config::ProjectFile::load_if_there();
    if (!project) {
        throw Error(ExitCode::usage, "nothing-to-do", "nothing says what to build")
            .advise("name requirements: wheelforge bootstrap requests")
            .advise("or a file of them: wheelforge bootstrap -r requirements.txt, or -c "
                    "constraints.txt "
                    "to build every line of it")
            .advise("or write wheelforge.yaml in this folder, with requirements or constraints for "
                    "the variant");
    }
    const auto variant = project->for_variant(options.variants.front());
    for (const auto& file : variant.requirement_files) {
        take(gathered, config::read_requirements_file(file, fetch));
    }
    gathered.roots.insert(
        gathered.roots.end(), variant.requirements.begin(), variant.requirements.end()
    );
    for (const auto& file : variant.constraints) {
        append(gathered.constraints, config::read_constraints_file(file, fetch));
    }
    gathered.settings = variant.settings.value_or("");
    gathered.output = variant.output.value_or("");
    gathered.archs = variant.archs;
}

}  // namespace

Environment environment_for_pip(Environment environment, bool no_config) {
    if (no_config) {
        std::erase_if(environment, [](const auto& variable) {
            return variable.first.starts_with("PIP_");
        });
        environment["PIP_CONFIG_FILE"] = "/dev/null";  // pip's own word for "no files"
    }
    return environment;
}

Gathered gather(const InputOptions& options) {
    Gathered gathered;
    Remote remote(options);
    const config::FetchText fetch = [&remote](const std::string& url) { return remote.fetch(url); };
    for (const auto& text : options.requirements) {
        gathered.roots.push_back(word(text));
    }
    for (const auto& file : options.requirement_files) {
        take(gathered, config::read_requirements_file(file, fetch));
    }
    for (const auto& file : options.constraint_files) {
        append(gathered.constraints, config::read_constraints_file(file, fetch));
    }
    for (const auto& file : options.runtime_constraint_files) {
        append(gathered.runtime_constraints, config::read_constraints_file(file, fetch));
    }
    for (const auto& file : options.build_constraint_files) {
        append(gathered.build_constraints, config::read_constraints_file(file, fetch));
    }
    const bool no_roots = options.requirements.empty() && options.requirement_files.empty();
    if (no_roots && options.constraint_files.empty()) {
        take_project_file(gathered, options, fetch);
    }
    if (no_roots && gathered.roots.empty()) {
        gathered.roots = gathered.constraints;  // every constrained distribution is wanted
    }
    return gathered;
}

}  // namespace wheelforge::cli
