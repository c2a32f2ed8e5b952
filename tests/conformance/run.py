# SPDX-License-Identifier: Apache-2.0
"""run.py PEP_LINES KIND: compares one kind of answers with the `packaging` library.

The library comes from the index that pip is configured for, into a venv that is made once; without
an index the test is skipped. The comparison itself is compare.py, run by that venv's Python.
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import real_index  # noqa: E402

# The semantics that docs/pep.md promises; a later release may differ and is then looked at first.
PACKAGING = "packaging==26.3"


def main():
    program, kind = sys.argv[1:]
    python = real_index.tool_environment("packaging", [PACKAGING])
    if python is None:
        real_index.skip(f"no index gives {PACKAGING}")
    done = subprocess.run(
        [python, HERE / "compare.py", program, kind],
        env=real_index.environment(), stdin=subprocess.DEVNULL, check=False,
    )
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
