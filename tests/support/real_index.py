# SPDX-License-Identifier: Apache-2.0
"""What tests need that talk to the package index this machine's pip is configured for.

Tests do not see the caller's PIP_* variables, since those would steer the hermetic ones: tests/run
renames each PIP_X to WHEELFORGE_TEST_PIP_X. pip's configuration files stay in force. On machines
whose index is configured only by variables the tests of the real index give them back to
themselves, by environment().
"""
import fcntl
import os
import pathlib
import subprocess
import sys

SAVED = "WHEELFORGE_TEST_PIP_"


def skip(reason):
    """Ends the test as skipped (ctest: SKIP_RETURN_CODE 77)."""
    print(f"skipped: {reason}")
    sys.exit(77)


def environment():
    """The caller's environment with its own PIP_* settings."""
    given = dict(os.environ)
    if any(name.startswith(SAVED) for name in given):
        given = {name: value for name, value in given.items() if not name.startswith("PIP_")}
    for name, value in os.environ.items():
        if name.startswith(SAVED):
            given["PIP_" + name[len(SAVED):]] = value
    given["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    given.pop("PYTHONPATH", None)
    return given


def cache():
    """Folder for what tests download once."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = pathlib.Path(base) / "wheelforge-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _installed(folder, wanted):
    try:
        return (folder / "installed").read_text(encoding="utf-8") == "\n".join(wanted)
    except OSError:
        return False


def _install(python, requirements):
    done = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--retries", "1", *requirements],
        env=environment(), stdin=subprocess.DEVNULL, check=False, timeout=240,
    )
    return done.returncode == 0


def tool_environment(name, requirements):
    """Path of the Python of a venv with these requirements, or None when no index gives them."""
    version = "%d.%d" % sys.version_info[:2]
    folder = cache() / f"{name}-{version}"
    wanted = [sys.executable, *requirements]
    with open(cache() / f"{name}-{version}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        python = folder / "bin" / "python"
        if _installed(folder, wanted):
            return str(python)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        if requirements and not _install(python, requirements):
            return None
        (folder / "installed").write_text("\n".join(wanted), encoding="utf-8")
        return str(python)


def answers():
    """Whether the index pip is configured for answers: it must know a small old package."""
    python = tool_environment("probe", [])
    command = [python, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir", "--retries", "0",
               "--timeout", "15", "--dest", cache() / "probe-files", "six==1.17.0"]
    try:
        done = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False, timeout=300)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0
