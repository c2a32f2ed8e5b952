# SPDX-License-Identifier: Apache-2.0
"""Five kills, spread over the time a run takes; then the run that ends."""
import random
import time


def check(world, results):
    reference = results[0].wheels()
    graph = (results[0].out / "graph.json").read_bytes()
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    world.forget_cache()
    world.forget_output()
    for number in range(5):
        process = world.start("bootstrap", "app")
        time.sleep(results[0].seconds * (number + chance.random()) / 5)
        process.kill()
        process.wait()
    final = world.bootstrap("app")
    assert final.exit == 0, f"seed {seed}: {final.stderr}"
    assert final.wheels() == reference, f"seed {seed}: other wheels"
    assert (final.out / "graph.json").read_bytes() == graph, f"seed {seed}: another graph"
    scratch = list((world.root / "cache" / "scratch").iterdir())
    assert not scratch, f"seed {seed}: left behind {scratch}"
