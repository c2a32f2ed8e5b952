# SPDX-License-Identifier: Apache-2.0
"""The environment that the first build wrote down."""
import json
import subprocess
import zipfile


def check(world, results):
    wheel, = (world.work / "out" / "child" / "wheels").glob("sees-*.whl")
    seen = json.loads(zipfile.ZipFile(wheel).read("sees.json"))
    wanted = {"FIRST": "one", "SECOND": "one-two", "REPLACED": "file", "FLAGS": "-O2 -g", "FROM_FILE": "a b",
              "PRICE": "5$", "WHOLE": "all of one", "CHANGED": "12.5", "OWN": "one-two+own", "MY_ARCHS": "fast"}
    assert {name: seen.get(name) for name in wanted} == wanted, seen
    for name in ("GONE", "NOBODY", "ROCM_SECRET", "HSA_LIKE", "ALWAYS"):
        assert name not in seen, f"{name}={seen[name]}"
    script = "set -e; . ./runtime-env.sh; printf '%s|%s|%s' \"$ALWAYS\" \"$WHEN_FAST\" \"${WHEN_SLOW-unset}\""
    told = subprocess.run(["sh", "-c", script], cwd=world.work / "out" / "child", capture_output=True, text=True,
                          check=True).stdout
    assert told == "it's on|1|unset", told
