#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each question of `wheelforge graph`, put to a graph.json as Fromager writes it: with a ring, a
name of several versions, a wheel that was taken as it is, constraints, and edges that repeat.

usage: run.py PROGRAM [TEST...]     names of functions; exit status 77: all skipped
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
from harness import functions  # noqa: E402
from harness.functions import pins, resolve, versions, write  # noqa: E402


def node(pin, edges=(), pre_built=False, **more):
    """An entry of the graph; an edge is (type, requirement, pin)."""
    name, _, version = pin.partition("==")
    file = f"{name}-{version}-py3-none-any.whl" if pre_built else f"{name}-{version}.tar.gz"
    return {
        "download_url": f"https://index.example/{file}#sha256={'0' * 64}" if name else "",
        "pre_built": pre_built, "version": version or "0", "canonicalized_name": name, **more,
        "edges": [{"key": key, "req_type": kind, "req": requirement} for kind, requirement, key in edges],
    }


def graph(**changes):
    """service needs client and torch; two versions of setuptools build; ring-a and ring-b need each other."""
    nodes = {
        "": [("toplevel", "service[fast]>=2", "service==2.0"), ("toplevel", "ring-a", "ring-a==1.0")],
        "service==2.0": [("build-system", "setuptools>=77", "setuptools==80.9.0"),
                         ("build-backend", "wheel", "wheel==0.45.1"), ("install", "client<3", "client==2.5"),
                         ("install", "torch>=2.3", "torch==2.10.0"), ("install", 'torch; extra == "fast"', "torch==2.10.0")],
        "client==2.5": [("build-system", "setuptools<70", "setuptools==69.5.1"), ("install", "ring-b", "ring-b==1.0")],
        "ring-a==1.0": [("build-sdist", "setuptools", "setuptools==80.9.0"), ("install", "ring-b", "ring-b==1.0")],
        "ring-b==1.0": [("build-system", "setuptools", "setuptools==80.9.0"), ("install", "ring-a", "ring-a==1.0")],
        "torch==2.10.0": [], "wheel==0.45.1": [], "setuptools==80.9.0": [], "setuptools==69.5.1": [],
    }
    nodes.update(changes)
    more = {"": {"constraint": None}, "client==2.5": {"constraint": "client<2.6"}, "wheel==0.45.1": {"constraint": None}}
    return {key: node(key, edges, key.startswith("torch"), **more.get(key, {})) for key, edges in nodes.items()}


def ask(world, *arguments, document=None, exit=0):
    write(world, "theirs.json", json.dumps(document or graph(), indent=2))
    result = world.run("graph", *arguments, *([] if arguments[0] == "diff" else ["--graph", "theirs.json"]))
    assert result.exit == exit, result.stdout + result.stderr
    return result


def why(world):
    text = ask(world, "why", "ring-b").stdout
    assert "top level asks for ring-a -> ring-a 1.0" in text and "client 2.5 requires ring-b" in text, text
    text = ask(world, "why", "setuptools==69.5.1").stdout
    assert "service 2.0 requires client<3 -> client 2.5" in text, text
    assert "client 2.5 is built with setuptools<70 (build-system)" in text and "80.9.0" not in text, text
    answer = json.loads(ask(world, "why", "torch", "--format", "json").stdout)
    assert "torch>=2.3" in json.dumps(answer), answer
    unknown = ask(world, "why", "setuptool", exit=2)
    assert "did you mean setuptools?" in unknown.stderr, unknown.stderr


def dot(world):
    text = ask(world, "dot").stdout
    for part in ('"service==2.0" -> "client==2.5"', '"ring-b==1.0" -> "ring-a==1.0"',
                 '"client==2.5" -> "setuptools==69.5.1"'):
        assert part in text, text
    assert "setuptools" not in ask(world, "dot", "--runtime-only").stdout


