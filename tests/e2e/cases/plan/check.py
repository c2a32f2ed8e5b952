# SPDX-License-Identifier: Apache-2.0
"""No wheel, no store entry."""


def check(world, results):
    assert not list(results[0].out.rglob("*.whl"))
    assert not list((world.root / "cache" / "entries").rglob("*.whl"))
