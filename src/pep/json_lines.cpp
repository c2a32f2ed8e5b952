// SPDX-License-Identifier: Apache-2.0
#include "pep/json_lines.hpp"

#include <array>
#include <exception>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "pep/json_fields.hpp"

namespace wheelforge::pep {

namespace {

using Answer = Json (*)(const Json&);

constexpr std::array<std::pair<std::string_view, Answer>, 8> answers{{
    {"version", answer_version},
    {"specifier", answer_specifier},
    {"marker", answer_marker},
    {"requirement", answer_requirement},
    {"filename", answer_filename},
    {"tags", answer_tags},
    {"license", answer_license},
    {"build-system", answer_build_system},
}};

Answer answer_for(std::string_view kind) {
    for (const auto& [name, answer] : answers) {
        if (name == kind) {
            return answer;
        }
    }
    throw ParseError{"there is no kind '" + printable(kind) + "'", 0};
}

Json answer_question(std::string_view kind, std::string_view line) {
    const Answer answer = answer_for(kind);
    const auto question = parse_json(line);
    if (!question) {
        throw ParseError{question.error().message, question.error().offset};
    }
    if (!question->is_object()) {
        throw ParseError{"a question is a JSON object", 0};
    }
    return answer(*question);
}

Json refusal(std::string_view message, std::size_t offset) {
    return Json{{"ok", false}, {"error", message}, {"offset", offset}};
}

}  // namespace

std::vector<std::string_view> json_line_kinds() {
    std::vector<std::string_view> kinds;
    kinds.reserve(answers.size());
    for (const auto& [name, answer] : answers) {
        kinds.push_back(name);
    }
    return kinds;
}

std::string answer_json_line(std::string_view kind, std::string_view line) {
    try {
        return dump_json_line(answer_question(kind, line));
    } catch (const ParseError& error) {
        return dump_json_line(refusal(error.message, error.offset));
    } catch (const std::exception& error) {
        return dump_json_line(refusal(error.what(), 0));
    }
}

}  // namespace wheelforge::pep
