# SPDX-License-Identifier: Apache-2.0
"""The record names what was translated."""
import json
import zipfile


def check(world, _):
    out = world.work / "out" / "site"
    record, = (out / "records").glob("kernels-*.json")
    build = json.loads(record.read_text())["build"]
    assert [file["path"] for file in build["translated"]] == ["csrc/scale.hip"], build["translated"]
    with zipfile.ZipFile(next((out / "wheels").glob("*.whl"))) as wheel:
        assert "hipFree" in wheel.read("kernels.txt").decode()
