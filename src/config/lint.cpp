// SPDX-License-Identifier: Apache-2.0
#include "config/lint.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/core.h>

#include "config/patches.hpp"
#include "pep/name.hpp"

namespace wheelforge::config {

namespace {

namespace fs = std::filesystem;

class Linter {
public:
    explicit Linter(const LintRequest& request) : request_(request) {}

    std::vector<LintFinding> run() {
        read_settings();
        check_file_names();
        check_patches();
        std::stable_sort(findings_.begin(), findings_.end(), [](const auto& a, const auto& b) {
            return a.is_error && !b.is_error;
        });
        return std::move(findings_);
    }

private:
    void add(LintFinding finding) {
        if (seen_.insert(finding.id + finding.message).second) {
            findings_.push_back(std::move(finding));
        }
    }

    void add(const Error& error) { add({error.id(), true, error.message(), error.advice()}); }

    void warn(const char* id, std::string message, std::vector<std::string> advice = {}) {
        add({id, false, std::move(message), std::move(advice)});
    }

    template <typename Check>
    void guard(Check&& check) {
        try {
            check();
        } catch (const Error& error) {
            add(error);
        }
    }

    /// Keys and values are judged once; templates for every variant, since values differ.
    void read_settings() {
        auto sources = request_.sources;
        sources.patches.reset();
        std::vector<Error> problems;
        const auto settings = Settings::load(sources, problems);
        for (const auto& problem : problems) {
            add(problem);
        }
        auto variants = settings.variants();
        check_templates(settings);
        for (const auto& variant : variants) {
            if (!is_known(variant)) {
                warn(
                    "unknown-variant-name",
                    fmt::format("settings for the variant {}, which is not defined", variant),
                    {"define it in variants/" + variant + ".yaml, or mend its spelling"}
                );
            }
            sources.variant_keys = {variant};
            std::vector<Error> same;
            check_templates(Settings::load(sources, same));
        }
    }

    void check_templates(const Settings& settings) {
        for (const auto& [name, package] : settings.packages()) {
            std::map<std::string, std::string> known{{"__version__", "1.0"}};
            for (const auto& variable : package.env) {
                guard([&, &variable = variable] {
                    known[variable.name] = expand(variable.value, known, variable.origin);
                });
                known.try_emplace(variable.name, "");
            }
        }
    }

    void check_file_names() {
        if (!request_.sources.folder) {
            return;
        }
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(*request_.sources.folder, error)) {
            const auto stem = entry.path().stem().string();
            const auto name = pep::parse_name(stem);
            if (entry.path().extension() == ".yaml" && name && pep::filename_form(*name) != stem) {
                warn(
                    "name-not-normalised",
                    fmt::format("{}: Fromager would not find it", entry.path().string()),
                    {fmt::format("call it {}.yaml", pep::filename_form(*name))}
                );
            }
        }
    }

    void check_patches() {
        if (!request_.sources.patches) {
            return;
        }
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(*request_.sources.patches, error)) {
            if (!entry.is_directory() && entry.path().extension() == ".patch") {
                warn(
                    "patch-outside",
                    fmt::format("{}: stands in no package's folder", entry.path().string())
                );
            }
        }
        guard([&] {
            for (const auto& folder : patch_folders(*request_.sources.patches)) {
                check_folder(folder);
            }
        });
    }

    void check_folder(const PatchFolder& folder) {
        if (!folder.is_canonical) {
            warn(
                "name-not-normalised",
                fmt::format("{}: Fromager would not find it", folder.path),
                {"call it " + pep::filename_form(folder.name)
                 + (folder.version ? "-" + folder.version->text() : "")}
            );
        }
        if (folder.version) {
            check_version(folder);
        }
        std::size_t patches = 0;
        for (const auto& entry : fs::directory_iterator(folder.path)) {
            const auto name = entry.path().filename().string();
            patches += entry.is_directory() || entry.path().extension() == ".patch" ? 1 : 0;
            if (entry.is_directory() && !is_known(name)) {
                warn(
                    "unknown-variant-name",
                    fmt::format(
                        "{}: {} is no variant, so nothing here is applied",
                        entry.path().string(),
                        name
                    )
                );
            } else if (entry.path().extension() == ".diff") {
                warn(
                    "patch-not-read", fmt::format("{}: only *.patch is read", entry.path().string())
                );
            }
        }
        if (patches == 0) {
            warn("patch-folder-empty", fmt::format("{}: has no patch", folder.path));
        }
    }

    void check_version(const PatchFolder& folder) {
        for (const auto& line : request_.constraints) {
            const auto& requirement = line.requirement;
            if (requirement.name == folder.name
                && !requirement.specifier.contains(*folder.version)) {
                warn(
                    "patch-version",
                    fmt::format(
                        "{}: is for {}, and {} says {}{}",
                        folder.path,
                        folder.version->text(),
                        line.origin,
                        requirement.name,
                        requirement.specifier.text()
                    ),
                    {"make the patch anew for the pinned version, or remove it"}
                );
            }
        }
    }

    [[nodiscard]] bool is_known(const std::string& variant) const {
        const auto& known = request_.known_variants;
        return std::find(known.begin(), known.end(), variant) != known.end();
    }

    const LintRequest& request_;
    std::vector<LintFinding> findings_;
    std::set<std::string> seen_;
};

}  // namespace

std::vector<LintFinding> lint(const LintRequest& request) {
    return Linter(request).run();
}

}  // namespace wheelforge::config
