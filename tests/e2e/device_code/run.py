#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds an extension of examples/ with a real compiler, and looks at its device code.

usage: run.py PROGRAM hip|hip-newest|cuda

hip: the distribution's hipcc; hip-newest: clang 22 of tests/setup --with rocm; cuda: nvcc of
tests/setup --with cuda. `bootstrap` gets one --arch list and the settings of the example; the wheel must
hold kernels for exactly those, as `inspect` says and as llvm-readelf or cuobjdump say. Exit status 77: skipped.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

sys.dont_write_bytecode = True
REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "tests" / "support"))
import real_index  # noqa: E402

CACHE = real_index.cache()
CLANG = CACHE / "rocm-clang-22"
CUDA = CACHE / "cuda-13.0"
CUOBJDUMP = CACHE / "cuobjdump-13.5" / "bin" / "cuobjdump"


class Hip:
    example, variant = "hip-extension", "rocm"

    def __init__(self, root, archs):
        self.asked, self.archs, self.environment = archs, archs, {"ROCM_PATH": str(root)}
        if not (root / "bin" / "hipcc").exists():
            real_index.skip(f"no {root}/bin/hipcc: tests/setup --with rocm")

    def independent(self, library):
        """Kernels per architecture, by LLVM's own programs."""
        tools = CLANG / "usr/lib/llvm-22/bin"
        if not tools.exists():
            return None
        environment = {"LD_LIBRARY_PATH": f"{CLANG}/usr/lib/x86_64-linux-gnu:{CLANG}/usr/lib/llvm-22/lib",
                       "PATH": "/usr/bin:/bin"}
        bundle = library.with_suffix(".bundle")
        run(["objcopy", "-O", "binary", "-j", ".hip_fatbin", library, bundle])
        option = ["--type=o", f"--input={bundle}"]
        targets = run([tools / "clang-offload-bundler", "--list", *option], env=environment).split()
        kernels = {}
        for target in targets:
            if "gfx" in target:
                code = library.with_suffix(".co")
                run([tools / "clang-offload-bundler", "--unbundle", *option, f"--targets={target}",
                     f"--output={code}"], env=environment)
                table = run([tools / "llvm-readelf", "-sW", code], env=environment)
                kernels[target[target.index("gfx"):]] = set(re.findall(r"(\w+)\.kd$", table, re.MULTILINE))
        return kernels


class Cuda:
    example, variant = "cuda-extension", "cuda"

    def __init__(self):
        self.asked, self.environment = ["8.0", "9.0+PTX"], {"CUDA_HOME": str(CUDA)}
        self.archs = ["sm_80", "sm_90", "compute_90"]
        if not (CUDA / "bin" / "nvcc").exists():
            real_index.skip("no nvcc: tests/setup --with cuda")

    def independent(self, library):
        if not CUOBJDUMP.exists():
            return None
        found = run([CUOBJDUMP, "-lelf", library]) + run([CUOBJDUMP, "-lptx", library])
        # PTX is listed under the name of the chip it was made for.
        names = re.findall(r"\.(sm_\d+[af]?)\.(cubin|ptx)", found)
        return {arch if kind == "cubin" else arch.replace("sm", "compute"): None for arch, kind in names}


CASES = {
    "hip": lambda: Hip(pathlib.Path("/usr"), ["gfx90a", "gfx1030"]),
    "hip-newest": lambda: Hip(CLANG, ["gfx942", "gfx950", "gfx1151"]),
    "cuda": Cuda,
}


def run(command, **kwargs):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **kwargs)
    assert done.returncode == 0, f"{command[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def pack(example, folder):
    """The sdist of an example."""
    pyproject = (example / "pyproject.toml").read_text(encoding="utf-8")
    name, version = (re.search(rf'^{key} = "(.*)"', pyproject, re.MULTILINE)[1] for key in ("name", "version"))
    stem = f"{name.replace('-', '_')}-{version}"
    info = folder / "PKG-INFO"
    info.write_text(f"Metadata-Version: 2.2\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    with tarfile.open(folder / f"{stem}.tar.gz", "w:gz") as archive:
        archive.add(info, f"{stem}/PKG-INFO")
        for path in sorted(example.rglob("*")):
            if path.is_file() and path.parent.name != "settings":
                archive.add(path, f"{stem}/{path.relative_to(example)}")
    info.unlink()
    return name


def held(program, wheel):
    """Kernels per architecture, by `inspect`."""
    report = json.loads(run([program, "inspect", "--format", "json", wheel]))
    kernels = {}
    for file in report["files"]:
        for code in file["device_code"]:
            if code["kernels"]:
                kernels.setdefault(code["arch"], set()).update(code["kernels"])
    return kernels


def check(program, case, root):
    example = REPOSITORY / "examples" / case.example
    name = pack(example, root)
    environment = {**real_index.environment(), **case.environment}
    run([program, "bootstrap", name, "-f", root, "--variant", case.variant, "--arch", ",".join(case.asked),
         "--settings-dir", example / "settings", "-o", root / "out"], env=environment, cwd=root)
    wheel, = (root / "out" / case.variant / "wheels").glob(f"{name.replace('-', '_')}-*.whl")
    ours = held(program, wheel)
    assert set(ours) == set(case.archs), f"the wheel holds {sorted(ours)}, asked for {case.archs}"
    assert all(len(kernels) == 2 for kernels in ours.values()), ours
    with zipfile.ZipFile(wheel) as archive:
        member, = (each for each in archive.namelist() if each.endswith(".so"))
        library = pathlib.Path(archive.extract(member, root))
    theirs = case.independent(library)
    if theirs is None:
        print("nobody else's opinion: tests/setup --with rocm,cuda")
    else:
        assert set(theirs) == set(ours), f"others see {sorted(theirs)}, we see {sorted(ours)}"
        assert all(kernels is None or kernels == ours[arch] for arch, kernels in theirs.items()), (theirs, ours)


def main():
    program, name = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    case = CASES[name]()
    if not shutil.which("objcopy"):
        real_index.skip("no objcopy")
    if not real_index.answers():
        real_index.skip("no package index answers")
    with tempfile.TemporaryDirectory(prefix="wf-device-") as root:
        check(program, case, pathlib.Path(root))
    print("ok")


main()
