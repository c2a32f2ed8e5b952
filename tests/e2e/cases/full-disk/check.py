# SPDX-License-Identifier: Apache-2.0
"""Folders of the case become file systems of 4 MiB, or read-only ones, as a run sees them."""
import random

from harness import projects


def view(*options):
    return ("bwrap", "--dev-bind", "/", "/", "--die-with-parent", *map(str, options))


def ends(world, code, wanted, *words, arguments, prefix):
    result = world.run("bootstrap", *arguments, prefix=prefix)
    assert result.exit == code and f"[{wanted}]" in result.stderr, f"{arguments}: {result.exit}\n{result.stderr}"
    for word in ("hint: ", *words):
        assert word in result.stderr, f"{arguments}: {word!r} is not in\n{result.stderr}"
    return result


def check(world, results):
    tiny = world.work / "tiny"
    tiny.mkdir()
    full = view("--size", 4 << 20, "--tmpfs", tiny)
    if world.run("explain", "disk-full", prefix=full).exit != 0:
        return "bubblewrap cannot make small file systems here"
    noise = random.Random(2).randbytes(3_000_000).hex()
    projects.pack({"name": "heavy", "sources": {"noise.txt": noise}}, world.files)
    elsewhere = ("--cache-dir", "tiny/cache")
    stopped = ends(world, 5, "disk-full", "heavy-1.0.tar.gz", "--cache-dir", arguments=["heavy", *elsewhere], prefix=full)
    assert "nothing to do" not in stopped.stdout, stopped.stdout
    ends(world, 1, "build-failed", "[no-space]", "--cache-dir", arguments=["spills", *elsewhere], prefix=full)
    ends(world, 5, "disk-full", "tiny/out", "-o", arguments=["small", "large", "-o", "tiny/out"], prefix=full)
    again = world.bootstrap("small", "large")
    assert again.exit == 0 and again.report["counts"]["reused"] == 2, again.stderr

    frozen = view("--ro-bind", world.root / "cache", world.root / "cache")
    ends(world, 5, "cache-unusable", "Read-only", "--cache-dir", arguments=["small"], prefix=frozen)
    bound = view("--ro-bind", world.work / "out", world.work / "out")
    ends(world, 5, "output-not-writable", "Read-only", "-o DIR", arguments=["small"], prefix=bound)
    moved = world.run("bootstrap", "small", "-o", "other", prefix=bound)
    assert moved.exit == 0, moved.stderr
