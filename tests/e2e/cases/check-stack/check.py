# SPDX-License-Identifier: Apache-2.0
"""Nothing is built and nothing written."""
import json


def check(world, results):
    assert not (world.work / "out").exists()
    findings = {(each["id"], each["package"]): each for each in json.loads(results[1].stdout)["findings"]}
    assert findings["only-wheels", "torch"]["needs"] == "pre_built"
    assert findings["only-wheels", "torch"]["origin"].startswith("rocm.txt:")
    assert findings["not-on-index", "aotriton"]["needs"] == "git"
    assert findings["version-not-on-index", "amd-aiter"]["version"] == "0.1.10.post2"
    assert findings["constraint-unused", "aiter"]["level"] == "warning"
    assert "amd-aiter" in findings["constraint-unused", "aiter"]["message"]
    # The rocm variant leaves out what torch's published wheel requires of CUDA.
    assert not any(package == "nvidia-cublas" for _, package in findings)
