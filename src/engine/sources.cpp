// SPDX-License-Identifier: Apache-2.0
#include "engine/sources.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/archive.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "config/tree_requirements.hpp"
#include "engine/file_trust.hpp"
#include "pep/requirement_credentials.hpp"
#include "source/patching.hpp"
#include "source/sdist_memo.hpp"

namespace wheelforge::engine {
namespace {

constexpr std::string_view facts_kind = "sdist-facts-1";
constexpr std::string_view requires_kind = "dynamic-requires-1";
constexpr std::string_view metadata_kind = "metadata-1";
constexpr std::string_view prepared_kind = "prepared-metadata-1";
constexpr std::string_view requires_from_kind = "requires-from-1";

/// How we build; raised when the same inputs would give another wheel.
constexpr std::string_view build_protocol = "1";

/// Everything a worker needs to prepare a source, by value or const.
struct Work {
    plugin::PackageId id;
    index::DistributionFile file;
    config::PackageSettings settings;
    const plugin::Toolbox& tools;
    const plugin::Recipe& recipe;
    FileTrust trust;
    const VariantHere& here;
    bool versions_only = false;
};

std::string build_dir(const config::PackageSettings& settings) {
    return settings.build_dir ? settings.build_dir->value : std::string();
}

source::SdistFacts inspect(
    const Work& work,
    const std::filesystem::path& archive,
    const std::vector<config::PatchFile>& patches
) {
    const auto folder = build_dir(work.settings);
    auto facts = source::inspect_sdist(archive, work.id.name, work.id.version, folder);
    if (patches.empty()) {
        return facts;
    }
    const auto scratch = work.tools.store.scratch();
    return source::inspect_patched(std::move(facts), archive, patches, scratch.path(), folder);
}

/// The facts of the archive, from memory when its digest is known beforehand.
std::pair<std::string, std::shared_ptr<const source::SdistFacts>> find_facts(const Work& work) {
    const auto patches = config::patches_for(work.settings.patches, work.id.version);
    auto what = "\n" + build_dir(work.settings);
    for (const auto& patch : patches) {
        what += "\n" + patch.sha256;
    }
    const auto memo_key = [&](const std::string& digest) { return sha256(digest + what); };
    const auto stated = work.file.hashes.find("sha256");
    if (stated != work.file.hashes.end()) {
        if (const auto json = work.tools.store.recall(facts_kind, memo_key(stated->second))) {
            if (auto facts = source::facts_from_json(*json)) {
                return {
                    stated->second, std::make_shared<const source::SdistFacts>(std::move(*facts))
                };
            }
        }
    }
    const auto archive = work.recipe.source(work.id, work.file, work.tools);
    auto facts = inspect(work, archive.path, patches);
    work.tools.store.remember(facts_kind, memo_key(archive.sha256), source::facts_to_json(facts));
    return {archive.sha256, std::make_shared<const source::SdistFacts>(std::move(facts))};
}

std::vector<pep::Requirement>
applicable(const std::vector<pep::Requirement>& requirements, const pep::Target& target) {
    std::vector<pep::Requirement> result;
    for (const auto& requirement : requirements) {
        if (!requirement.marker || requirement.marker->evaluate(target.markers)) {
            result.push_back(requirement);
        }
    }
    return result;
}

store::Inputs plan_inputs(const PreparedSource& source, const plugin::Toolbox& tools) {
    store::Inputs inputs;
    inputs.add("protocol", "wheelforge", build_protocol);
    inputs.add("name", source.id.name, source.id.version.text());
    inputs.add("source", "sha256", source.sha256);
    inputs.add("interpreter", "digest", tools.interpreter.digest);
    for (const auto& line : source.settings.inputs()) {
        inputs.add("setting", "line", line);
    }
    for (const auto& variable : source.variables) {
        inputs.add("variable", variable.name, variable.value);
    }
    for (const auto& line : source.environment.inputs) {
        inputs.add("variant", "line", line);
    }
    for (const auto& input : source.supplement.inputs) {
        inputs.add(input.kind, input.name, input.value);
    }
    for (const auto& passed : tools.passed_variables) {
        const auto name = passed.substr(0, passed.find('='));
        const auto value = tools.callers_environment.find(name);
        inputs.add(
            "passed",
            name,
            name != passed                             ? passed.substr(name.size() + 1)
            : value != tools.callers_environment.end() ? value->second
                                                       : ""
        );
    }
    for (const auto& patch : config::patches_for(source.settings.patches, source.id.version)) {
        inputs.add("patch", patch.filename, patch.sha256);
    }
    if (const auto tag = source.settings.build_tag(source.id.version); tag > 0) {
        inputs.add("build-tag", "number", std::to_string(tag));
    }
    for (const auto& requirement : source.build_requires) {
        const auto text = pep::without_credentials(requirement).text();
        inputs.add("build-requires", requirement.name, text);
    }
    return inputs;
}

std::optional<pep::Metadata>
recall_metadata(const store::Store& store, std::string_view kind, const std::string& plan_key) {
    const auto json = store.recall(kind, plan_key);
    if (!json) {
        return std::nullopt;
    }
    const auto value = parse_json(*json);
    if (!value || !value->is_string()) {
        return std::nullopt;
    }
    auto metadata = pep::Metadata::parse(value->get<std::string>());
    return metadata ? std::optional(std::move(*metadata)) : std::nullopt;
}

/// The texts of a tree's requirements files, from the folder that one of them is in.
std::vector<std::string> tree_requirements(const Work& work, const std::string& path) {
    const auto folder = path.substr(0, path.rfind('/') + 1);
    const auto archive = work.recipe.source(work.id, work.file, work.tools);
    const auto peek = peek_archive(archive.path, [&](std::string_view name) {
        return name == path || (name.starts_with(folder) && name.ends_with(".txt"));
    });
    std::map<std::string, std::string> files;
    for (const auto& member : peek.members) {
        files.emplace(member.name, member.content);
    }
    std::vector<std::string> texts;
    for (const auto& requirement :
         config::read_tree_requirements(path, [&](const std::string& name) {
             const auto file = files.find(name);
             return file == files.end() ? std::nullopt : std::optional(file->second);
         })) {
        texts.push_back(requirement.text());
    }
    return texts;
}

/// What settings name by requires_from, read once for each archive.
std::optional<std::vector<pep::Requirement>>
read_requires_from(const Work& work, const std::string& digest) {
    const auto& path = work.settings.resolution.requires_from;
    if (!path) {
        return std::nullopt;
    }
    const auto key = sha256(digest + "\n" + path->value);
    std::vector<std::string> texts;
    if (const auto json = work.tools.store.recall(requires_from_kind, key)) {
        texts = parse_json(*json)->get<std::vector<std::string>>();
    } else {
        texts = tree_requirements(work, path->value);
        work.tools.store.remember(requires_from_kind, key, dump_json(Json(texts)));
    }
    std::vector<pep::Requirement> requirements;
    for (const auto& text : texts) {
        if (auto requirement = pep::Requirement::parse(text)) {
            requirements.push_back(std::move(*requirement));
        }
    }
    return requirements;
}

/// What a direct reference says about where its project lies counts as a setting.
config::PackageSettings
settings_of(const Catalog::Version& version, config::PackageSettings settings) {
    if (!version.subdirectory.empty()) {
        settings.build_dir = {version.subdirectory, "#subdirectory= of its URL"};
    }
    return settings;
}

std::vector<std::string> names_of(const std::vector<pep::Requirement>& requirements) {
    std::vector<std::string> names;
    for (const auto& requirement : requirements) {
        names.push_back(requirement.name);
    }
    return names;
}

std::vector<resolve::Wanted> build_constraints(const Work& work) {
    std::vector<resolve::Wanted> constraints;
    for (const auto& rule : work.settings.rules.build_constraints) {
        if (variant::applies(rule.scope, work.here.variant, work.id.version)) {
            const auto why = rule.because.empty() ? "" : ": " + rule.because;
            constraints.push_back(
                {rule.requirement, {resolve::Origin::Kind::constraint, rule.origin + why}}
            );
        }
    }
    return constraints;
}

/// What is wrong whatever its source requires is told before that is fetched.
void refuse_early(const Work& work) {
    const auto environment =
        environment_of(work.here, work.settings, work.id.version, work.tools.passed_variables);
    const bool is_of_toolchain = std::any_of(
        environment.problems.begin(),
        environment.problems.end(),
        [](const EnvironmentProblem& problem) { return problem.id.starts_with("toolchain-"); }
    );
    if (!is_of_toolchain) {  // that may come with the build's own requirements
        refuse_problems(environment, work.id.text());
    }
}

SourcePtr prepare(const Work& work) {
    auto source = std::make_shared<PreparedSource>();
    source->id = work.id;
    source->file = work.file;
    if (!work.versions_only) {
        refuse_early(work);
    }
    std::tie(source->sha256, source->facts) = find_facts(work);
    check_trust(work.trust, work.file, source->sha256, work.tools, [&] {
        return work.recipe.source(work.id, work.file, work.tools).path;
    });
    source->build_requires = applicable(
        work.settings.build.build_requires(source->facts->pyproject.build_system.requires_),
        work.tools.interpreter.target
    );
    source->build_constraints = build_constraints(work);
    source->environment = environment_of(
        work.here,
        work.settings,
        work.id.version,
        work.tools.passed_variables,
        names_of(source->build_requires)
    );
    if (!work.versions_only) {
        refuse_problems(source->environment, work.id.text());
    }
    source->settings = with_environment(work.settings, source->environment);
    source->variables = work.recipe.env(work.id, source->settings);
    source->requires_from = read_requires_from(work, source->sha256);
    if (work.settings.builder.value == config::Builder::pip) {
        for (const auto* need : {"pip", "setuptools", "wheel"}) {
            source->build_requires.push_back(*pep::Requirement::parse(need));
        }
    }
    source->supplement = work.recipe.supplement(
        {source->id, source->file, source->sha256, *source->facts, source->settings}, work.tools
    );
    source->plan_inputs = plan_inputs(*source, work.tools);
    source->plan_key = source->plan_inputs.key();
    source->known_metadata = recall_metadata(work.tools.store, metadata_kind, source->plan_key);
    source->prepared_metadata = recall_prepared_metadata(work.tools.store, source->plan_key);
    return source;
}

}  // namespace

Sources::Sources(
    Loop& loop,
    Pool& pool,
    const Catalog& catalog,
    const BootstrapRequest& request,
    const plugin::Toolbox& tools,
    const plugin::Registry& recipes
)
    : loop_(loop), pool_(pool), catalog_(catalog), request_(request), tools_(tools),
      recipes_(recipes) {}

void Sources::want(const plugin::PackageId& id, Ready ready) {
    Slot& slot = slots_[id];
    if (slot.source || slot.failure) {
        ready(slot.source, slot.failure);
        return;
    }
    slot.waiting.push_back(std::move(ready));
    if (std::exchange(slot.asked, true)) {
        return;
    }
    const auto* version = catalog_.find(id.name, id.version);
    if (version == nullptr || !version->file) {
        throw Error(ExitCode::bug, "pin-without-file", id.text() + " was pinned without a file");
    }
    loop_.expect();
    pool_.submit([this,
                  work = Work{
                      id,
                      *version->file,
                      settings_of(*version, request_.settings.package(id.name)),
                      tools_,
                      recipes_.recipe_for(id.name),
                      trust_in(request_, id.name),
                      request_.here,
                      request_.versions_only
                  }] {
        SourcePtr source;
        std::exception_ptr failure;
        try {
            source = while_doing(
                [&] { return "preparing the source of " + work.id.text(); },
                [&] { return prepare(work); }
            );
        } catch (...) {
            failure = std::current_exception();
        }
        loop_.answer([this, id = work.id, source, failure] {
            Slot& answered = slots_.at(id);
            answered.source = source;
            answered.failure = failure;
            for (auto& waiter : std::exchange(answered.waiting, {})) {
                waiter(source, failure);
            }
        });
    });
}

SourcePtr Sources::find(const plugin::PackageId& id) const {
    const auto slot = slots_.find(id);
    return slot == slots_.end() ? nullptr : slot->second.source;
}

std::optional<std::vector<std::string>>
recall_dynamic_requires(const store::Store& store, const std::string& plan_key) {
    const auto json = store.recall(requires_kind, plan_key);
    if (!json) {
        return std::nullopt;
    }
    const auto value = parse_json(*json);
    if (!value || !value->is_array()) {
        return std::nullopt;
    }
    return value->get<std::vector<std::string>>();
}

void remember_dynamic_requires(
    const store::Store& store,
    const std::string& plan_key,
    const std::vector<std::string>& requires_
) {
    store.remember(requires_kind, plan_key, dump_json(Json(requires_)));
}

void remember_metadata(
    const store::Store& store, const std::string& plan_key, std::string_view metadata_text
) {
    store.remember(metadata_kind, plan_key, dump_json(Json(std::string(metadata_text))));
}

std::optional<pep::Metadata>
recall_prepared_metadata(const store::Store& store, const std::string& plan_key) {
    return recall_metadata(store, prepared_kind, plan_key);
}

void remember_prepared_metadata(
    const store::Store& store, const std::string& plan_key, std::string_view metadata_text
) {
    store.remember(prepared_kind, plan_key, dump_json(Json(std::string(metadata_text))));
}

}  // namespace wheelforge::engine
