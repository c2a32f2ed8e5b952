# SPDX-License-Identifier: Apache-2.0
"""Counted: three packages, two variants, four builds."""
import json
import subprocess


def check(world, _):
    out = world.work / "out"
    reports = {name: json.loads((out / name / "report.json").read_text()) for name in ("one", "two")}
    outcomes = {name: {each["name"]: each["outcome"] for each in report["packages"]} for name, report in reports.items()}
    assert outcomes["one"] == {"app": "built", "shared": "built", "special": "built"}, outcomes
    assert outcomes["two"] == {"app": "reused", "shared": "reused", "special": "built"}, outcomes
    whole = json.loads((out / "report.json").read_text())
    assert [run["variant"] for run in whole["runs"]] == ["one", "two"], whole["runs"]
    graph = json.loads((out / "graph.json").read_text())
    assert sorted(target["variant"] for target in graph["targets"]) == ["one", "two"]
    nodes = [node["name"] for node in graph["nodes"]]
    assert sorted(nodes) == ["app", "shared", "special", "special"], nodes
    for name, said in (("one", "one"), ("two", "it's two")):
        done = subprocess.run(["sh", "-c", f". ./{name}/runtime-env.sh; printf %s \"$RUN_ON\""], cwd=out,
                              capture_output=True, text=True, check=True)
        assert done.stdout == said, done.stdout
