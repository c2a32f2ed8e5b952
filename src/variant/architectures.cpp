// SPDX-License-Identifier: Apache-2.0
#include "variant/architectures.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "variant/arch_words.hpp"
#include "variant/reading.hpp"

namespace wheelforge::variant {
namespace {

constexpr std::string_view ptx = "+PTX";

/// "9.0a", "9.0a+PTX" of "sm_90a", "90a", "compute_90a"; what is no such thing comes back
/// unchanged.
std::string canonical_cuda(std::string_view written) {
    std::string text(written);
    const bool with_ptx = text.ends_with(ptx);
    if (with_ptx) {
        text.resize(text.size() - ptx.size());
    }
    const bool is_virtual = text.starts_with("compute_");
    if (is_virtual || text.starts_with("sm_")) {
        text.erase(0, text.find('_') + 1);
    }
    const bool dotted = text.find('.') != std::string::npos;
    const auto digits = text.find_first_not_of("0123456789");
    const auto count = digits == std::string::npos ? text.size() : digits;
    if (!dotted && count >= 2) {
        text.insert(count - 1, ".");
    }
    return text + std::string(with_ptx || is_virtual ? ptx : "");
}

/// "9.0" and "9.0+PTX" are one architecture: the list has it once, with PTX if either has.
void add_arch(std::vector<std::string>& archs, std::string arch) {
    const auto without_ptx = [](std::string_view text) {
        return text.substr(0, text.size() - (text.ends_with(ptx) ? ptx.size() : 0));
    };
    const auto same = std::find_if(archs.begin(), archs.end(), [&](const std::string& each) {
        return without_ptx(each) == without_ptx(arch);
    });
    if (same == archs.end()) {
        archs.push_back(std::move(arch));
    } else if (arch.ends_with(ptx)) {
        *same = std::move(arch);
    }
}

Error unknown_arch(const Architectures& table, std::string_view written, std::string_view where) {
    std::vector<std::string> names;
    for (const auto& chip : table.chips) {
        names.push_back(chip.arch);
    }
    Error error(
        ExitCode::usage,
        "unknown-arch",
        fmt::format("{}: there is no architecture '{}'", where, printable(written))
    );
    auto known = names;
    for (const auto& chip : table.chips) {
        known.push_back(chip.family);
        known.insert(known.end(), chip.aliases.begin(), chip.aliases.end());
    }
    const auto near = nearest(
        table.spelling == Spelling::cuda ? canonical_cuda(written) : to_lower(written), known
    );
    if (!near.empty()) {
        error.advise("did you mean " + join(near, ", ") + "?");
    }
    error.advise("architectures: " + join(names, ", "));
    return error;
}

/// AMD's features stand in alphabetical order behind the processor: "gfx90a:sramecc+:xnack-".
bool are_features(std::string_view text) {
    std::string_view last;
    for (const auto part : split(text, ':')) {
        const auto name = part.substr(0, part.empty() ? 0 : part.size() - 1);
        const bool known = name == "xnack" || name == "sramecc";
        if (!known || (part.back() != '+' && part.back() != '-') || name <= last) {
            return false;
        }
        last = name;
    }
    return true;
}

/// Whether what stands behind the base is something that may stand there.
bool is_well_formed(Spelling spelling, std::string_view arch) {
    const auto rest = arch.substr(base_of(arch).size());
    if (rest.empty()) {
        return true;
    }
    if (spelling == Spelling::gfx) {
        return rest.front() == ':' && are_features(rest.substr(1));
    }
    return rest == "a" || rest == "f" || rest == ptx || rest == "a+PTX" || rest == "f+PTX";
}

bool names(const Chip& chip, const std::string& word) {
    return to_lower(chip.family) == word
           || std::find(chip.aliases.begin(), chip.aliases.end(), word) != chip.aliases.end();
}

/// What one word of a list stands for; nothing if it is unknown.
std::vector<std::string> meant_by(const Architectures& table, std::string_view written) {
    if (written == "native") {
        return {"native"};
    }
    std::string arch(written);
    if (table.spelling == Spelling::cuda) {
        arch = canonical_cuda(written);
    }
    if (table.find(arch) != nullptr && is_well_formed(table.spelling, arch)) {
        return {arch};
    }
    std::vector<std::string> members;
    for (const auto& chip : table.chips) {
        if (names(chip, to_lower(written))) {
            members.push_back(chip.arch);
        }
    }
    return members;
}

std::string undotted(std::string_view arch) {
    std::string text(arch);
    if (text.ends_with(ptx)) {
        text.resize(text.size() - ptx.size());
    }
    std::erase(text, '.');
    return text;
}

std::string rendered(const Architectures& table, const std::string& arch, ArchVariable::Form form) {
    using Form = ArchVariable::Form;
    const bool cuda = table.spelling == Spelling::cuda;
    if (form == Form::family) {
        const auto* chip = table.find(arch);
        return chip == nullptr ? arch : chip->family;
    }
    if (!cuda || form == Form::canonical) {
        return arch;
    }
    return undotted(arch) + (form == Form::cmake && !arch.ends_with(ptx) ? "-real" : "");
}

ArchVariable::Form form_of(const yaml::Node& node) {
    using Form = ArchVariable::Form;
    const std::string& text = node.as_string();
    if (text == "undotted") {
        return Form::undotted;
    }
    if (text == "cmake") {
        return Form::cmake;
    }
    if (text == "family") {
        return Form::family;
    }
    if (text != "canonical") {
        throw bad_value(node, "expected canonical, undotted, cmake or family");
    }
    return Form::canonical;
}

Chip read_chip(const std::string& arch, const yaml::Node& node) {
    node.only_keys(
        {"chips", "isa", "family", "generic", "fallback", "aliases", "since", "until", "source"},
        "an architecture"
    );
    Chip chip;
    chip.arch = arch;
    chip.origin = origin_of_key(node);
    chip.chips = text_at(node, "chips");
    chip.isa = text_at(node, "isa");
    chip.family = text_at(node, "family");
    chip.generic = text_at(node, "generic");
    chip.fallback = text_at(node, "fallback");
    chip.aliases = texts_at(node, "aliases");
    chip.since = version_at(node, "since");
    chip.until = version_at(node, "until");
    return chip;
}

void read_chips(const yaml::Node& node, Architectures& architectures) {
    for (const auto& [arch, value] : node.as_mapping()) {
        auto chip = read_chip(arch, value);
        const auto old = std::find_if(
            architectures.chips.begin(),
            architectures.chips.end(),
            [&name = arch](const Chip& each) { return each.arch == name; }
        );
        if (old == architectures.chips.end()) {
            architectures.chips.push_back(std::move(chip));
        } else {
            *old = std::move(chip);
        }
    }
}

Spelling spelling_of(const yaml::Node& node) {
    const std::string& text = node.as_string();
    if (text == "gfx") {
        return Spelling::gfx;
    }
    if (text == "cuda") {
        return Spelling::cuda;
    }
    if (text != "plain") {
        throw bad_value(node, "expected gfx, cuda or plain");
    }
    return Spelling::plain;
}

}  // namespace

const Chip* Architectures::find(std::string_view arch) const {
    const std::string base = base_of(arch);
    const auto found = std::find_if(chips.begin(), chips.end(), [&](const Chip& chip) {
        return chip.arch == base;
    });
    return found == chips.end() ? nullptr : &*found;
}

std::string base_of(std::string_view arch) {
    if (!arch.empty() && std::isdigit(static_cast<unsigned char>(arch.front())) != 0) {
        return std::string(arch.substr(0, arch.find_first_not_of("0123456789.")));
    }
    return std::string(arch.substr(0, arch.find(':')));
}

std::vector<std::string> arch_words(std::span<const std::string> lists) {
    std::vector<std::string> words;
    for (std::string list : lists) {
        std::replace_if(list.begin(), list.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
        for (const auto word : split(list, ' ')) {
            if (!trim(word).empty()) {
                words.emplace_back(trim(word));
            }
        }
    }
    return words;
}

bool has_arch(const Architectures& architectures, const std::string& word) {
    return !architectures.empty() && !meant_by(architectures, word).empty();
}

std::string example_arch(const Architectures& architectures) {
    const Chip* best = nullptr;
    for (const auto& chip : architectures.chips) {
        if (!chip.until && (best == nullptr || chip.aliases.size() >= best->aliases.size())) {
            best = &chip;
        }
    }
    return best == nullptr ? "LIST" : best->arch;
}

std::vector<std::string> parse_arch_lists(
    const Architectures& architectures, std::span<const std::string> lists, std::string_view where
) {
    std::vector<std::string> archs;
    for (const auto& word : arch_words(lists)) {
        auto meant = meant_by(architectures, word);
        if (meant.empty()) {
            throw unknown_arch(architectures, word, where);
        }
        for (auto& arch : meant) {
            add_arch(archs, std::move(arch));
        }
    }
    return archs;
}

std::string
render(const Architectures& table, std::span<const std::string> archs, const ArchVariable& as) {
    std::vector<std::string> words;
    for (const auto& arch : archs) {
        auto word = rendered(table, arch, as.form);
        if (std::find(words.begin(), words.end(), word) == words.end()) {
            words.push_back(std::move(word));
        }
    }
    return join(words, as.separator);
}

ArchVariable read_arch_variable(const yaml::Node& node) {
    node.only_keys({"name", "separator", "form"}, "a variable for architectures");
    ArchVariable variable;
    variable.name = variable_name_at(node, "name");
    variable.separator = text_at(node, "separator");
    variable.origin = origin_of(node);
    if (const auto* form = given(node, "form")) {
        variable.form = form_of(*form);
    }
    return variable;
}

void read_architectures(const yaml::Node& node, Architectures& architectures) {
    node.only_keys(
        {"spelling", "chips", "default", "variables", "detect", "unset_means"}, "architectures"
    );
    if (const auto* unset = given(node, "unset_means")) {
        if (unset->as_string() != "native" && unset->as_string() != "default") {
            throw bad_value(*unset, "expected native or default");
        }
        architectures.unset_is_native = unset->as_string() == "native";
    }
    if (const auto* spelling = given(node, "spelling")) {
        architectures.spelling = spelling_of(*spelling);
    }
    if (const auto* chips = given(node, "chips")) {
        read_chips(*chips, architectures);
    }
    if (const auto* variables = given(node, "variables")) {
        architectures.variables.clear();
        for (const auto& each : variables->as_sequence()) {
            architectures.variables.push_back(read_arch_variable(each));
        }
    }
    if (const auto* detect = given(node, "detect")) {
        detect->only_keys({"command", "pattern"}, "detect");
        architectures.detect = texts_at(*detect, "command");
        architectures.detect_pattern = pattern_at(*detect, "pattern");
    }
    if (const auto* defaults = given(node, "default")) {
        architectures.defaults =
            parse_arch_lists(architectures, defaults->as_strings(), defaults->position.text());
    }
}

}  // namespace wheelforge::variant
