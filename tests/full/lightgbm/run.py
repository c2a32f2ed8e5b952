#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LightGBM 4.7: one sdist for CPUs, CUDA and ROCm.

usage: run.py PROGRAM cpu|cuda|rocm

The CPU's wheel is built, installed and trains a model. Those of CUDA and ROCm must hold kernels for the architecture that
was asked for and no other. NCCL comes from the index as the wheel it is; Debian's HIP 5.2 has no RCCL and older names, which
is what rocm/patches are for. Where a toolchain lacks something, that is the reason for which the test is skipped. Exit
status 77: skipped.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import venv

sys.dont_write_bytecode = True
REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "tests" / "support"))
import real_index  # noqa: E402

CUDA = real_index.cache() / "cuda-13.0"
# variant: --arch, variables, the architecture in the wheel, what its toolchain must have
WAYS = {
    "cpu": ([], {}, None, None),
    "cuda": (["--arch", "9.0"], {"CUDA_HOME": str(CUDA)}, "sm_90", CUDA / "bin" / "nvcc"),
    "rocm": (["--arch", "gfx90a"], {"ROCM_PATH": "/usr"}, "gfx90a", pathlib.Path("/usr/bin/hipcc")),
}
PRE_BUILT = ("numpy", "scipy", "narwhals", "cmake", "ninja", "nvidia-nccl-cu13")


def with_nccl(root):
    """The wheel of NCCL has a shared library under its full name only, where FindNCCL does not look; and the C API's sources
    include its header without being told where it is."""
    nccl = f"/build/env/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages/nvidia/nccl"
    arguments = ["${CMAKE_ARGS}", "-DBUILD_WITH_SHARED_NCCL=ON", "-DUSE_NCCL_LIB_PATH=ON",
                 f"-DNCCL_LIBRARY={nccl}/lib/libnccl.so.2", f"-DNCCL_INCLUDE_DIR={nccl}/include"]
    return with_settings(root, {"project_override": {"update_build_requires": ["nvidia-nccl-cu13"]},
                                "env": {"CMAKE_ARGS": " ".join(arguments), "CPATH": f"{nccl}/include"}})


def with_debians_hip(root):
    """CMake looks for the compiler where ROCm's own packages have it, and finds HIP's CMake files too old. That compiler does
    not see by itself which HIP it is for, without which device code has no malloc."""
    version = run(["hipconfig", "--version"]).stdout.split("-")[0]
    variables = {"HIPCXX": "/usr/bin/clang++-15", "HIPFLAGS": f"--hip-version={version}", "CMAKE_POLICY_VERSION_MINIMUM": "3.5"}
    return (*with_settings(root, {"env": variables}),
            "--patches-dir", pathlib.Path(__file__).parent / "rocm" / "patches")


def with_settings(root, settings):
    folder = root / "settings"
    folder.mkdir()
    (folder / "lightgbm.yaml").write_text(json.dumps(settings))
    return "--settings-dir", folder


SETTINGS = {"cpu": lambda root: (), "cuda": with_nccl, "rocm": with_debians_hip}
# What a log says that ends where the toolchain ends.
LACKS = ("NCCL", "rccl", "Could NOT find CUDAToolkit", "hip-lang", "hip/hip_runtime.h", "hipcub", "rocprim", "rocthrust",
         "cub/cub.cuh", "CMAKE_HIP_COMPILER", "CMAKE_CUDA_COMPILER", "cuda_runtime")
TRAINS = """
import lightgbm, numpy
x = numpy.arange(400.0).reshape(200, 2)
model = lightgbm.train({"objective": "regression", "verbose": -1}, lightgbm.Dataset(x, x[:, 0]), 20)
assert abs(model.predict(x[100:101])[0] - x[100, 0]) < 30, model.predict(x[100:101])
"""


def run(command, **kwargs):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **kwargs)


def train(wheels, root):
    """In an environment that has nothing but what came out."""
    venv.create(root / "env", with_pip=True)
    python = root / "env" / "bin" / "python"
    for command in ([python, "-m", "pip", "install", "-q", "--no-index", "-f", wheels, "lightgbm"], [python, "-c", TRAINS]):
        done = run(command, env={"PATH": os.environ["PATH"], "PIP_CONFIG_FILE": os.devnull})
        assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}"


def archs_in(program, wheel):
    report = json.loads(run([program, "inspect", "--format", "json", wheel]).stdout)
    return {code["arch"] for file in report["files"] for code in file["device_code"]}


def errors_in(log):
    """CMake's, which go over several lines, and the compiler's about files that are not there."""
    return re.findall(r"^CMake Error.*\n(?:(?:[ \t].*)?\n)*", log, re.M) + re.findall(r"^.*fatal error: .*$", log, re.M)


def check(program, variant, root):
    archs, variables, wanted, toolchain = WAYS[variant]
    if toolchain is not None and not toolchain.exists():
        real_index.skip(f"no {toolchain}: tests/setup --with rocm,cuda")
    # The program is what is looked at here: what it needs besides is taken as it is.
    pre_built = [word for name in PRE_BUILT for word in ("--pre-built", name)]
    done = run([program, "bootstrap", "lightgbm==4.7.0", "--variant", variant, "--python", sys.executable, *archs, *pre_built,
                *SETTINGS[variant](root), "-o", root / "out"],
               env={**real_index.environment(), **variables}, cwd=root)
    log = root / "out" / variant / "logs" / "lightgbm-4.7.0.log"
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    if done.returncode == 1 and variant != "cpu":
        lacking = [" ".join(error.split()) for error in errors_in(text) if any(word in error for word in LACKS)]
        assert lacking, f"it failed for no reason that is known:\n{text[-4000:]}"
        real_index.skip(f"as far as the toolchain goes: {lacking[0]}")
    assert done.returncode == 0, f"ended with {done.returncode}:\n{done.stdout}{done.stderr}{text[-4000:]}"
    wheel, = (root / "out" / variant / "wheels").glob("lightgbm-*.whl")
    if wanted is None:
        assert not archs_in(program, wheel)
        train(root / "out" / variant / "wheels", root)
    else:
        assert archs_in(program, wheel) == {wanted}


def main():
    if not real_index.answers():
        real_index.skip("no package index answers")
    with tempfile.TemporaryDirectory(prefix="wf-lightgbm-") as root:
        check(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], pathlib.Path(root))
    print("ok")


main()
