#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds a stack from the index pip is configured for, and uses what comes out.

usage: run.py PROGRAM [--stack FOLDER] [--python X.Y] [--kill N] [--twice]

The stack (default: examples/quickstart) has requirements.txt, imports.txt and perhaps
constraints.txt, settings/, pre_built.txt (names) and needs.txt (programs that its builds call). Its
wheels are installed offline into a clean environment and imported, every SBOM goes to an
independent validator, and a second run must build nothing and make no environment. With --kill N the run is killed N times at random first, and must
end with the wheels of a run that was not. With --twice a second run with another cache must give
the same bytes: wheels, sdists, SBOMs, graph.
Exit status 77 (skipped) where no index answers, or the Python or a program is not there.
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(REPOSITORY / "tests" / "support"), str(REPOSITORY / "tests" / "e2e")]
import real_index  # noqa: E402
from harness.world import World, check_events  # noqa: E402


def usable(program):
    """The real path of a Python that can make environments, else None: a shim on PATH may stand for
    one that is not installed."""
    command = [program, "-c", "import sys, venv, ensurepip; print(sys.executable)"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def answer_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.split() if done.returncode == 0 else []


def candidates(wanted):
    """python3.12 on PATH, and those that pyenv keeps aside."""
    if shutil.which("python" + wanted):
        yield shutil.which("python" + wanted)
    if shutil.which("pyenv"):
        for version in answer_of("pyenv", "versions", "--bare"):
            if version.startswith(wanted + "."):
                for prefix in answer_of("pyenv", "prefix", version):
                    yield prefix + "/bin/python"


def interpreter(wanted):
    """Path of that Python, or a skip."""
    for program in candidates(wanted):
        found = usable(program)
        if found:
            return found
    return real_index.skip(f"no Python {wanted} with venv")


class Run:
    """One stack, one Python, one folder."""

    def __init__(self, arguments, root):
        self.python = interpreter(arguments.python)
        self.stack = pathlib.Path(arguments.stack).resolve()
        self.world = World(arguments.program, root)
        self.world.environment = self.environment
        self.cache = self.world.root / "cache"

    def words(self, name):
        path = self.stack / name
        return path.read_text(encoding="utf-8").split() if path.exists() else []

    def require_programs(self):
        for program in self.words("needs.txt"):
            if not shutil.which(program):
                real_index.skip(f"no {program}: tests/setup --with full")

    def environment(self, extra=None):
        return {**real_index.environment(), "WHEELFORGE_CACHE_DIR": str(self.cache), **(extra or {})}

    def arguments(self):
        constraints = self.stack / "constraints.txt"
        if not constraints.exists():
            constraints = REPOSITORY / "constraints" / "cpu.txt"
        more = []
        if (self.stack / "settings").exists():
            more += ["--settings-dir", str(self.stack / "settings")]
        for name in self.words("pre_built.txt"):
            more += ["--pre-built", name]
        return ["bootstrap", "--variant", "cpu", "--python", self.python, "-r", str(self.stack / "requirements.txt"),
                "-c", str(constraints), "-o", "out", "--events", "events.jsonl", *more]

    def bootstrap(self):
        result = self.world.run(*self.arguments(), timeout=5000)
        print(f"{result.seconds:.1f} s, peak {result.peak_rss / 1e6:.0f} MB, exit {result.exit}", flush=True)
        assert result.exit == 0, result.stdout + result.stderr
        check_events(self.world.work / "events.jsonl")
        print({name: count for name, count in result.report["counts"].items() if count}, flush=True)
        return result

    def install_and_import(self, result):
        folder = self.world.root / "venv"
        subprocess.run([self.python, "-m", "venv", folder], check=True)
        offline = {**self.environment(), "PIP_CONFIG_FILE": "/dev/null", "PIP_NO_INDEX": "1"}
        offline.pop("PIP_FIND_LINKS", None)
        subprocess.run(
            [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--find-links", result.out / "cpu" / "wheels",
             "-r", self.stack / "requirements.txt", "-c", result.out / "cpu" / "constraints.txt"], env=offline, check=True)
        modules = self.words("imports.txt")
        subprocess.run([folder / "bin" / "python", "-c", "import " + ", ".join(modules)], check=True)
        print("imports " + " ".join(modules), flush=True)

    def kill_at_random(self, times, seconds):
        """Starts over in a new cache and is killed again and again."""
        seed = random.randrange(10**6)
        chance = random.Random(seed)
        self.cache = self.world.root / "second-cache"
        self.world.forget_output()
        for number in range(times):
            process = self.world.start(*self.arguments())
            time.sleep(seconds * (number + chance.random()) / times / 2)
            process.kill()
            process.wait()
            print(f"killed in run {number + 1} (seed {seed})", flush=True)


def everything(result):
    """What must not depend on when and where it was built: path below the output -> bytes."""
    folders = ("wheels", "build-wheels", "sdists", "sboms")
    files = [path for folder in folders for path in (result.out / "cpu" / folder).rglob("*") if path.is_file()]
    files += [result.out / "graph.json", result.out / "cpu" / "constraints.txt"]
    return {str(path.relative_to(result.out)): path.read_bytes() for path in files}


def compare_with_another_cache(run, first):
    """Separate cache and output, nothing shared but the index."""
    wanted = everything(first)
    run.cache = run.world.root / "another-cache"
    run.world.forget_output()
    got = everything(run.bootstrap())
    different = sorted(name for name in wanted.keys() | got.keys() if wanted.get(name) != got.get(name))
    assert not different, f"differ between two clean runs: {different}"
    print(f"{len(got)} files are the same bytes", flush=True)


def environments_made(folder):
    """Steps of the last run that equipped or built something."""
    events = check_events(folder / "events.jsonl")
    last = max(number for number, event in enumerate(events) if event["event"] == "run-started")
    return [event for event in events[last:] if event["event"].startswith("step-") and event["step"] in ("environment", "build")]


def validate_sboms(result):
    validator = REPOSITORY / "tests" / "integration" / "bom" / "validate.py"
    done = subprocess.run([sys.executable, validator, result.out / "cpu" / "sboms"], check=False)
    assert done.returncode in (0, 77), "an SBOM is not valid"


def parsed_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--stack", default=str(REPOSITORY / "examples" / "quickstart"))
    parser.add_argument("--python", default="3")
    parser.add_argument("--kill", type=int, default=0)
    parser.add_argument("--twice", action="store_true")
    return parser.parse_args()


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory(prefix="wf-index-", ignore_cleanup_errors=True) as root:
        run = Run(arguments, root)
        run.require_programs()
        if not real_index.answers():
            real_index.skip("no package index answers")
        first = run.bootstrap()
        assert first.report["counts"]["built"] > 5 and not first.report["counts"]["failed"]
        wheels = first.wheels()
        if arguments.kill:
            run.kill_at_random(arguments.kill, first.seconds)
            assert run.bootstrap().wheels() == wheels, "other wheels than without being killed"
            return
        if arguments.twice:
            compare_with_another_cache(run, first)
            return
        run.install_and_import(first)
        validate_sboms(first)
        second = run.bootstrap()
        assert second.report["counts"]["built"] == 0, json.dumps(second.report["counts"])
        assert second.wheels() == wheels
        assert not environments_made(run.world.work), "the second run made an environment"


main()
