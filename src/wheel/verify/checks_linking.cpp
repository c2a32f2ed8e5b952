// SPDX-License-Identifier: Apache-2.0
// What files need of each other: libraries, symbols, and the majors of accelerator libraries.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/verify/accelerator_signs.hpp"
#include "wheel/verify/check.hpp"
#include "wheel/verify/externals.hpp"
#include "wheel/verify/symbol_search.hpp"

namespace wheelforge::wheel {

namespace {

/// Files that the dynamic loader loads.
std::vector<const FileReport*> loadable_files(const Subject& subject) {
    std::vector<const FileReport*> files;
    for (const FileReport& file : subject.files) {
        if (file.elf && file.elf->dynamic) {
            files.push_back(&file);
        }
    }
    return files;
}

bool matches_any(const std::vector<std::string>& globs, std::string_view text) {
    return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
        return glob_matches(glob, text);
    });
}

std::string family_of(const VerifyRequest& request) {
    return request.variant ? request.variant->family : "";
}

class NeededJudge {
public:
    NeededJudge(const CheckContext& context, FindingSink& out)
        : context_(context), out_(out),
          complete_(context.closure.is_complete_for(context.subject)) {}

    void judge(const FileReport& file, const std::string& needed) {
        if (const Library* found = context_.closure.find(needed, context_.subject)) {
            judge_owner(file, needed, *found);
        } else if (const ExternalGroup* group = external_group(needed)) {
            judge_external(file, needed, *group);
        } else if (!is_system_library(needed) && !is_declared(needed)) {
            unresolved(file, needed, "nothing provides it");
        }
    }

private:
    [[nodiscard]] bool is_declared(const std::string& needed) const {
        const auto& variant = context_.request.variant;
        return matches_any(context_.expected.externals, needed)
               || (variant && matches_any(variant->provided, needed));
    }

    void judge_owner(const FileReport& file, const std::string& needed, const Library& found) {
        const Subject& owner = *found.wheel;
        if (&owner != &context_.subject
            && !context_.closure.requires_distribution(context_.subject, owner.name)) {
            out_.add_at(
                Level::warn,
                "needed-unresolved",
                file.path,
                fmt::format(
                    "needs {}, which {} has, but the wheel does not require {}",
                    printable(needed),
                    owner.name,
                    owner.name
                )
            );
        }
    }

    void
    judge_external(const FileReport& file, const std::string& needed, const ExternalGroup& group) {
        const std::string family = family_of(context_.request);
        if (!group.family.empty() && !family.empty() && group.family != family
            && !is_declared(needed)) {
            judge_foreign(file, needed, group, family);
            return;
        }
        const bool required =
            group.requires_.empty() || is_declared(needed)
            || std::any_of(group.requires_.begin(), group.requires_.end(), [&](const auto& name) {
                   return context_.subject.name == name
                          || context_.closure.requires_distribution(context_.subject, name);
               });
        if (!required) {
            out_.add_at(
                Level::warn,
                "needed-unresolved",
                file.path,
                fmt::format(
                    "needs {}, but the wheel requires no {}",
                    printable(needed),
                    join(group.requires_, " or ")
                )
            );
        }
    }

    void judge_foreign(
        const FileReport& file,
        const std::string& needed,
        const ExternalGroup& group,
        const std::string& family
    ) {
        const bool chosen_at_import = has_files_for(context_.subject, family);
        out_.add_at(
            chosen_at_import ? Level::info : Level::error,
            "needed-unresolved",
            file.path,
            fmt::format(
                "needs {} ({}), and the variant is for {}", printable(needed), group.name, family
            )
        );
    }

    void unresolved(const FileReport& file, const std::string& needed, const std::string& why) {
        out_.add_at(
            complete_ ? Level::error : Level::warn,
            "needed-unresolved",
            file.path,
            fmt::format("needs {}: {}", printable(needed), why),
            complete_ ? "declare it under externals: if it comes with the system"
                      : "give the wheels it requires too, to know for sure"
        );
    }

    const CheckContext& context_;
    FindingSink& out_;
    bool complete_;
};

void check_needed(const CheckContext& context, FindingSink& out) {
    NeededJudge judge(context, out);
    for (const FileReport* file : loadable_files(context.subject)) {
        for (const std::string& needed : file->elf->needed) {
            judge.judge(*file, needed);
        }
    }
}

