# SPDX-License-Identifier: Apache-2.0
"""How long `inspect` takes for a published wheel of 16 GPU libraries, on one core.

usage: run.py SOURCE BUILD
Builds the program optimised, reads the unpacked libraries (at most 0.5 s) and the wheel (at most
1 s), and prints the ratio to a plain reader in Python. Exit code 77 (skipped) without the wheel.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
BUDGETS = {"unpacked": 0.5, "wheel": 1.0}


def build(source, folder):
    subprocess.run(
        ["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
        check=True, stdout=subprocess.DEVNULL,
    )
    subprocess.run(["cmake", "--build", folder, "--target", "bench_inspect"], check=True)
    return pathlib.Path(folder, "tests", "bench", "bench_inspect")


def published_wheel():
    """Path of bitsandbytes' wheel in the cache of the tests, or None."""
    command = [HERE.parent / "samples" / "published", "env"]
    result = subprocess.run(command, capture_output=True, text=True)
    for line in result.stdout.splitlines():
        if line.startswith("WHEELFORGE_PUBLISHED_WHEELS="):
            return next(pathlib.Path(line.split("=", 1)[1]).glob("bitsandbytes-*.whl"), None)
    return None


def measure(command, path):
    """Seconds and number of kernels."""
    result = subprocess.run([*command, path], check=True, capture_output=True, text=True)
    seconds, kernels = result.stdout.split()
    return float(seconds), int(kernels)


def main(source, folder):
    wheel = published_wheel()
    if wheel is None:
        print("skipped: the published wheels cannot be had")
        return SKIPPED
    program = build(source, folder)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    late = []
    with tempfile.TemporaryDirectory() as unpacked:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(unpacked, [name for name in archive.namelist() if name.endswith(".so")])
        for what, path in (("unpacked", unpacked), ("wheel", wheel)):
            ours, kernels = measure([program], path)
            plain, plain_kernels = measure([sys.executable, HERE / "plain_reader.py"], path)
            print(f"{what}: {ours:.3f} s, {kernels} kernels; plain Python: {plain:.2f} s, "
                  f"{plain_kernels} kernels; ratio {plain / ours:.1f}")
            if ours > BUDGETS[what]:
                late.append(f"{what} took more than {BUDGETS[what]} s")
    print("; ".join(late) or "within the budgets")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
