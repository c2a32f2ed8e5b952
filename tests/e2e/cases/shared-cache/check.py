# SPDX-License-Identifier: Apache-2.0
"""The second waits for the first and reuses its wheel."""
import json
import subprocess


def check(world, results):
    runs = [subprocess.Popen(
        [str(world.program), "bootstrap", "one", "-o", name], cwd=world.work, env=world.environment(),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for name in "xy"]
    errors = [run.communicate(timeout=240)[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], errors
    counts = [json.loads((world.work / name / "report.json").read_text(encoding="utf-8"))["counts"] for name in "xy"]
    assert sum(count["built"] for count in counts) == 1, counts
    assert sum(count["reused"] for count in counts) == 1, counts
