#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives SBOMs to a validator that is not ours: cyclonedx-python-lib's strict one.

usage: validate.py FOLDER...    every *.cdx.json below the folders

The validator is installed once, from the index pip is configured for, into the cache of the tests.
Exit status 77 (skipped) when that is not possible.
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from real_index import tool_environment, skip  # noqa: E402

PROGRAM = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
validator = JsonStrictValidator(SchemaVersion.V1_6)
bad = 0
for name in sys.argv[1:]:
    error = validator.validate_str(open(name, encoding="utf-8").read())
    if error is not None:
        bad += 1
        print(f"{name}: {error}")
broken = open(sys.argv[1], encoding="utf-8").read().replace('"library"', '"nonsense"')
assert validator.validate_str(broken) is not None, "the validator accepts anything"
print(f"{len(sys.argv) - 1} documents, {bad} invalid")
sys.exit(1 if bad else 0)
"""


def main():
    files = sorted(str(path) for folder in sys.argv[1:] for path in pathlib.Path(folder).rglob("*.cdx.json"))
    if not files:
        sys.exit("no *.cdx.json given")
    python = tool_environment("cyclonedx", ["cyclonedx-python-lib[json-validation]>=9"])
    if python is None:
        skip("the validator cannot be installed: no package index answers")
    sys.exit(subprocess.run([python, "-c", PROGRAM, *files], check=False).returncode)


main()
