# SPDX-License-Identifier: Apache-2.0
"""strace sees one program, ours; without the output folder the wheels come from the store."""


def check(world, results):
    first = results[0].wheels()
    assert results[1].wheels() == first
    trace = world.root / "trace"
    third = world.bootstrap("app", prefix=("strace", "-f", "-qq", "-e", "trace=execve", "-o", str(trace)))
    assert third.exit == 0 and third.report["counts"]["reused"] == 3, third.stderr
    started = [line for line in trace.read_text(encoding="utf-8").splitlines() if "execve(" in line]
    assert len(started) == 1, "\n".join(started)
    world.forget_output()
    fourth = world.bootstrap("app")
    assert fourth.report["counts"]["built"] == 0 and fourth.wheels() == first
