# SPDX-License-Identifier: Apache-2.0
"""Backends that leave each of the hostile wheels of harness/hostile.py."""
import struct

from harness import hostile

FILE = "evil-1.0-py3-none-any.whl"


def shared_object():
    """The header of a shared object of x86-64, without a single section."""
    return b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, 0, 0, 64, 56, 0, 64, 0, 0)


def build(world, wheel):
    """Packs a project whose backend leaves these bytes, and builds it."""
    for old in world.files.iterdir():
        old.unlink()
    world.add_projects([{"name": "evil", "build": f"""
import base64
with open(wheel_directory + "/{FILE}", "wb") as file:
    file.write(base64.b64decode({hostile.base64.b64encode(wheel).decode()!r}))
wheel = "{FILE}"
"""}])
    world.forget_output()
    return world.run("bootstrap", "evil")


def published(world):
    return list((world.root / "cache" / "entries").glob("*/*/entry.json"))


def refused(world, what, wheel, words):
    result = build(world, wheel)
    told = f"{what}: exit {result.exit}\n{result.stderr}"
    assert result.exit == 4 and "[" in result.stderr, told
    assert words in result.stderr, f"{words!r} is not in {told}"
    assert not result.wheels() and not published(world), told
    assert "\x1b" not in result.stderr, told


def check(world, results):
    for what, wheel, words, *options in hostile.WHEELS:
        if not options:
            refused(world, what, wheel, "" if words == "tag" else words)
    refused(world, "ELF in a wheel for any platform", hostile.wheel_bytes([("evil/speedups.so", shared_object())]), "plat-tag")
    odd = build(world, hostile.wheel_bytes(info=b"Metadata-Version: 2.1\nName: evil\nVersion: 1.0\nSummary: caf\xe9\n"))
    assert odd.exit == 0 and list(odd.wheels()) == [FILE], odd.stderr
    assert "metadata-encoding" in str(odd.package("evil")), odd.package("evil")
