#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Public resolver scenarios (packse) through `wheelforge resolve`.

usage: run.py PROGRAM [FOLDER] [ID...]

FOLDER, or WHEELFORGE_PACKSE, holds packse.json (the scenarios as JSON) and packse_index.py, which
makes an index of each at `<id with / as __>/simple`. They are not ours to ship: without them the
test is skipped.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77

EXCLUDED = {
    "requires_python/python-less-than-current":
        "expects upper bounds of Requires-Python to be ignored; core metadata says they hold",
}


def arguments(scenario, index):
    options = scenario["resolver_options"]
    given = ["resolve", "--runtime-only", "--format", "json", "--index-url", index, "--no-config"]
    given += ["--python", options.get("python") or scenario["environment"]["python"]]
    if options.get("prereleases"):
        given.append("--pre")
    for name in options.get("no_build", []):
        given += ["--pre-built", name]
    return given + scenario["root"]["requires"]


def run_one(program, scenario, folder, home):
    index = (folder / scenario["id"].replace("/", "__") / "simple").as_uri()
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8",
                   "WHEELFORGE_CACHE_DIR": str(home / "cache")}
    done = subprocess.run([program, *arguments(scenario, index)], env=environment, cwd=home,
                          capture_output=True, text=True, check=False, timeout=120)
    told = f"{done.stdout}\n{done.stderr}"
    expected = scenario["expected"]
    if not expected["satisfiable"]:
        assert done.returncode == 3, f"ended with {done.returncode}, expected a conflict\n{told}"
        conflict = json.loads(done.stdout)["conflict"]
        assert conflict["message"] and conflict["chain"], told
        return
    assert done.returncode == 0, f"ended with {done.returncode}\n{told}"
    got = {each["name"]: each["version"] for each in json.loads(done.stdout)["packages"]}
    if "packages" in expected:
        assert got == expected["packages"], f"{got}, expected {expected['packages']}"
    else:
        assert got, told


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    place = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("WHEELFORGE_PACKSE", "")
    only = sys.argv[3:]
    source = pathlib.Path(place or "nowhere").resolve()
    if not (source / "packse.json").is_file():
        print("skipped: WHEELFORGE_PACKSE names no folder with packse.json")
        sys.exit(SKIPPED)
    scenarios = json.loads((source / "packse.json").read_text(encoding="utf-8"))["scenarios"]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="wf-packse-") as root:
        folder, home = pathlib.Path(root) / "indexes", pathlib.Path(root) / "home"
        home.mkdir()
        subprocess.run([sys.executable, str(source / "packse_index.py"), str(folder)], check=True)
        for scenario in scenarios:
            name = scenario["id"]
            if only and name not in only:
                continue
            if name in EXCLUDED:
                print(f"{name}: excluded: {EXCLUDED[name]}")
                continue
            try:
                run_one(program, scenario, folder, home)
            except AssertionError as error:
                failed += 1
                print(f"{name}: FAILED: {error}")
            else:
                print(f"{name}: ok")
    sys.exit(1 if failed else 0)


main()
