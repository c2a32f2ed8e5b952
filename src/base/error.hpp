// SPDX-License-Identifier: Apache-2.0
// The one exception type of the program: thrown where nobody nearby can go on.
//
// A thing that normally happens (a conflict, a failed build, a finding) is a value, not an Error;
// outside text that does not parse is a tl::expected<T, ParseError>. Everything else is an Error:
// what was being done (context, innermost first), what is wrong, and what to do about it. It is
// caught at the worker boundary, the plugin boundary, where a mirror can be tried, and in main.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace wheelforge {

/// Exit codes as documented in docs/cli.md. Several at once: bug > surroundings > refused >
/// unsatisfiable > build_failed (see worse()).
enum class ExitCode : int {
    ok = 0,
    build_failed = 1,   ///< a package's own build failed
    usage = 2,          ///< usage, configuration, or an unmet preflight
    unsatisfiable = 3,  ///< conflict, build cycle, no source
    refused = 4,        ///< hash mismatch, hostile input, failed verification
    surroundings = 5,   ///< index, disk, permission
    bug = 70,           ///< ours
    interrupted = 130,  ///< SIGINT
    terminated = 143,   ///< SIGTERM
};

/// The more important of two codes, for a run in which several things went wrong.
[[nodiscard]] ExitCode worse(ExitCode a, ExitCode b) noexcept;

class Error : public std::exception {
public:
    /// @param id       stable, kebab-case, listed in src/base/errors.yaml (`wheelforge explain ID`)
    /// @param message  what is wrong and where: one sentence, no trailing period or newline
    Error(ExitCode code, std::string id, std::string message);

    /// Adds what was being done ("fetching click 8.1.7 from https://..."), outermost last.
    Error& doing(std::string context) &;
    Error&& doing(std::string context) &&;
    /// Adds what the user can do ("name it in pre_built"). Several are kept in order.
    Error& advise(std::string advice) &;
    Error&& advise(std::string advice) &&;

    [[nodiscard]] ExitCode code() const noexcept { return code_; }
    [[nodiscard]] const std::string& id() const noexcept { return id_; }
    [[nodiscard]] const std::string& message() const noexcept { return message_; }
    [[nodiscard]] const std::vector<std::string>& context() const noexcept { return context_; }
    [[nodiscard]] const std::vector<std::string>& advice() const noexcept { return advice_; }

    /// The whole error as the user reads it, several lines, no colour, no trailing newline:
    ///   error: MESSAGE [ID]
    ///     while CONTEXT
    ///     hint: ADVICE
    [[nodiscard]] std::string render() const;
    [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

private:
    ExitCode code_;
    std::string id_;
    std::string message_;
    std::vector<std::string> context_;
    std::vector<std::string> advice_;
};

/// Runs `work`; an Error that passes through gains `context` (a callable giving a string, only
/// evaluated when needed).
template <typename Context, typename Work>
decltype(auto) while_doing(Context&& context, Work&& work) {
    try {
        return work();
    } catch (Error& error) {
        error.doing(context());
        throw;
    }
}

/// What is wrong with a text from outside, and where.
struct ParseError {
    std::string message;
    std::size_t offset = 0;  ///< bytes from the start of the parsed text
};

}  // namespace wheelforge
