# SPDX-License-Identifier: Apache-2.0
"""What nothing of the toolchain reaches stays as it is; what is built against it follows."""
import json


def check(_, results):
    of_toolchain = json.loads(results[2].stdout)["variants"]
    by_variant = {each["variant"]: each for each in of_toolchain}
    assert by_variant["cpu"]["verdict"] == "nothing", by_variant["cpu"]
    rocm = by_variant["rocm"]
    assert rocm["verdict"] == "new-stack" and rocm["untouched"] == 1, rocm
    affected = {each["name"]: each for each in rocm["affected"]}
    assert list(affected) == ["kernels", "model"], affected
    assert "rocm" in affected["kernels"]["why"] and affected["model"]["why"] == "it is built with kernels and must match it", affected
    assert all(each["strong"] and each["seconds"] > 0 for each in affected.values()), affected
    of_version = json.loads(results[4].stdout)["variants"]
    assert [each["verdict"] for each in of_version] == ["new-stack"], of_version
    assert "model must match kernels at run time" in of_version[0]["because"], of_version
