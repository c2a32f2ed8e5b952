# SPDX-License-Identifier: Apache-2.0
"""Calls the PEP 517 hooks of one build backend.

    python hook_runner.py REQUEST_FD RESPONSE_FD

Speaks JSON, one object a line, over the two descriptors; stdout and stderr belong to the build.
The first request opens the session, the others call a hook each:

    {"protocol": 1, "backend": "package.module:object", "backend_path": ["."]}
    {"protocol": 1, "ready": true}

    {"hook": "build_wheel", "arguments": {"wheel_directory": "...", "config_settings": null}}
    {"result": "x-1.0-py3-none-any.whl", "measure": {"cpu_seconds": 1.5, "peak_rss_bytes": 1}}

A failure answers {"failure": {"exception", "exit_code", "backend_missing"}} instead of a result.
The backend is imported once; each hook runs in a fork of this process, so that no hook sees what
another one left in memory. A fork hands its answer over in a file of its own, which is read when
the fork has ended: nothing that the hook leaves running can hold the answer back.

Runs on every CPython from 3.8 on; standard library only.
"""
import atexit
import importlib
import json
import os
import resource
import sys
import threading
import traceback
import warnings

PROTOCOL = 1
RESULT_LIMIT = 16 << 20
METADATA_LIMIT = 2 << 20  # written as JSON it may become six times as long
MESSAGE_LIMIT = 4000


class Refused(Exception):
    """The backend broke a rule of PEP 517."""


