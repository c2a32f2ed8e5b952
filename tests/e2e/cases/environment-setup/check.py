# SPDX-License-Identifier: Apache-2.0
"""Both builds saw the outcome of the same run of the command."""
import zipfile


def check(world, _):
    wheels = world.work / "out" / "site" / "wheels"
    texts = [zipfile.ZipFile(wheels / f"{name}-1.0-py3-none-any.whl").read(f"{name}.py") for name in ("first", "second")]
    assert texts[0] == texts[1] != b"", texts
