# SPDX-License-Identifier: Apache-2.0
"""As `killed`, more often."""
import pathlib
import runpy

KILLED = runpy.run_path(str(pathlib.Path(__file__).parents[1] / "killed" / "check.py"))


def check(world, results):
    KILLED["check"](world, results, kills=200)
