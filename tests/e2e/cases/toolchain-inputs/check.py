# SPDX-License-Identifier: Apache-2.0
"""The compiler's commit, as its own --version tells it."""


def run(world):
    return world.bootstrap("kernels", "plain", "--variant", "site", "--settings-dir", "settings", "--replace",
                           env={"SDK_ROOT": "sdk"})


def check(world, _):
    compiler = world.work / "sdk" / "bin" / "cc"
    compiler.chmod(0o755)
    first = run(world)
    assert first.package("kernels")["outcome"] == "built", "now it answers"
    compiler.write_text("#!/bin/sh\necho commit 2\n", encoding="utf-8")
    second = run(world)
    assert (second.package("kernels")["outcome"], second.package("plain")["outcome"]) == ("built", "reused")
    third = run(world)
    assert third.package("kernels")["outcome"] == "reused"
