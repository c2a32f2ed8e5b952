# SPDX-License-Identifier: Apache-2.0
"""The output folder holds what the documentation promises."""
from harness.world import check_events


def check(world, results):
    cpu = results[0].out / "cpu"
    assert sorted(path.name for path in (cpu / "sdists").iterdir()) == [
        "a-1.0.tar.gz", "b-1.5.tar.gz", "c-1.0.tar.gz"]
    assert (cpu / "constraints.txt").read_text(encoding="utf-8").split() == ["a==1.0", "b==1.5", "c==1.0"]
    for name in ("a-1.0", "b-1.5", "c-1.0"):
        wheel = name + "-py3-none-any.whl"
        assert (cpu / "sboms" / (name + "-py3-none-any.cdx.json")).exists(), name
        assert (cpu / "records" / (name + "-py3-none-any.json")).exists(), name
        page = (cpu / "simple" / name[0] / "index.html").read_text(encoding="utf-8")
        assert wheel in page and "#sha256=" in page, page
    assert list((cpu / "logs").iterdir()), "no log"
    check_graph(results[0].graph)
    check_progress(check_events(world.work / "events.jsonl"))


def check_progress(events):
    names = [event["event"] for event in events]
    assert names[0] == "run-started" and names[-1] == "run-finished", names
    done = {event["package"] for event in events if event["event"] == "package-done"}
    assert done == {"a==1.0", "b==1.5", "c==1.0"}, done
    assert events[-1]["exit_code"] == 0 and events[-1]["counts"]["built"] == 3, events[-1]


def check_graph(graph):
    assert [node["id"] for node in graph["nodes"]] == ["a==1.0", "b==1.5", "c==1.0"]
    assert [root["to"] for root in graph["roots"]] == ["a==1.0"]
    assert [(edge["to"], edge["type"]) for edge in graph["nodes"][0]["edges"]] == [("b==1.5", "runtime")]
