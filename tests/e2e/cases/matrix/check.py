# SPDX-License-Identifier: Apache-2.0
"""A toolchain's version is a fact that couplings speak of."""
import json


def check(world, results):
    cells = {tuple(cell["values"].values()): cell for cell in json.loads(results[1].stdout)["cells"]}
    assert [cell["solvable"] for cell in cells.values()] == [True, True, False, True], cells
    assert "torch 2.10 needs ROCm 7.2" in cells["2.10", "7.1"]["reason"]
    assert cells["2.9", "7.2"]["versions"]["torch"] == "2.9.1"
