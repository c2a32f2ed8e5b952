# SPDX-License-Identifier: Apache-2.0
"""Every archive of harness/hostile.py, and those that depend on options or are accepted after all."""
import gzip
import os
import stat
import tarfile

from harness import hostile


def refuse(world, name, data, words, *options):
    path = world.work / name
    path.write_bytes(data)
    result = world.run("unpack", name, "tree", *options)
    assert result.exit == 4, f"{name}: exit {result.exit}\n{result.stderr}"
    assert result.stdout == "" and words in result.stderr, f"{words!r} is not in\n{result.stderr}"
    assert "\x1b" not in result.stderr and result.stderr.count("\n") < 12, result.stderr
    path.unlink()
    left = sorted(os.listdir(world.work))
    assert left == [], f"{name} left {left}"
    assert not (world.root / "escaped").exists() and not os.path.exists("/tmp/escaped")


def refused_tars(world):
    for what, members, words in hostile.TARS:
        try:
            refuse(world, "evil-1.0.tar.gz", gzip.compress(hostile.tar_bytes(*members)), words)
        except AssertionError as error:
            raise AssertionError(f"{what}: {error}") from error
    whole = gzip.compress(hostile.tar_bytes(hostile.FINE, (hostile.ROOT + "/b", os.urandom(4000))))
    refuse(world, "evil-1.0.tar.gz", whole[:len(whole) // 2], "archive-damaged")
    refuse(world, "evil-1.0.tar.gz", whole + b"trailing", "archive-trailing")
    refuse(world, "evil-1.0.tar.gz", b"<!DOCTYPE html><html><body>Sign in</body></html>", "archive-")
    nul = hostile.raw_header(b"evil-1.0/a\0/../../../escaped", 1) + b"x" + bytes(511) + bytes(1024)
    refuse_or_cut(world, gzip.compress(nul))


def refuse_or_cut(world, data):
    """A name ends at NUL in this format; what is behind must not count."""
    (world.work / "evil-1.0.tar.gz").write_bytes(data)
    result = world.run("unpack", "evil-1.0.tar.gz", "tree")
    assert result.exit in (0, 4) and not (world.root / "escaped").exists(), result.stderr
    if result.exit == 0:
        assert sorted(os.listdir(world.work / "tree" / hostile.ROOT)) == ["a"]
    world.run_clean()


def limits(world):
    bomb = gzip.compress(hostile.tar_bytes((hostile.ROOT + "/zeros", bytes(80 << 20))), 9)
    refuse(world, "evil-1.0.tar.gz", bomb, "archive-limit", "--max-unpacked", "16M")
    many = gzip.compress(hostile.tar_bytes(*[(f"{hostile.ROOT}/{number}", b"") for number in range(50)]))
    refuse(world, "evil-1.0.tar.gz", many, "archive-limit", "--max-files", "20")
    refuse(world, "evil-1.0-py3-none-any.whl", hostile.wheel_bytes([("zeros", bytes(40 << 20))]), "zip-limit", "--max-unpacked", "16M")
    refuse(world, "evil-1.0-py3-none-any.whl", hostile.wheel_bytes([(f"m/{number}.py", b"") for number in range(50)]), "zip-limit", "--max-files", "20")


def accepted(world):
    rough = tarfile.TarInfo(hostile.ROOT + "/run")
    rough.mode = 0o6777
    (world.work / "evil-1.0.tar.gz").write_bytes(gzip.compress(hostile.tar_bytes(
        hostile.PKG_INFO, (rough, b"#!/bin/sh\n"), hostile.special(hostile.ROOT + "/link", tarfile.SYMTYPE, "run"))))
    result = world.run("unpack", "evil-1.0.tar.gz", "tree", "--max-unpacked", "16M")
    assert result.exit == 0 and result.stdout == "tree/evil-1.0\n", result
    mode = os.stat(world.work / "tree" / hostile.ROOT / "run").st_mode
    assert stat.S_IMODE(mode) == 0o755, oct(mode)
    again = world.run("unpack", "evil-1.0.tar.gz", "tree")
    assert again.exit == 2 and "[folder-not-empty]" in again.stderr, again.stderr
    (world.work / "evil-1.0-py3-none-any.whl").write_bytes(hostile.wheel_bytes())
    (world.work / "empty").mkdir()
    result = world.run("unpack", "evil-1.0-py3-none-any.whl", "empty")
    assert result.exit == 0 and (world.work / "empty" / "evil.py").is_file(), result.stderr
    for arguments in ((), ("nothing-1.0.tar.gz", "x"), ("evil-1.0.tar.gz", "x", "--max-unpacked", "much")):
        assert world.run("unpack", *arguments).exit == 2, arguments


def told(world):
    """Odd, but not refused: each a warning, and the tree is complete."""
    twice = gzip.compress(hostile.tar_bytes(hostile.PKG_INFO, hostile.FINE, hostile.FINE))
    case = gzip.compress(hostile.tar_bytes(hostile.FINE, (hostile.ROOT + "/A.TXT", b"b")))
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    form = gzip.compress(hostile.tar_bytes((f"{hostile.ROOT}/{composed}", b"a"), (f"{hostile.ROOT}/{decomposed}", b"b")))
    latin = hostile.wheel_bytes(info=b"Metadata-Version: 2.1\nName: evil\nVersion: 1.0\nSummary: caf\xe9\n")
    cased = hostile.wheel_bytes([("Evil.py", b"x = 2\n")])
    for name, data, words, files in (
            ("evil-1.0.tar.gz", twice, "evil-1.0/a.txt\" is listed more than once, the same each time", 2),
            ("evil-1.0.tar.gz", case, "\"evil-1.0/a.txt\" and \"evil-1.0/A.TXT\" differ by case only", 2),
            ("evil-1.0.tar.gz", form, "differ by the normal form of Unicode only", 2),
            ("evil-1.0-py3-none-any.whl", latin, "metadata-encoding", 4),
            ("evil-1.0-py3-none-any.whl", cased, "\"evil.py\" and \"Evil.py\" differ by case only", 5)):
        world.run_clean()
        (world.work / name).write_bytes(data)
        result = world.run("unpack", name, "tree")
        assert result.exit == 0 and result.stderr.count("warning: ") == 1 and words in result.stderr, result
        made = [path for path in (world.work / "tree").rglob("*") if path.is_file()]
        assert len(made) == files, made


def check(world, results):
    def clean():
        for name in os.listdir(world.work):
            os.system(f"rm -rf '{world.work / name}'")
    world.run_clean = clean
    refused_tars(world)
    for what, data, words, *options in hostile.WHEELS:
        try:
            refuse(world, "evil-1.0-py3-none-any.whl", data, words, *options)
        except AssertionError as error:
            raise AssertionError(f"{what}: {error}") from error
    limits(world)
    accepted(world)
    told(world)
