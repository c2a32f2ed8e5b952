# SPDX-License-Identifier: Apache-2.0
"""The graph says which build asked for which tool, and how."""


def check(world, results):
    nodes = {node["id"]: node for node in results[0].graph["nodes"]}
    edges = {name: [(edge["to"], edge["type"]) for edge in nodes[name]["edges"]]
             for name in ("old-style==1.0", "new-style==1.0")}
    assert edges["old-style==1.0"] == [("tool==1.0", "build-system")], edges
    assert edges["new-style==1.0"] == [("tool==2.0", "build-backend")], edges
    assert results[0].package("tool")["scope"] == "build"
