# SPDX-License-Identifier: Apache-2.0
"""An image with an SDK, and another one with a newer SDK."""
import pathlib
import runpy
import sys
import zipfile

IMAGE = runpy.run_path(str(pathlib.Path(__file__).parents[1] / "host-environment" / "check.py"))
SDK = """
import pathlib


def main():
    print(pathlib.Path(__file__).parent / "_fake_sdk")
"""
VARIANT = """
extends: base
toolchain:
  name: SDK
  roots: [{python: [fake-sdk, path], distributions: [fake-sdk-devel]}]
  marker: [bin/fake-hipcc]
  env: {SDK_ROOT: "${toolchain.root}", SDK_VERSION: "${toolchain.release}"}
  mend: [install it]
"""


def make_image(world, name, version):
    site = world.work / name / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    IMAGE["install"](site, "fake_sdk_devel", version, {
        "fake_sdk.py": SDK, "_fake_sdk/bin/fake-hipcc": "",
        f"fake_sdk_devel-{version}.dist-info/entry_points.txt": "[console_scripts]\nfake-sdk = fake_sdk:main\n"})


def check(world, _):
    for folder, file, text in (("variants", "sdk.yaml", VARIANT), ("settings", "kernels.yaml", "uses: [toolchain]\n")):
        (world.work / folder).mkdir()
        (world.work / folder / file).write_text(text, encoding="utf-8")
    for image, version in (("image", "6.4.1"), ("newer", "7.2.0")):
        make_image(world, image, version)
        result = world.bootstrap("kernels", "--variant", "sdk", "--settings-dir", "settings", "--host-environment", image,
                                 "-o", image)
        assert result.exit == 0, result.stderr
        with zipfile.ZipFile(world.work / image / "sdk" / "wheels" / "kernels-1.0-py3-none-any.whl") as wheel:
            told = wheel.read("version.txt").decode()
        assert told == version.rpartition(".")[0], f"{told!r} of {version}"
