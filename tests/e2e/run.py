#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs end-to-end cases: the real program on tiny projects, offline.

usage: run.py PROGRAM CASE...     names of folders below cases/; exit status 77: skipped

A case is case.toml: `[[project]]` tables (harness/projects.py), and `[[run]]` tables:
  args      arguments behind `bootstrap`, or behind `command`
  command   another command
  schema    name of the schema in docs/formats that stdout must match
  files     written into the working folder before: name -> text
  env       additional variables
  exit      expected exit status, default 0
  wheels, build_wheels        exact lists of file names in out/cpu/...
  counts    expected counts of report.json; those not named must be 0
  imports   statement that must run with the built wheels on the path
  says      texts that stderr must contain;  says_not: must not contain
  results   texts that stdout must contain
  golden    ["stdout", "stderr"]: compared with expected/<number>.<stream>
`index = "simple"` serves the projects over HTTP instead of find-links.
`full = true` keeps the case for tests/run --full.
`needs` lists what the case cannot do without: "cargo", "cc", "headers", "hipcc", "plain-build" (no
sanitizers, which are slow, large and do not let themselves be traced), "sandbox", "strace".
check.py beside it, with `check(world, results)`, says what tables cannot.
"""
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile

try:
    import tomllib
except ImportError:
    print("skipped: reading the cases needs Python 3.11")
    sys.exit(77)

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from harness import golden  # noqa: E402
from harness.world import World, check as check_schema  # noqa: E402

OUTCOMES = ("built", "reused", "pre_built", "failed", "blocked", "refused", "cancelled", "planned")


def sandbox_works():
    if os.environ.get("WHEELFORGE_SANDBOX") == "none" or not shutil.which("bwrap"):
        return False
    command = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def rust_folder():
    """Where rustc and cargo really are: rustup's stand-ins do not work without the user's own HOME."""
    if not shutil.which("rustc"):
        return None
    asked = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=False)
    folder = pathlib.Path(asked.stdout.strip()) / "bin"
    return folder if asked.returncode == 0 and (folder / "cargo").exists() else None


def missing(need):
    """Why a need is not met, or None."""
    if need == "cc":
        return None if shutil.which("cc") else "no C compiler"
    if need == "cargo":
        return None if rust_folder() else "no rustc and cargo that work"
    if need == "hipcc":
        return None if shutil.which("hipcc") else "no hipcc: tests/setup --with rocm"
    if need == "headers":
        header = pathlib.Path(sysconfig.get_path("include")) / "Python.h"
        return None if header.exists() else f"no {header}"
    if need == "plain-build":
        return "the program is built with sanitizers" if os.environ.get("WHEELFORGE_SANITIZED") else None
    if need == "sandbox":
        return None if sandbox_works() else "bubblewrap does not work here"
    if need == "strace":
        works = shutil.which("strace") and subprocess.run(
            ["strace", "-o", os.devnull, "true"], capture_output=True, check=False).returncode == 0
        return None if works else "strace does not work here"
    raise ValueError(f"unknown need {need!r}")


def contains(wanted, text, stream):
    for each in wanted:
        assert each in text, f"{stream} does not say {each!r}:\n{text}"


def check_counts(wanted, report):
    for outcome in OUTCOMES:
        assert report["counts"][outcome] == wanted.get(outcome, 0), \
            f"counts are {report['counts']}, expected {wanted} and 0 of the others"


def check_imports(statement, result):
    path = os.pathsep.join(str(wheel) for wheel in (result.out / "cpu" / "wheels").glob("*.whl"))
    done = subprocess.run(
        [sys.executable, "-c", statement], env={"PYTHONPATH": path, "PATH": os.environ["PATH"]},
        capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{statement!r} fails:\n{done.stderr}"


def one_run(world, table, number, folder):
    unknown = set(table) - {"args", "files", "env", "exit", "wheels", "build_wheels", "counts", "imports", "says",
                            "says_not", "results", "golden", "command", "schema"}
    assert not unknown, f"run {number} has unknown keys {unknown}"
    for name, text in table.get("files", {}).items():
        path = world.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    result = world.run(table.get("command", "bootstrap"), *table.get("args", []), env=table.get("env"))
    told = f"run {number} ended with {result.exit}\n--- stdout\n{result.stdout}--- stderr\n{result.stderr}"
    assert result.exit == table.get("exit", 0), told
    contains(table.get("says", []), result.stderr, "stderr")
    contains(table.get("results", []), result.stdout, "stdout")
    if "schema" in table:
        check_schema(json.loads(result.stdout), table["schema"])
    for each in table.get("says_not", []):
        assert each not in result.stderr, f"stderr says {each!r}:\n{result.stderr}"
    for key, place in (("wheels", "wheels"), ("build_wheels", "build-wheels")):
        if key in table:
            got = list(result.wheels(place))
            assert got == sorted(table[key]), f"{place}: {got}, expected {sorted(table[key])}"
    if "counts" in table:
        check_counts(table["counts"], result.report)
    if "imports" in table:
        check_imports(table["imports"], result)
    for stream in table.get("golden", []):
        golden.compare(getattr(result, stream), folder / "expected" / f"{number}.{stream}", world)
    return result


def load_check(folder):
    if not (folder / "check.py").exists():
        return None
    spec = importlib.util.spec_from_file_location("check", folder / "check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.check


def run_case(program, name):
    """Runs one case. Gives the reason when it was skipped."""
    folder = HERE / "cases" / name
    case = tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))
    unknown = set(case) - {"about", "full", "needs", "index", "project", "run"}
    assert not unknown, f"unknown keys {unknown}"
    reasons = [reason for reason in map(missing, case.get("needs", [])) if reason]
    if reasons:
        return reasons[0]
    with tempfile.TemporaryDirectory(prefix="wf-e2e-", ignore_cleanup_errors=True) as root:
        world = World(program, root)
        try:
            world.add_projects(case.get("project", []))
            if "cargo" in case.get("needs", []):
                world.settings["PATH"] = f"{world.environment()['PATH']}{os.pathsep}{rust_folder()}"
            if case.get("index") == "simple":
                world.serve()
            results = [one_run(world, table, number, folder) for number, table in enumerate(case.get("run", []), 1)]
            check = load_check(folder)
            return check(world, results) if check else None
        finally:
            world.close()


def main():
    program, names = sys.argv[1], sys.argv[2:]
    failed = skipped = 0
    for name in names:
        try:
            reason = run_case(program, name)
        except AssertionError as error:
            failed += 1
            print(f"{name}: FAILED: {error}")
        else:
            skipped += reason is not None
            print(f"{name}: " + (f"skipped: {reason}" if reason else "ok"), flush=True)
    sys.exit(1 if failed else 77 if skipped == len(names) else 0)


main()
