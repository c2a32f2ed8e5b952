# SPDX-License-Identifier: Apache-2.0
"""Texts are golden; what is written back is read again."""
import json
import pathlib

from harness import golden

EXPECTED = pathlib.Path(__file__).parent / "expected"


def check(world, results):
    for name in ("why", "duplicates", "dot", "to-constraints"):
        arguments = ["tool"] if name == "why" else []
        told = world.run("graph", name, *arguments)
        assert told.exit == 0, told.stderr
        golden.compare(told.stdout, EXPECTED / f"{name}.stdout", world)
    unknown = world.run("graph", "why", "tol")
    assert unknown.exit == 2 and "did you mean tool?" in unknown.stderr, unknown.stderr

    fromager = world.work / "fromager.json"
    fromager.write_text(world.run("graph", "to-fromager").stdout, encoding="utf-8")
    theirs = json.loads(fromager.read_text(encoding="utf-8"))
    assert theirs[""]["edges"] == [{"key": "app==1.0", "req_type": "toplevel", "req": "app"}]
    assert {"key": "tool==2.0", "req_type": "build-backend", "req": "tool>=2"} in theirs["lib==1.0"]["edges"]
    same = world.run("graph", "to-constraints", "--graph", "fromager.json")
    assert same.stdout == world.run("graph", "to-constraints").stdout == "app==1.0\nlib==1.0\nold==1.0\n", same.stderr

    part = world.run("graph", "subset", "lib", "--dependencies-only")
    (world.work / "part.json").write_text(part.stdout, encoding="utf-8")
    nodes = [node["id"] for node in json.loads(part.stdout)["nodes"]]
    assert nodes == ["lib==1.0", "tool==2.0"], nodes
    whole = str(results[0].out / "graph.json")
    assert world.run("graph", "diff", whole, whole).stdout == "no difference\n"
    differs = world.run("graph", "diff", whole, "part.json")
    assert "- app 1.0\n" in differs.stdout and "~ tool 1.0, 2.0 -> 2.0\n" in differs.stdout, differs.stdout

    broken = json.loads(pathlib.Path(whole).read_text(encoding="utf-8"))
    broken["nodes"][1]["edges"][0]["to"] = "nowhere==1"
    (world.work / "broken.json").write_text(json.dumps(broken), encoding="utf-8")
    refused = world.run("graph", "dot", "--graph", "broken.json")
    assert refused.exit == 2 and "nodes[1].edges[0].to names 'nowhere==1'" in refused.stderr, refused.stderr
