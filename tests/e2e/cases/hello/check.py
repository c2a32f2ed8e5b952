# SPDX-License-Identifier: Apache-2.0
"""In a copy of the folder, and in an empty one."""
import pathlib
import shutil

HELLO = pathlib.Path(__file__).resolve().parents[4] / "examples" / "hello"


def check(world, _):
    empty = world.bootstrap("--variant", "cpu")
    assert empty.exit == 2, empty.stderr
    for way in ("wheelforge bootstrap requests", "-r requirements.txt", "-c constraints.txt", "wheelforge.yaml"):
        assert way in empty.stderr, f"does not name {way}:\n{empty.stderr}"
    for path in HELLO.iterdir():
        if path.is_file():
            shutil.copy(path, world.work)
    done = world.bootstrap("--variant", "cpu")
    assert done.exit == 0, done.stderr
    assert sorted(done.wheels()) == ["click-1.0-py3-none-any.whl", "markupsafe-1.0-py3-none-any.whl"], done.wheels()