def subset(world):
    part = json.loads(ask(world, "subset", "client", "--dependencies-only").stdout)
    assert set(part) == {"", "client==2.5", "ring-a==1.0", "ring-b==1.0", "setuptools==69.5.1", "setuptools==80.9.0"}, part
    assert part["client==2.5"]["constraint"] == "client<2.6", part["client==2.5"]
    assert part["client==2.5"]["download_url"] == graph()["client==2.5"]["download_url"], part["client==2.5"]
    part = json.loads(ask(world, "subset", "torch", "--dependents-only").stdout)
    assert set(part) == {"", "service==2.0", "torch==2.10.0"}, part
    assert part["torch==2.10.0"]["pre_built"] is True, part
    write(world, "part.json", json.dumps(part))
    again = world.run("graph", "why", "torch", "--graph", "part.json")
    assert again.exit == 0 and "top level asks for service[fast]>=2" in again.stdout, again.stdout + again.stderr


def diff(world):
    write(world, "before.json", json.dumps(graph()))
    assert ask(world, "diff", "before.json", "theirs.json").stdout == "no difference\n"
    newer = graph(**{"client==2.5": [("build-system", "setuptools", "setuptools==80.9.0")]})
    del newer["setuptools==69.5.1"]
    text = ask(world, "diff", "before.json", "theirs.json", document=newer).stdout
    assert "~ setuptools 69.5.1, 80.9.0 -> 80.9.0\n" in text and "setuptools<70" in text, text
    built = world.run("graph", "diff", "before.json", "theirs.json", "--format", "json")
    assert json.loads(built.stdout), built.stderr


def duplicates(world):
    text = ask(world, "duplicates").stdout
    assert text.startswith("setuptools\n") and "client 2.5 is built with setuptools<70 (build-system)" in text, text
    assert "torch" not in text, text


def to_constraints(world):
    text = ask(world, "to-constraints").stdout
    assert text == "client==2.5\nring-a==1.0\nring-b==1.0\nservice==2.0\ntorch==2.10.0\n", text
    twice = graph(**{"client==2.4": [], "ring-b==1.0": [("install", "client<2.5", "client==2.4")]})
    text = ask(world, "to-constraints", document=twice).stdout
    assert "client==2.4\n" in text, text  # the one that suits both who want it
    never = graph(**{"client==3.1": [], "ring-b==1.0": [("install", "client>=3", "client==3.1")]})
    told = ask(world, "to-constraints", document=never, exit=3)
    assert told.stdout == "" and "service 2.0 requires client<3" in told.stderr, told.stderr


def pins_of_theirs_are_tried_first(world):
    world.add_projects([*versions("client", "2.5", "2.6"),
                        {"name": "service", "version": "2.0", "requires": ["client"], "build_requires": ["setuptools"]},
                        *versions("setuptools", "69.5.1", "80.9.0", "81.0")])
    write(world, "theirs.json", json.dumps(graph()))
    answer, _ = resolve(world, "service", "-p", "theirs.json")
    assert pins(answer) == {"client": "2.5", "service": "2.0"}, answer
    assert answer["builds"]["service==2.0"] == ["setuptools==80.9.0"], answer["builds"]


def what_is_wrong_is_said_with_its_place(world):
    broken = graph()
    broken["client==2.5"]["edges"][1]["key"] = "nobody==1"
    told = ask(world, "dot", document=broken, exit=2)
    assert "nobody==1" in told.stderr and "client==2.5" in told.stderr, told.stderr
    broken = graph()
    broken["client==2.5"]["edges"][0]["req_type"] = "guess"
    assert "guess" in ask(world, "why", "client", document=broken, exit=2).stderr
    for text in ("", "[]", "{}", '{"": []}', '{"": null}', '{"": {"version": 0, "edges": {}}}', "nul",
                 '{"a==1": {"version": "1"}}', '{"": {"version": "0", "edges": [1]}}', "\u2028", "[" * 5000):
        write(world, "odd.json", text)
        told = world.run("graph", "dot", "--graph", "odd.json")
        assert told.exit == 2 and "bad-graph" in told.stderr, (text[:40], told.exit, told.stderr)


if __name__ == "__main__":
    functions.main(globals())
