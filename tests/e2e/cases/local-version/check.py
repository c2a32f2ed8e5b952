# SPDX-License-Identifier: Apache-2.0
"""Its SBOM encodes the plus sign; the report has the version as built."""
import zipfile


def check(world, results):
    wheel, = (results[0].out / "cpu" / "wheels").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        sbom = archive.read("torchlike-1.0+cpu.dist-info/sboms/wheelforge.cdx.json").decode()
    assert "pkg:pypi/torchlike@1.0%2Bcpu" in sbom
    assert results[0].package("torchlike")["version"] == "1.0+cpu"
