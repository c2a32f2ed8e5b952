# SPDX-License-Identifier: Apache-2.0
"""Each variant has its own folder with the same wheel."""


def check(world, results):
    assert results[1].wheels(variant="rocm") == results[0].wheels(variant="cpu")
    runtime = {name: (results[1].out / name / "runtime-env.sh").read_text(encoding="utf-8") for name in ("cpu", "rocm")}
    assert "export HSA_NO_SCRATCH_RECLAIM=" in runtime["rocm"], runtime["rocm"]
    assert "export" not in runtime["cpu"], runtime["cpu"]
