// SPDX-License-Identifier: Apache-2.0
#include "engine/wheel_diff.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "engine/record_read.hpp"
#include "wheel/contents.hpp"

namespace wheelforge::engine {
namespace {

using Digests = std::map<std::string, wheel::FileDigest>;

/// Members by path; the .dist-info folder is called by one name, since it bears the version.
Digests files_of(const wheel::WheelFile& wheel) {
    Digests files;
    for (auto& file : wheel::digest_files(wheel)) {
        auto path = file.name;
        if (path.starts_with(wheel.dist_info() + "/")) {
            path = ".dist-info" + path.substr(wheel.dist_info().size());
        }
        files.emplace(std::move(path), std::move(file));
    }
    return files;
}

bool follows_from_the_rest(const std::string& path) {
    return path == ".dist-info/RECORD" || path.starts_with(".dist-info/sboms/")
           || path.starts_with(".dist-info/wheelforge/");
}

std::vector<MemberChange> compare_members(const Digests& before, const Digests& after) {
    std::vector<MemberChange> changes;
    for (const auto& [path, file] : before) {
        const auto other = after.find(path);
        if (other == after.end()) {
            changes.push_back({path, "removed", file.size, 0});
        } else if (other->second.sha256 != file.sha256) {
            changes.push_back({path, "content", file.size, other->second.size});
        } else if (other->second.executable != file.executable) {
            changes.push_back({path, "mode", file.size, file.size});
        }
    }
    for (const auto& [path, file] : after) {
        if (!before.contains(path)) {
            changes.push_back({path, "added", 0, file.size});
        }
    }
    std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
        return std::pair(follows_from_the_rest(a.path), a.path)
               < std::pair(follows_from_the_rest(b.path), b.path);
    });
    return changes;
}

/// nullopt for a wheel that is not ours; anything else that is no record is an error.
std::optional<Record> record_or_none(const std::filesystem::path& path) {
    try {
        return load_record(path);
    } catch (const Error& error) {
        if (path.extension() == ".whl" && error.id() == "bad-record") {
            return std::nullopt;
        }
        throw;
    }
}

void tell_inputs(std::string& text, const WheelDifference& difference) {
    if (!difference.inputs) {
        text += "inputs: not known, since one of them was not sealed by wheelforge\n";
        return;
    }
    if (difference.inputs->empty()) {
        text += "inputs: the same\n";
        return;
    }
    text += "inputs:\n";
    for (const auto& change : *difference.inputs) {
        text += "  " + printable(change.words) + (change.strong ? "" : "  (weak)") + "\n";
    }
}

}  // namespace

WheelDifference
compare_wheels(const std::filesystem::path& before, const std::filesystem::path& after) {
    WheelDifference difference;
    const auto old_record = record_or_none(before);
    const auto new_record = record_or_none(after);
    if (old_record && new_record) {
        auto matched = old_record->matched;
        matched.insert(new_record->matched.begin(), new_record->matched.end());
        difference.inputs = changes_between(old_record->inputs, new_record->inputs, matched);
    }
    difference.has_members = before.extension() == ".whl" && after.extension() == ".whl";
    if (difference.has_members) {
        difference.same_bytes = sha256_file(before) == sha256_file(after);
        difference.members =
            compare_members(files_of(wheel::WheelFile(before)), files_of(wheel::WheelFile(after)));
    }
    return difference;
}

std::string wheel_difference_answer(const WheelDifference& difference, AnswerFormat format) {
    if (format == AnswerFormat::json) {
        Json inputs = changes_json(difference.inputs.value_or(std::vector<InputChange>()));
        Json members = Json::array();
        for (const auto& member : difference.members) {
            members.push_back(
                {{"path", member.path},
                 {"what", member.what},
                 {"before", member.before},
                 {"after", member.after}}
            );
        }
        return dump_json(Json{
            {"inputs", difference.inputs ? std::move(inputs) : Json(nullptr)},
            {"members", difference.has_members ? std::move(members) : Json(nullptr)},
            {"same_bytes", difference.has_members ? Json(difference.same_bytes) : Json(nullptr)},
        });
    }
    std::string text;
    tell_inputs(text, difference);
    if (!difference.has_members) {
        return text;
    }
    text += difference.same_bytes        ? "members: the same bytes\n"
            : difference.members.empty() ? "members: the same content in another archive\n"
                                         : "members:\n";
    for (const auto& member : difference.members) {
        text += fmt::format("  {:<8}{}", member.what, printable(member.path));
        if (member.what == "content") {
            text += "  " + human_bytes(member.before) + " -> " + human_bytes(member.after);
        }
        text += "\n";
    }
    return text;
}

}  // namespace wheelforge::engine
