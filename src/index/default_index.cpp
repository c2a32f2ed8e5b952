// SPDX-License-Identifier: Apache-2.0
#include "index/default_index.hpp"

#include "base/answers.hpp"
#include "base/error.hpp"
#include "base/http.hpp"
#include "base/log.hpp"
#include "base/text.hpp"

namespace wheelforge::index {

namespace {

/// Debian's python3 has no pip but keeps the wheel that ensurepip would install; a wheel of pip is
/// importable as it stands.
constexpr const char* question = R"(
import glob, os, sys
def default_index():
    wheels = glob.glob(os.path.join(os.path.dirname(os.__file__), "ensurepip", "_bundled", "pip-*.whl"))
    wheels += glob.glob("/usr/share/python-wheels/pip-*.whl")
    for wheel in [None] + wheels:
        if wheel:
            sys.path.insert(0, wheel)
        try:
            from pip._internal.models.index import PyPI
            return PyPI.simple_url
        except Exception:
            for name in [n for n in sys.modules if n == "pip" or n.startswith("pip.")]:
                del sys.modules[name]
    return ""
print(sys.prefix)
print(default_index())
)";

}  // namespace

std::optional<PipOfInterpreter>
ask_interpreter(const std::filesystem::path& interpreter, const Environment& env) {
    Launch launch;
    launch.argv = {interpreter.string(), "-I", "-B", "-c", question};
    launch.env = env;
    launch.cwd = "/";
    launch.timeout = std::chrono::seconds(30);
    launch.capture_limit = 64U << 10U;
    const auto identity = answers::identity_of(interpreter);
    const auto remembered = "default index\n" + identity.value_or("") + "\n" + question;
    ProcessResult result;
    try {
        if (const auto known = identity ? answers::recall(remembered) : std::nullopt) {
            result.out = *known;
        } else {
            result = run(launch);
        }
    } catch (const Error& error) {
        log::info(error.render());
        return std::nullopt;
    }
    const auto answer = lines(result.out);
    if (result.exit_code != 0 || answer.size() < 2) {
        log::info(
            "no answer from " + printable(interpreter.string()) + ": " + printable(result.err)
        );
        return std::nullopt;
    }
    const auto index = trim(answer[1]);
    if (identity && origin_of(index)) {
        answers::remember(remembered, result.out);
    }
    return PipOfInterpreter{
        std::string(answer[0]), origin_of(index) ? std::string(index) : std::string()
    };
}

}  // namespace wheelforge::index
