// SPDX-License-Identifier: Apache-2.0
#include "engine/judgement.hpp"

#include <algorithm>
#include <mutex>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "engine/failure.hpp"
#include "engine/findings_json.hpp"
#include "engine/json_place.hpp"
#include "engine/record_read.hpp"
#include "engine/tree_lint.hpp"
#include "wheel/verify/plugin_expectations.hpp"
#include "wheel/verify/verify.hpp"

namespace wheelforge::engine {
namespace {

constexpr std::string_view fit_kind = "fit";
constexpr std::string_view prebuilt_kind = "prebuilt";

/// What its wheel has to serve: what it is compiled for, where that is not what was asked for.
std::vector<wheel::Arch> judged_archs(const BuildTask& task) {
    const auto& archs = task.source->environment.archs;
    const bool as_asked =
        std::all_of(archs.verdicts.begin(), archs.verdicts.end(), [](const auto& verdict) {
            return verdict.compiled_for == verdict.arch;
        });
    if (as_asked) {
        return task.judgement->archs;
    }
    return wheel::parse_arch_list(join(archs.build_for, ";")).value_or(std::vector<wheel::Arch>());
}

wheel::VerifyRequest
request_for(const BuildTask& task, const fs::path& wheel, wheel::BuildFacts build) {
    wheel::VerifyRequest request;
    request.inputs = {wheel};
    request.variant = task.judgement->variant;
    request.archs = judged_archs(task);
    request.policy = task.judgement->policy;
    request.plugins = wheel::plugin_expectations();
    if (task.source->environment.archs.stub) {  // without kernels, as its rule says
        request.plugins[task.source->id.name].kernels = {
            wheel::ConditionalKernels{{}, {}, wheel::Kernels::none}
        };
    }
    request.builds[wheel.filename().string()] = std::move(build);
    if (task.compiled_upstream) {
        request.compiled_upstream.insert(task.source->id.name);
    }
    for (const auto& each : task.environment) {
        request.closure.push_back(each.path);
    }
    return request;
}

std::vector<wheel::Finding> findings_of(const wheel::VerifyRequest& request) {
    std::vector<wheel::Finding> findings;
    for (auto& verdict : wheel::verify(request).wheels) {
        for (auto& finding : verdict.findings) {
            findings.push_back(std::move(finding));
        }
    }
    return findings;
}

/// For those that look at wheels while others are fetched: one at a time, since unpacked libraries
/// take disk and memory, and the cores are for builds.
std::vector<wheel::Finding> findings_in_turn(const wheel::VerifyRequest& request) {
    static std::mutex turn;
    const std::lock_guard lock(turn);
    return findings_of(request);
}

/// What the tree reads and what was set for it, where an accelerator makes that matter.
void lint(const BuildTask& task, const plugin::RawWheel& raw, wheel::SealedWheel& sealed) {
    const bool plain = task.judgement->variant.family == "cpu" && task.source->variables.empty();
    if (plain) {
        return;
    }
    TreeToLint subject;
    subject.tree = wheel::files_of_folder(raw.source_tree);
    subject.family = task.judgement->variant.family;
    subject.own = task.source->variables;
    for (const auto& [name, value] : raw.environment) {
        subject.others.insert(name);
    }
    for (const auto& wheel : task.environment) {
        subject.build_requires.insert(wheel.id.name);
    }
    for (auto& finding : lint_tree(subject)) {
        sealed.findings.push_back(std::move(finding));
    }
}

std::vector<std::string> texts_of(const std::vector<wheel::Arch>& archs) {
    std::vector<std::string> texts;
    for (const auto& arch : archs) {
        texts.push_back(arch.text());
    }
    return texts;
}

Json asked_by(const Judgement& judgement) {
    const auto& variant = judgement.variant;
    return {
        {"program", WHEELFORGE_VERSION},
        {"family", variant.family},
        {"toolkit", variant.toolkit},
        {"oldest_driver", variant.oldest_driver},
        {"variant_archs", texts_of(variant.archs)},
        {"target", {variant.target.glibc, variant.target.libstdcxx, variant.target.cpu}},
        {"provided", variant.provided},
        {"archs", texts_of(judgement.archs)},
        {"policy", judgement.policy.text},
    };
}

/// Stands for a wheel and everything that request_for() goes by.
std::string fit_key(const BuildTask& task, const store::Entry& entry) {
    Json closure = Json::array();
    for (const auto& each : task.environment) {
        closure.push_back(each.sha256);
    }
    Json variables = Json::object();
    for (const auto& each : task.source->variables) {
        variables[each.name] = each.value;
    }
    const Json asked = {
        {"asked", asked_by(*task.judgement)},
        {"wheel", entry.sha256},
        {"judged_archs", texts_of(judged_archs(task))},
        {"stub", task.source->environment.archs.stub},
        {"compiled_upstream", task.compiled_upstream},
        {"closure", std::move(closure)},
        {"variables", std::move(variables)},
    };
    return sha256(dump_json(asked));
}

std::vector<wheel::Finding>
judge_prebuilt_now(const Judgement& judgement, const std::string& name, const fs::path& wheel) {
    wheel::VerifyRequest request;
    request.inputs = {wheel};
    request.variant = judgement.variant;
    request.archs = judgement.archs;
    request.policy = judgement.policy;
    request.plugins = wheel::plugin_expectations();
    request.builds[wheel.filename().string()] = {};
    // What would make it useless on the machines that this run builds for.
    request.only = {
        "arch-missing", "declared-build", "glibc-floor", "jit-only", "ptx-too-new", "soname-major"
    };
    auto findings = findings_in_turn(request);
    for (auto& finding : findings) {
        if (judgement.policy.level(name, finding.id) == nullptr) {
            finding.level = std::min(finding.level, wheel::Level::warn);
        }
    }
    return findings;
}

std::optional<std::vector<wheel::Finding>>
recall_findings(const store::Store& store, const std::string& key) {
    const auto text = store.recall(prebuilt_kind, key);
    const auto json = parse_json(text.value_or(""));
    if (!json || !json->is_array()) {
        return std::nullopt;
    }
    std::vector<wheel::Finding> findings;
    JsonPlace(*json).each_element([&](const JsonPlace& each) {
        findings.push_back(read_finding(each));
    });
    return findings;
}

}  // namespace

std::vector<wheel::Finding> judge_prebuilt(
    const Judgement& judgement,
    const std::string& name,
    const fs::path& wheel,
    const std::string& sha256,
    const store::Store& store
) {
    const auto& target = judgement.variant.target;
    const bool asks_nothing = judgement.archs.empty() && judgement.variant.archs.empty()
                              && target.glibc.empty() && target.libstdcxx.empty();
    if (asks_nothing || wheel.filename().string().ends_with("-none-any.whl")) {
        return {};
    }
    const Json asked = {{"asked", asked_by(judgement)}, {"wheel", sha256}};
    const auto key = wheelforge::sha256(dump_json(asked));
    if (auto known = recall_findings(store, key)) {
        return *std::move(known);
    }
    auto findings = judge_prebuilt_now(judgement, name, wheel);
    store.remember(prebuilt_kind, key, dump_json(findings_json(findings)));
    return findings;
}

void judge_built(const BuildTask& task, const plugin::RawWheel& raw, wheel::SealedWheel& sealed) {
    if (sealed.path.empty()) {
        return;
    }
    const auto found = findings_of(request_for(
        task,
        sealed.path,
        {raw.source_tree, raw.environment, task.log, {raw.source_tree.parent_path()}, {}}
    ));
    for (const auto& finding : found) {
        const bool known =
            std::any_of(sealed.findings.begin(), sealed.findings.end(), [&](const auto& each) {
                return each.id == finding.id && each.file == finding.file;
            });
        if (!known) {
            sealed.findings.push_back(finding);
        }
    }
    lint(task, raw, sealed);
}

void set_aside(const BuildTask& task, const fs::path& wheel) {
    if (!wheel.empty()) {
        publish_copy(wheel, task.refused_folder / wheel.filename());
    }
}

void remember_fit(const BuildTask& task, const store::Entry& entry, const store::Store& store) {
    store.remember(fit_kind, fit_key(task, entry), "true");
}

std::optional<Failure>
refuse_unfit(const BuildTask& task, const store::Entry& entry, const store::Store& store) {
    if (store.recall(fit_kind, fit_key(task, entry))) {
        return std::nullopt;
    }
    wheel::BuildFacts build;
    for (const auto& each : task.source->variables) {
        build.environment[each.name] = each.value;
    }
    build.recorded = load_record(entry.record).findings;
    auto findings = findings_in_turn(request_for(task, entry.wheel, std::move(build)));
    if (!wheel::has_errors(findings)) {
        remember_fit(task, entry, store);
        return std::nullopt;
    }
    set_aside(task, entry.wheel);
    return refusal_of(
        std::move(findings), "the wheel that an earlier run built and that would be reused"
    );
}

}  // namespace wheelforge::engine