def clean(text):
    """`text` without lone surrogates, which JSON readers refuse."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def told(error):
    """An exception on one line, as the last line of its traceback has it."""
    try:
        message = str(error)
    except BaseException:  # a hostile __str__
        message = "(no message)"
    text = "%s: %s" % (type(error).__name__, message) if message else type(error).__name__
    return clean(text)[:MESSAGE_LIMIT]


def failure(exception, exit_code=1, backend_missing=False):
    return {
        "failure": {
            "exception": exception,
            "exit_code": exit_code,
            "backend_missing": backend_missing,
        }
    }


def print_traceback():
    try:
        traceback.print_exc()
    except BaseException:  # stderr closed, or an exception that cannot be printed
        pass


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # closed or replaced by the backend
            pass


def measure():
    own = resource.getrusage(resource.RUSAGE_SELF)
    hooks = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "cpu_seconds": own.ru_utime + own.ru_stime + hooks.ru_utime + hooks.ru_stime,
        "peak_rss_bytes": max(own.ru_maxrss, hooks.ru_maxrss) * 1024,
    }


# --- the backend ------------------------------------------------------------------------------


def is_below(path, folders):
    path = os.path.realpath(path)
    return any(path.startswith(os.path.join(folder, "")) for folder in folders)


def origins(module):
    """The files or folders a module came from; a namespace package has several."""
    file = getattr(module, "__file__", None)
    return [file] if file else list(getattr(module, "__path__", []))


def load_backend(name, backend_path):
    folders = [os.path.realpath(folder) for folder in backend_path]
    sys.path[:0] = folders
    module_name, _, attributes = name.partition(":")
    backend = importlib.import_module(module_name)
    if folders and not all(is_below(origin, folders) for origin in origins(backend)):
        raise Refused("the backend %s was not loaded from backend-path" % module_name)
    for attribute in filter(None, attributes.split(".")):
        backend = getattr(backend, attribute)
    return backend


def opened(request):
    """The answer to the first request, and the backend."""
    try:
        if request.get("protocol") != PROTOCOL:
            raise Refused("protocol %r is not known" % (request.get("protocol"),))
        backend = load_backend(request["backend"], request["backend_path"])
    except BaseException as error:  # SystemExit and KeyboardInterrupt at import too
        print_traceback()
        answer = failure(told(error), backend_missing=True)
    else:
        answer = {"ready": True}
    answer["protocol"] = PROTOCOL
    return answer, None if "failure" in answer else backend


# --- the hooks, run in a fork -----------------------------------------------------------------


def get_requires_for_build_wheel(backend, config_settings):
    hook = getattr(backend, "get_requires_for_build_wheel", None)
    if hook is None:
        return []
    answer = hook(config_settings)
    if isinstance(answer, (str, bytes)) or not all(isinstance(item, str) for item in answer):
        raise Refused("get_requires_for_build_wheel must answer a list of strings")
    return [clean(item) for item in answer]


def base_name(hook, answer):
    if not isinstance(answer, str) or not answer:
        raise Refused("%s must answer a name, not %s" % (hook, type(answer).__name__))
    if os.path.basename(answer) != answer or answer in (os.curdir, os.pardir):
        raise Refused("%s must answer a base name, not %r" % (hook, answer[:200]))
    return clean(answer)


def prepare_metadata_for_build_wheel(backend, metadata_directory, config_settings):
    hook = getattr(backend, "prepare_metadata_for_build_wheel", None)
    if hook is None:
        return None
    name = base_name("prepare_metadata_for_build_wheel", hook(metadata_directory, config_settings))
    with open(os.path.join(metadata_directory, name, "METADATA"), "rb") as file:
        content = file.read(METADATA_LIMIT + 1)
    if len(content) > METADATA_LIMIT:
        raise Refused("METADATA is longer than %d bytes" % METADATA_LIMIT)
    return content.decode("utf-8", "replace")


def build_wheel(backend, wheel_directory, config_settings):
    return base_name("build_wheel", backend.build_wheel(wheel_directory, config_settings))


HOOKS = {
    hook.__name__: hook
    for hook in (get_requires_for_build_wheel, prepare_metadata_for_build_wheel, build_wheel)
}


def called(backend, request):
    try:
        return {"result": HOOKS[request["hook"]](backend, **request["arguments"])}
    except BaseException as error:  # a hook that exits is a hook that failed
        print_traceback()
        return failure(told(error))


def finish_fork():
    """What the interpreter does at its end, without what the parent registered."""
    for step in (getattr(threading, "_shutdown", None), getattr(atexit, "_run_exitfuncs", None)):
        try:
            if step is not None:
                step()
        except BaseException:
            print_traceback()
    flush()
    os._exit(0)


def run_fork(backend, request, answer_file, private):
    """Never returns: whatever goes wrong, a fork must not go on as if it were the parent."""
    try:
        for descriptor in private:
            os.close(descriptor)
        atexit._clear()
        text = json.dumps(called(backend, request)).encode("ascii")
        with open(answer_file, "wb", closefd=False) as file:
            file.write(text)
        finish_fork()
    except BaseException:  # the hook closed what is not its own
        print_traceback()
        flush()
    finally:
        os._exit(1)


def read_answer(answer_file):
    size = os.fstat(answer_file).st_size
    if size > RESULT_LIMIT:
        return failure("the hook answered %d bytes" % size)
    return json.loads(os.pread(answer_file, size, 0).decode("ascii"))


def exit_code_of(status):
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def wait_for(pid):
    try:
        return os.waitpid(pid, 0)[1]
    except ChildProcessError:  # the backend ignores SIGCHLD: the answer alone must do
        return 0


def call_in_fork(backend, request, private):
    """Runs one hook; `private` are descriptors that the hook must not have."""
    answer_file = os.memfd_create("answer")
    flush()
    pid = os.fork()
    if pid == 0:
        run_fork(backend, request, answer_file, private)
    try:
        status = wait_for(pid)
        if status != 0:
            return failure("", exit_code_of(status) or 1)
        return read_answer(answer_file)
    except ValueError:
        return failure("the hook ended without an answer")
    finally:
        os.close(answer_file)


# --- the session ------------------------------------------------------------------------------


def prepare_process():
    if sys.path[0] == os.path.dirname(os.path.abspath(__file__)):
        del sys.path[0]
    del sys.argv[1:]
    warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(line_buffering=True, errors="backslashreplace")


def serve(requests, responses, private):
    def respond(answer):
        answer["measure"] = measure()
        responses.write(json.dumps(answer).encode("ascii") + b"\n")
        responses.flush()

    answer, backend = opened(json.loads(requests.readline()))
    respond(answer)
    if "failure" in answer:
        return
    for line in requests:
        respond(call_in_fork(backend, json.loads(line), private))


def main():
    private = [int(argument) for argument in sys.argv[1:3]]
    for descriptor in private:
        os.set_inheritable(descriptor, False)
    prepare_process()
    with open(private[0], "rb") as requests, open(private[1], "wb") as responses:
        serve(requests, responses, private)


if __name__ == "__main__":
    main()