void check_symbols(const CheckContext& context, FindingSink& out) {
    for (const FileReport* file : loadable_files(context.subject)) {
        const SearchScope scope = search_scope(context.closure, context.subject, *file);
        std::vector<std::string> undefined;
        for (const UndefinedSymbol& symbol : file->elf->undefined) {
            const ExternalGroup* group = external_group_of_symbol(symbol.name);
            const bool is_runtime = group != nullptr && !group->family.empty();
            if (!symbol.weak && !is_runtime && fate_of(symbol, scope) == SymbolFate::undefined) {
                undefined.push_back(
                    symbol.version.empty() ? symbol.name : symbol.name + "@" + symbol.version
                );
            }
        }
        if (!undefined.empty()) {
            out.add(
                "undef-symbol",
                file->path,
                fmt::format(
                    "{} symbols that no library in its reach defines: {}",
                    undefined.size(),
                    some_of(undefined)
                ),
                "built against another version of a library, or a library is missing at link time"
            );
        }
    }
}

void check_underlinked(const CheckContext& context, FindingSink& out) {
    for (const FileReport* file : loadable_files(context.subject)) {
        const SearchScope scope = search_scope(context.closure, context.subject, *file);
        std::map<std::string, std::vector<std::string>> by_group;
        for (const UndefinedSymbol& symbol : file->elf->undefined) {
            const ExternalGroup* group = external_group_of_symbol(symbol.name);
            if (group != nullptr && !group->family.empty() && !symbol.weak
                && fate_of(symbol, scope) != SymbolFate::defined) {
                by_group[group->name].push_back(symbol.name);
            }
        }
        for (const auto& [name, symbols] : by_group) {
            const bool linked = std::any_of(
                file->elf->needed.begin(),
                file->elf->needed.end(),
                [&, &group_name = name](const std::string& needed) {
                    const ExternalGroup* group = external_group(needed);
                    return group != nullptr
                           && (group->name == group_name || group->name == "PyTorch");
                }
            );
            if (!linked) {
                out.add(
                    "underlinked",
                    file->path,
                    fmt::format("calls {}, and needs no library of {}", some_of(symbols), name)
                );
            }
        }
    }
}

/// "libcudart.so.12" -> stem "libcudart", version "12".
std::pair<std::string, std::string> split_soname(const std::string& soname) {
    const std::size_t at = soname.find(".so.");
    return at == std::string::npos ? std::pair(soname, std::string())
                                   : std::pair(soname.substr(0, at), soname.substr(at + 4));
}

/// The version of `stem` that the variant's toolkit has; "" if the table does not know.
std::string
right_version(const ExternalGroup& group, const std::string& stem, const VariantFacts& variant) {
    const auto majors = group.sonames.find(stem);
    if (majors == group.sonames.end()) {
        return "";
    }
    const auto version = majors->second.find(std::string(split(variant.toolkit, '.')[0]));
    return version == majors->second.end() ? "" : version->second;
}

void judge_major(
    const CheckContext& context, const FileReport& file, const std::string& needed, FindingSink& out
) {
    const VariantFacts& variant = *context.request.variant;
    const ExternalGroup* group = external_group(needed);
    if (group == nullptr || group->family != variant.family
        || context.closure.find(needed, context.subject) != nullptr) {
        return;
    }
    const auto [stem, version] = split_soname(needed);
    const std::string right = right_version(*group, stem, variant);
    if (right.empty() || version.empty() || right == version) {
        return;
    }
    const std::string wanted = stem + ".so." + right;
    // A wheel may hold one library per toolkit and choose when it is imported.
    const std::vector<const FileReport*> files = loadable_files(context.subject);
    const bool has_alternative =
        std::any_of(files.begin(), files.end(), [&](const FileReport* other) {
            const std::vector<std::string>& list = other->elf->needed;
            return std::find(list.begin(), list.end(), wanted) != list.end();
        });
    out.add_at(
        has_alternative ? Level::info : Level::error,
        "soname-major",
        file.path,
        fmt::format(
            "needs {}, and {} {} has {}", printable(needed), variant.family, variant.toolkit, wanted
        ),
        has_alternative ? "" : "it was built with another toolkit than the variant has"
    );
}

void check_soname_majors(const CheckContext& context, FindingSink& out) {
    if (!context.request.variant || context.request.variant->toolkit.empty()) {
        return;
    }
    for (const FileReport* file : loadable_files(context.subject)) {
        for (const std::string& needed : file->elf->needed) {
            judge_major(context, *file, needed, out);
        }
    }
}

constexpr std::array linking_list = {
    Check{"needed-unresolved", &check_needed},
    Check{"undef-symbol", &check_symbols},
    Check{"underlinked", &check_underlinked},
    Check{"soname-major", &check_soname_majors},
};

}  // namespace

std::span<const Check> linking_checks() {
    return linking_list;
}

}  // namespace wheelforge::wheel
