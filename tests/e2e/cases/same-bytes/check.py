# SPDX-License-Identifier: Apache-2.0
"""Wheels, build wheels and graph of a second cache and output folder."""


def check(world, results):
    wheels, tools = results[0].wheels(), results[0].wheels("build-wheels")
    graph = (results[0].out / "graph.json").read_bytes()
    world.forget_output()
    elsewhere = {"WHEELFORGE_CACHE_DIR": str(world.root / "another" / "cache"), "TZ": "Asia/Tokyo"}
    second = world.bootstrap("app", env=elsewhere)
    assert second.report["counts"]["built"] == 3
    assert second.wheels() == wheels and second.wheels("build-wheels") == tools
    assert (second.out / "graph.json").read_bytes() == graph
