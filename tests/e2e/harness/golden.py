# SPDX-License-Identifier: Apache-2.0
"""Texts a user sees, compared with what they were: expected/<run>.<stream> beside case.toml.

What differs from run to run is filtered first. WHEELFORGE_ACCEPT=1 rewrites the expectation.
"""
import difflib
import os
import re
import sys


TRACEBACK = re.compile(r"^( +\| )Traceback .*\n(\1 +.*\n)+", re.MULTILINE)


def filtered(text, world):
    text = TRACEBACK.sub(r"\1Traceback ...\n", text)
    for path, name in ((str(world.root), "ROOT"), (sys.executable, "PYTHON")):
        text = text.replace(path, name)
    version = "%d.%d" % sys.version_info[:2]
    for pattern, name in (
        (r"(?m)^\[ *\d+\.\d\] ", "[TIME] "),
        (r"\b\d+ cores\b", "CORES"),
        (r"127\.0\.0\.1:\d+", "INDEX"),
        (r"\b[0-9a-f]{64}\b", "DIGEST"),
        (r"\b\d+(\.\d+)? ?(ms|s|min)\b( \d+ s\b)?", "TIME"),
        (r"\b\d+(\.\d+)? (B|KiB|MiB|GiB)\b", "SIZE"),
        (re.escape(version) + r"(\.\d+)?((a|b|rc)\d+)?\+?", "PYVER"),
        (r"cp%d%d" % sys.version_info[:2], "CPVER"),
        (r"glibc [0-9.]+", "GLIBC"),
        (r"\b(x86_64|aarch64|ppc64le|s390x)\b", "MACHINE"),
    ):
        text = re.sub(pattern, name, text)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n" if text else ""


def compare(text, path, world):
    got = filtered(text, world)
    if os.environ.get("WHEELFORGE_ACCEPT") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(got, encoding="utf-8")
        return
    assert path.exists(), f"no expectation {path}; WHEELFORGE_ACCEPT=1 writes it:\n{got}"
    wanted = path.read_text(encoding="utf-8")
    if got != wanted:
        difference = difflib.unified_diff(wanted.splitlines(), got.splitlines(), "expected", "got", lineterm="")
        raise AssertionError(f"{path.name} differs:\n" + "\n".join(difference))
