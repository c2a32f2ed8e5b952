// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include <utility>

#include "base/text.hpp"

namespace wheelforge {

namespace {

/// Place of a code in the order of importance; a higher one wins.
int weight(ExitCode code) noexcept {
    switch (code) {
    case ExitCode::ok:
        return 0;
    case ExitCode::build_failed:
        return 1;
    case ExitCode::unsatisfiable:
        return 2;
    case ExitCode::usage:
        return 3;
    case ExitCode::refused:
        return 4;
    case ExitCode::surroundings:
        return 5;
    case ExitCode::interrupted:
        return 6;
    case ExitCode::terminated:
        return 7;
    case ExitCode::bug:
        break;
    }
    return 8;
}

/// Further lines of a part stand deeper than any label, so that text from outside cannot look like
/// a line of ours.
void append_part(std::string& out, std::string_view label, std::string_view part) {
    out += label;
    bool first = true;
    for (const auto line : split(part, '\n')) {
        if (!first) {
            out += "\n      ";
        }
        out += printable(line);
        first = false;
    }
}

}  // namespace

ExitCode worse(ExitCode a, ExitCode b) noexcept {
    return weight(a) >= weight(b) ? a : b;
}

Error::Error(ExitCode code, std::string id, std::string message)
    : code_(code), id_(std::move(id)), message_(std::move(message)) {}

Error& Error::doing(std::string context) & {
    context_.push_back(std::move(context));
    return *this;
}

Error&& Error::doing(std::string context) && {
    return std::move(doing(std::move(context)));
}

Error& Error::advise(std::string advice) & {
    advice_.push_back(std::move(advice));
    return *this;
}

Error&& Error::advise(std::string advice) && {
    return std::move(advise(std::move(advice)));
}

std::string Error::render() const {
    std::string out;
    append_part(out, "error: ", message_);
    out += " [" + id_ + "]";
    for (const auto& context : context_) {
        append_part(out, "\n  while ", context);
    }
    for (const auto& advice : advice_) {
        append_part(out, "\n  hint: ", advice);
    }
    return out;
}

}  // namespace wheelforge
