# SPDX-License-Identifier: Apache-2.0
"""The refused bytes are not left in the cache."""


def check(world, results):
    left = [path for path in (world.root / "cache").rglob("tampered*") if path.is_file()]
    assert not left, left
