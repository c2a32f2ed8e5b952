# SPDX-License-Identifier: Apache-2.0
"""Kills, spread over the time a run takes; after each the store is sound, and what is in it stays; then the run that ends."""
import random
import time


def stored(world):
    """What is published, with proof that it is still the same file."""
    return {path.parent.name: path.stat().st_ino for path in (world.root / "cache" / "entries").glob("*/*/entry.json")}


def check(world, results, kills=10):
    reference = results[0].wheels()
    graph = (results[0].out / "graph.json").read_bytes()
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    world.forget_cache()
    world.forget_output()
    before = {}
    for number in range(kills):
        process = world.start("bootstrap", "app")
        time.sleep(results[0].seconds * (number % 5 + chance.random()) / 5)
        process.kill()
        process.wait()
        now = stored(world)
        assert before.items() <= now.items(), f"seed {seed}, kill {number}: a finished build was repeated"
        before = now
        if now:
            sound = world.run("cache", "verify")
            assert sound.exit == 0, f"seed {seed}, kill {number}: {sound.stdout}{sound.stderr}"
    final = world.bootstrap("app")
    assert final.exit == 0, f"seed {seed}: {final.stderr}"
    assert final.report["counts"]["built"] == 5 - len(before), f"seed {seed}: {final.report['counts']}"
    assert final.wheels() == reference, f"seed {seed}: other wheels"
    assert (final.out / "graph.json").read_bytes() == graph, f"seed {seed}: another graph"
    scratch = list((world.root / "cache" / "scratch").iterdir())
    assert not scratch, f"seed {seed}: left behind {scratch}"
