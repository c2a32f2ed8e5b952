# SPDX-License-Identifier: Apache-2.0
"""Poison of each kind; a run while pruning is asked for; a cache that cannot be written."""
import json
import os
import shutil
import time


def entries(world):
    return sorted((world.root / "cache" / "entries").glob("*/*"))


def poison(world):
    entry, = entries(world)
    (entry / "stranger").write_text("x", encoding="utf-8")
    (entry / "inputs.txt").unlink()
    (entry / "inputs.txt").write_text("protocol wheelforge 2\n", encoding="utf-8")
    half = entry.parent / (entry.name[:-4] + "0000")
    half.mkdir()
    (half / "one-1.0-py3-none-any.whl").write_bytes(b"PK")
    source = next((world.root / "cache" / "sources").glob("*/*"))
    source.unlink()
    source.write_bytes(b"other")
    answer = next((world.root / "cache" / "memo").glob("*/*/*.json"))
    answer.write_text(answer.read_text(encoding="utf-8").replace('"sha256":"', '"sha256":"0', 1), encoding="utf-8")
    return half


def leftovers(world):
    """What somebody was writing who was killed is no defect, and prune takes it away."""
    cache = world.root / "cache"
    halves = [next((cache / part).glob(pattern)).parent / ".wheelforge-a1B2c3"
              for part, pattern in (("sources", "*/*"), ("memo", "*/*/*.json"))]
    halves.append(cache / "sources" / ".incoming-a1B2c3" / "one-1.0.tar.gz")
    halves[-1].parent.mkdir()
    for half in halves:
        half.write_text('{"sha256":"0', encoding="utf-8")
    assert world.run("cache", "verify").exit == 0, "a half-written file is no defect"
    told = world.run("cache", "prune", "--dry-run")
    assert "leftovers" in told.stdout and all(half.exists() for half in halves), told.stdout + told.stderr
    pruned = world.run("cache", "prune")
    assert pruned.exit == 0 and not any(half.exists() for half in halves), pruned.stdout + pruned.stderr


def check(world, results):
    good = results[0].wheels()
    sizes = json.loads(world.run("cache", "size", "--format", "json").stdout)["parts"]
    assert {"name": "entries", "items": 1}.items() <= sizes[0].items() and sizes[0]["bytes"] > 0, sizes
    sound = world.run("cache", "verify")
    assert sound.exit == 0 and sound.stdout == "nothing is wrong\n", sound.stdout + sound.stderr

    leftovers(world)
    half = poison(world)
    found = world.run("cache", "verify")
    assert found.exit == 4 and "cache verify --remove" in found.stderr, found.stderr
    for text in ("stranger is not ours", "inputs are not those of its key", "has no entry.json",
                 "other bytes than its name says", "does not match its digest"):
        assert text in found.stdout, f"{text!r} is not in\n{found.stdout}"
    assert half.exists(), "looking changes nothing"
    removed = world.run("cache", "verify", "--remove")
    assert removed.exit == 0 and not entries(world), removed.stderr
    assert world.run("cache", "verify").exit == 0
    again = world.bootstrap("one")
    assert again.exit == 0 and again.wheels() == good, again.stderr

    running = world.start("bootstrap", "slow", "-o", "other")
    begun = time.monotonic()
    while not list((world.work / "other").glob("*/logs/slow-*.log")) and time.monotonic() < begun + 60:
        time.sleep(0.05)
    import subprocess
    busy = subprocess.run([str(world.program), "cache", "prune", "--keep", "1"], cwd=world.work, env=world.environment(),
                          capture_output=True, text=True, check=False)
    assert busy.returncode == 5 and "cache-busy" in busy.stderr, busy.stderr
    assert world.finish(running).exit == 0

    kept = entries(world)
    dry = world.run("cache", "prune", "--older-than", "30", "--dry-run")
    assert dry.exit == 0 and entries(world) == kept, dry.stderr
    long_ago = time.time() - 40 * 86400
    for entry in kept:
        os.utime(entry, (long_ago, long_ago))
    assert world.bootstrap("one").report["counts"]["reused"] == 1
    pruned = world.run("cache", "prune", "--older-than", "30")
    left = entries(world)
    assert pruned.exit == 0 and len(left) == 1 and left[0] in kept, "what was used stays: " + pruned.stdout
    changed_tree(world)
    surroundings(world, good)


def changed_tree(world):
    """What lies unpacked goes into builds, so it must be what it was."""
    trees = world.root / "cache" / "trees" / "trees"
    changed = next(trees.glob("*/root/pyvenv.cfg"))
    changed.write_text(changed.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    found = world.run("cache", "verify")
    assert found.exit == 4 and "was changed since it was made: pyvenv.cfg" in found.stdout, found.stdout
    refused = world.bootstrap("one", "--env", "OTHER=inputs", "-o", "changed")
    assert refused.exit == 4 and "[tree-changed]" in refused.stderr and "cache verify --remove" in refused.stderr, refused.stderr
    assert world.run("cache", "verify", "--remove").exit == 0 and not changed.exists()
    assert world.bootstrap("one", "--env", "OTHER=inputs", "-o", "changed").exit == 0


def surroundings(world, good):
    """A cache on a disk that is read-only, or full."""
    if not shutil.which("bwrap"):
        return
    cache = str(world.root / "cache")
    view = ("bwrap", "--dev-bind", "/", "/", "--die-with-parent")
    if world.run("cache", "size", prefix=view).exit != 0:
        return
    read_only = world.bootstrap("one", prefix=(*view, "--ro-bind", cache, cache))
    assert read_only.exit == 5 and "cache-unusable" in read_only.stderr, read_only.stderr
    assert "--cache-dir" in read_only.stderr
    assert world.run("cache", "verify", prefix=(*view, "--ro-bind", cache, cache)).exit == 0
    full = world.bootstrap("slow", "one", "-o", "full", prefix=(*view, "--size", "65536", "--tmpfs", cache))
    assert full.exit == 5 and "disk-full" in full.stderr and "--cache-dir" in full.stderr, full.stderr
    world.forget_output()
    after = world.bootstrap("one")
    assert after.exit == 0 and after.wheels() == good, after.stderr
