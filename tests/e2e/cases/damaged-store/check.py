# SPDX-License-Identifier: Apache-2.0
"""One bit of the stored wheel flips."""


def check(world, results):
    good = results[0].wheels()
    stored, = (world.root / "cache" / "entries").rglob("*.whl")
    data = bytearray(stored.read_bytes())
    data[len(data) // 2] ^= 1
    stored.unlink()
    stored.write_bytes(bytes(data))
    again = world.bootstrap("one")
    assert again.exit == 0 and again.report["counts"]["built"] == 1, again.stderr
    assert "damaged" in again.stderr, again.stderr
    assert again.wheels() == good
