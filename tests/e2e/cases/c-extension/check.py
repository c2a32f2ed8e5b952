# SPDX-License-Identifier: Apache-2.0
"""The module works from an unpacked wheel, and two builds of it are the same bytes."""
import subprocess
import sys
import zipfile


def check(world, results):
    wheel, = (results[0].out / "cpu" / "wheels").glob("native-*.whl")
    assert "linux_" in wheel.name, wheel.name
    site = world.root / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    subprocess.run([sys.executable, "-c", "import native; assert native.answer() == 42"],
                   env={"PYTHONPATH": str(site)}, check=True)
    first = wheel.read_bytes()
    world.forget_cache()
    world.forget_output()
    again = world.bootstrap("native")
    assert again.wheels() == {wheel.name: first}, "a second build from nothing gives other bytes"
