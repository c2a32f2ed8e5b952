# SPDX-License-Identifier: Apache-2.0
"""Builds the fuzz targets with clang and runs each for a few seconds.

usage: run.py SOURCE BUILD READER[,READER...] [SECONDS]
Exit code 77 (skipped) where clang++-16 or its fuzzer library is missing.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

COMPILER = "clang++-16"
SKIPPED = 77


def skip(reason: str) -> int:
    print(f"skipped: {reason}")
    return SKIPPED


def has_fuzzer() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "probe.cpp")
        source.write_text(
            "#include <cstddef>\n#include <cstdint>\n"
            'extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t*, std::size_t) { return 0; }\n'
        )
        command = [COMPILER, "-fsanitize=fuzzer,address", source, "-o", pathlib.Path(folder, "probe")]
        return subprocess.run(command, capture_output=True).returncode == 0


def build(source: str, folder: str, targets: list[str]) -> None:
    subprocess.run(
        ["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
         "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1", f"-DCMAKE_CXX_COMPILER={COMPILER}",
         "-DWHEELFORGE_FUZZ=ON"],
        check=True, stdout=subprocess.DEVNULL,
    )
    subprocess.run(["cmake", "--build", folder, "--target", *targets], check=True)


def main(source: str, folder: str, readers: str, seconds: str = "5") -> int:
    if shutil.which(COMPILER) is None:
        return skip(f"there is no {COMPILER}")
    if not has_fuzzer():
        return skip("clang has no fuzzer library (Debian: libclang-rt-16-dev)")
    names = readers.split(",")
    build(source, folder, ["fuzz_make_seeds", *(f"fuzz_{name}" for name in names)])
    programs = pathlib.Path(folder, "tests", "fuzz")
    corpus = programs / "corpus"
    subprocess.run([programs / "fuzz_make_seeds", corpus], check=True)
    failed = []
    for name in names:
        command = [
            programs / f"fuzz_{name}", f"-max_total_time={seconds}", "-timeout=5",
            "-rss_limit_mb=2048", "-print_final_stats=0", f"-artifact_prefix={programs}/{name}-",
            corpus / name,
        ]
        print(f"fuzzing {name}", flush=True)
        result = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if result.returncode != 0:
            failed.append(name)
            print(result.stderr[-4000:])
    print(f"failed: {', '.join(failed)}" if failed else "no crash, no hang")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
