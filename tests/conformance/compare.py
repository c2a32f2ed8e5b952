# SPDX-License-Identifier: Apache-2.0
"""compare.py PEP_LINES KIND: asks our program and the `packaging` library the same questions.

Prints every difference (the first 20 in full) and fails if there is one. Run by run.py.
"""
import json
import os
import pathlib
import random
import subprocess
import sys

import generate
import oracle

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parent / "fixtures" / "pep"
# Another number asks other questions: WHEELFORGE_SEED=7 tests/conformance/run.py ...
SEED = int(os.environ.get("WHEELFORGE_SEED", "20261121"))


class Comparison:
    def __init__(self, program):
        self.program = program
        self.differences = 0
        self.asked = 0
        self.accepted = 0  # by the library: neither all nor none of them should be

    def answers(self, kind, questions):
        """Our answers, one line each."""
        text = "".join(json.dumps(question) + "\n" for question in questions)
        done = subprocess.run([self.program, kind], input=text.encode(), stdout=subprocess.PIPE, check=True)
        lines = done.stdout.decode().splitlines()
        assert len(lines) == len(questions), f"{len(questions)} questions, {len(lines)} answers"
        return [json.loads(line) for line in lines]

    def check(self, kind, questions, expect, view=lambda answer: answer):
        """Compares all answers; `view` picks what the library answers too."""
        for question, answer in zip(questions, self.answers(kind, questions)):
            self.asked += 1
            expected = expect(question)
            self.accepted += expected["ok"]
            if not expected["ok"]:
                longest = max((len(v.encode()) for v in question.values() if isinstance(v, str)), default=0)
                good = (answer["ok"] is False and answer["error"]
                        and 0 <= answer["offset"] <= longest and set(answer) == {"ok", "error", "offset"})
            else:
                good = answer["ok"] and view(answer) == expected
            if not good:
                self.differ(kind, question, expected, answer)

    def differ(self, kind, question, expected, answer):
        self.differences += 1
        if self.differences <= 20:
            print(f"{kind}: {json.dumps(question)}\n  packaging:  {expected}\n  wheelforge: {answer}")

    def finish(self, what):
        print(f"{what}: {self.asked} questions, {self.accepted} of them valid, {self.differences} differences")
        return 1 if self.differences else 0


