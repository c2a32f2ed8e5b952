# SPDX-License-Identifier: Apache-2.0
"""tool 2.0 appears: the old graph keeps 1.0; without that graph app is reused although its tool is another."""
import json

from harness import projects


def check(world, results):
    first = results[0].wheels()
    projects.pack({"name": "tool", "version": "2.0"}, world.files)
    again = world.bootstrap("app")
    assert again.report["counts"]["reused"] == 2 and not again.package("app")["drift"], again.stderr
    world.forget_output()
    drifted = world.bootstrap("app")
    assert drifted.exit == 0, drifted.stderr
    assert drifted.wheels() == first
    assert drifted.package("tool")["version"] == "2.0" and drifted.package("tool")["outcome"] == "built"
    assert drifted.package("app")["outcome"] == "reused"
    assert drifted.package("app")["drift"] == ["tool 1.0 -> 2.0"], drifted.package("app")
    assert "tool 1.0 -> 2.0" in drifted.stdout, drifted.stdout
    record, = (drifted.out / "cpu" / "records").glob("app-*.json")
    assert json.loads(record.read_text(encoding="utf-8"))["drift"] == ["tool 1.0 -> 2.0"]

    refused = world.bootstrap("app", "--rebuild", "all")
    assert refused.exit == 4 and "published-wheel-differs" in refused.stderr, refused.stderr
    assert "tool 1.0 -> 2.0" in refused.stderr and "changelog" in refused.stderr and "--replace" in refused.stderr
    assert refused.wheels() == first

    replaced = world.bootstrap("app", "--rebuild", "all", "--replace")
    assert replaced.exit == 0 and replaced.report["counts"]["built"] == 1, replaced.stderr
    assert replaced.wheels() != first
    quiet = world.bootstrap("app", "--rebuild", "all")
    assert quiet.exit == 0 and quiet.report["counts"]["reused"] == 2, quiet.stderr
    assert quiet.wheels() == replaced.wheels()
    strong = world.bootstrap("app")
    assert strong.exit == 0 and strong.wheels() == replaced.wheels(), "this folder's own wheel goes before others"

    told = world.run("why-rebuilt", "app")
    assert told.exit == 0 and "app 1.0: rebuilt because tool 1.0 -> 2.0" in told.stdout, told.stdout + told.stderr
    assert "weak inputs" in told.stdout and "strong inputs" not in told.stdout
