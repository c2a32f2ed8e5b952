# SPDX-License-Identifier: Apache-2.0
"""Nothing was left on this machine, and the tool is unharmed for the next build."""
import os


def check(world, results):
    for path in ("/usr/vandal", "/vandal", "/etc/vandal", "/var/tmp/vandal", "/tmp/vandal-was-here"):
        assert not os.path.exists(path), path
    world.forget_output()
    for entry in (world.root / "cache" / "entries").rglob("victim*.whl"):
        entry.unlink()
    again = world.bootstrap("victim")
    assert again.wheels() == results[0].wheels()