def fixture(name):
    lines = (FIXTURES / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def versions(check):
    rng = random.Random(SEED)
    good = [generate.version(rng) for _ in range(6000)] + fixture("versions.txt")
    texts = good + [generate.broken(rng, rng.choice(good)) for _ in range(6000)]
    check.check("version", [{"version": text} for text in texts], oracle.version)
    pairs = [(rng.choice(good), rng.choice(good)) for _ in range(4000)]
    for text in good[:4000]:
        pairs.append((text, generate.neighbours(rng, text, 1)[0]))
    check.check("version", [{"a": a, "b": b} for a, b in pairs], oracle.compare)


def specifiers(check):
    """At least 20,000 pairs of a specifier and a version, under every policy for pre-releases."""
    rng = random.Random(SEED)
    real = fixture("versions.txt")
    questions = []
    pairs = 0
    while pairs < 20000:
        text = generate.specifiers(rng)
        first = text.split(",")[0].strip().lstrip("=<>!~ \t").replace(".*", "")
        around = generate.neighbours(rng, first, 6) + [generate.version(rng), rng.choice(real)]
        questions.append({"specifier": text, "versions": around, "prereleases": rng.choice([None, None, True, False])})
        pairs += len(around) if oracle.specifier(questions[-1])["ok"] else 0
    check.check("specifier", questions, oracle.specifier)
    print(f"{pairs} pairs of a valid specifier and a version")
    wrong = [{"specifier": generate.broken(rng, generate.specifiers(rng)), "versions": ["1.0"], "prereleases": None}
             for _ in range(6000)]
    check.check("specifier", wrong, oracle.specifier)


def markers(check):
    rng = random.Random(SEED)
    texts = [generate.marker(rng) for _ in range(6000)] + fixture("markers.txt")
    texts += [generate.broken(rng, rng.choice(texts)) for _ in range(4000)]
    questions = [{"marker": text, "environment": generate.environment(rng),
                  "extra": rng.choice(["", "", "x-y", "X_Y", "Foo.Bar", "test", "linux"])} for text in texts]
    check.check("marker", questions, oracle.marker)


def requirements(check):
    rng = random.Random(SEED)
    texts = [generate.requirement(rng) for _ in range(4000)] + fixture("requirements.txt")
    texts += [generate.broken(rng, rng.choice(texts)) for _ in range(4000)]
    check.check("requirement", [{"requirement": text} for text in texts], oracle.requirement)


def with_sorted_tags(answer):
    return {**answer, "tags": sorted(set(answer["tags"]))} if "tags" in answer else answer


def filenames(check):
    rng = random.Random(SEED)
    names = [generate.wheel_filename(rng) for _ in range(3000)] + [generate.sdist_filename(rng) for _ in range(1500)]
    names += fixture("filenames.txt")
    check.check("filename", [{"filename": name} for name in names], oracle.filename, with_sorted_tags)
    tags = [generate.tag_set(rng) for _ in range(1000)]
    tags += [generate.broken(rng, tag) for tag in tags]
    check.check("tags", [{"tag": tag} for tag in tags], oracle.tag, with_sorted_tags)


def licenses(check):
    from packaging.licenses._spdx import EXCEPTIONS, LICENSES
    rng = random.Random(SEED)
    ids = sorted(entry["id"] for entry in LICENSES.values())
    exceptions = sorted(entry["id"] for entry in EXCEPTIONS.values())
    texts = ids + [text.lower() for text in ids] + ["MIT WITH " + text for text in exceptions]
    texts += [generate.license_expression(rng, ids, exceptions) for _ in range(3000)]
    texts += [generate.broken(rng, text) for text in texts[-3000:]]
    texts += ["(" * depth + "MIT" + ")" * depth for depth in (1, 50, 198, 199, 200, 201, 500)]
    check.check("license", [{"expression": text} for text in texts], oracle.license,
                lambda answer: {"ok": True, "normalized": answer["normalized"]})


def names(check):
    """Names of 300 projects, as their authors write them."""
    projects = fixture("project_names.txt")
    assert len(projects) == len(set(projects)) and len(projects) >= 300, len(projects)
    files = [{"filename": f"{oracle.name(name).replace('-', '_')}-1.0.tar.gz", "project": name} for name in projects]
    for name, answer in zip(projects, check.answers("filename", files)):
        check.asked += 1
        if answer.get("name") != oracle.name(name):
            check.differ("filename", name, oracle.name(name), answer)
    check.check("requirement", [{"requirement": name} for name in projects], oracle.requirement)


def published(check):
    """Names and all versions of 300 projects, as an index had them on one day."""
    projects = dict(line.split(": ") for line in fixture("published.txt"))
    assert len(projects) >= 300, len(projects)
    names = list(projects)
    files = [{"filename": f"{oracle.name(name).replace('-', '_')}-1.0.tar.gz", "project": name} for name in names]
    for name, answer in zip(names, check.answers("filename", files)):
        check.asked += 1
        if answer.get("name") != oracle.name(name):
            check.differ("filename", name, oracle.name(name), answer)
    versions = [text.split() for text in projects.values()]
    check.check("version", [{"version": text} for texts in versions for text in texts], oracle.version)
    check.check("version", [{"a": a, "b": b} for texts in versions for a, b in zip(texts, texts[1:])], oracle.compare)


# Projects whose long histories hold most of what versions can look like.
HISTORIES = ["setuptools", "pip", "numpy", "django", "twisted", "pytz", "torch", "jax", "certifi", "tensorflow"]


def index(check):
    """Every version that the index has of a few projects with long histories."""
    found = []
    for project in HISTORIES:
        done = subprocess.run(
            [sys.executable, "-m", "pip", "index", "versions", "--pre", "--retries", "1", project],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, timeout=120,
        )
        for line in done.stdout.decode().splitlines():
            if line.strip().startswith("Available versions:"):
                found += [text.strip() for text in line.split(":", 1)[1].split(",")]
    if not found:
        print("skipped: the index gives no versions")
        sys.exit(77)
    rng = random.Random(SEED)
    print(f"{len(found)} versions of {len(HISTORIES)} projects")
    check.check("version", [{"version": text} for text in found], oracle.version)
    check.check("version", [{"a": a, "b": rng.choice(found)} for a in found], oracle.compare)
    questions = [{"specifier": rng.choice(generate.OPERATORS[:6]) + text, "versions": rng.sample(found, min(20, len(found))),
                  "prereleases": rng.choice([None, True, False])} for text in found]
    check.check("specifier", questions, oracle.specifier)


TAGS_OF_INTERPRETER = """
import json, os, platform, sys, sysconfig
sys.path.insert(0, sys.argv[1])
from packaging.tags import sys_tags
print(json.dumps({
    "python": platform.python_version(), "machine": platform.machine(), "glibc": platform.libc_ver()[1],
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "tags": [str(tag) for tag in sys_tags()]}))
"""


def output_of(command):
    """What a program prints, or "" when it fails or is not there."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False, timeout=60)
    except OSError:
        return ""
    return done.stdout.decode().strip() if done.returncode == 0 else ""


def interpreters():
    """Interpreters of this machine, on PATH and of pyenv, with what they say about themselves."""
    import packaging
    library = str(pathlib.Path(packaging.__file__).resolve().parent.parent)
    folders = [pathlib.Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    pyenv = output_of(["pyenv", "root"])
    folders += sorted(pathlib.Path(pyenv).glob("versions/*/bin")) if pyenv else []
    seen = set()
    for folder in folders:
        for minor in range(8, 16):
            for program in (folder / f"python3.{minor}", folder / f"python3.{minor}t"):
                text = output_of([program, "-c", TAGS_OF_INTERPRETER, library]) if program.exists() else ""
                if text and text not in seen:
                    seen.add(text)
                    yield json.loads(text)


def expected_tags(question):
    """The library's tags of a CPython that need not be here."""
    from packaging import _manylinux, tags
    python = tuple(int(part) for part in question["python"].split(".")[:2])
    machine, free_threaded = question["machine"], question["free_threaded"]
    _manylinux._get_glibc_version = lambda: tuple(int(part) for part in question["glibc"].split("."))
    _manylinux._have_compatible_abi = lambda _, archs: bool(
        set(archs) & (_manylinux._ALLOWED_ARCHS | {"i686", "armv7l"}))
    archs = {"armv8l": ["armv8l", "armv7l"]}.get(machine, [machine])
    platforms = [f"linux_{arch}" for arch in archs] + list(_manylinux.platform_tags(archs))
    digits = f"{python[0]}{python[1]}"
    abis = [f"cp{digits}t" if free_threaded else f"cp{digits}m" if python < (3, 8) else f"cp{digits}"]
    found = list(tags.cpython_tags(python, abis, platforms))
    found += tags.compatible_tags(python, f"cp{digits}", platforms)
    return {"ok": True, "tags": [str(tag) for tag in found]}


def only_tags(answer):
    return {"ok": True, "tags": answer["tags"]}


def tags(check):
    """The order of tags, for the interpreters that are here and for many that are not."""
    for real in interpreters():
        wanted = {"ok": True, "tags": real.pop("tags")}
        check.check("tags", [real], lambda _, wanted=wanted: wanted, only_tags)
        print(f"CPython {real['python']} on {real['machine']} with glibc {real['glibc']}: {len(wanted['tags'])} tags")
    questions = [
        {"python": f"3.{minor}.1", "machine": machine, "glibc": glibc, "free_threaded": free_threaded}
        for minor in (6, 7, 8, 9, 12, 13, 14, 15)
        for machine in ("x86_64", "i686", "aarch64", "armv7l", "armv8l", "ppc64le", "s390x", "riscv64", "mips")
        for glibc in ("2.4", "2.5", "2.12", "2.16", "2.17", "2.28", "2.39")
        for free_threaded in ((False, True) if minor >= 13 else (False,))
    ]
    check.check("tags", questions, expected_tags, only_tags)


KINDS = {each.__name__: each for each in (
    versions, specifiers, markers, requirements, filenames, licenses, names, published, index, tags)}


def main():
    program, kind = sys.argv[1:]
    check = Comparison(program)
    KINDS[kind](check)
    return check.finish(kind)


if __name__ == "__main__":
    sys.exit(main())
