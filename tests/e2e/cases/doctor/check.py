# SPDX-License-Identifier: Apache-2.0
"""PATH is made here, toolchains are files of their names: nothing depends on what the machine has.

Programs of the system are looked for where builds find them. So what is expected of the system's own cmake is
asked of it, and the rules for such programs are proved by a variant of the test's own.
"""
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from harness.world import check as check_schema

SYSTEM = "/usr/local/bin:/usr/bin:/bin"
VARIANTS = ("cpu", "cuda", "rocm", "gaudi", "tpu", "spyre")
# variant: name of its toolchain, where it is looked for in vain, what may be there all the same
WANTING = {
    "cuda": ("CUDA", ("CUDA_HOME: not set", "CUDA_PATH: not set", "nvcc: not on PATH", "/usr/local/cuda: not there"),
             "/usr/local/cuda*"),
    "rocm": ("ROCm", ("ROCM_PATH: not set", "ROCM_HOME: not set", "HIP_PATH: not set", "hipcc: not on PATH",
                      "/opt/rocm: not there", "/opt/rocm-*: not there", "rocm-sdk path --root: not in the interpreter"),
             "/opt/rocm*"),
    "gaudi": ("Gaudi software", ("/usr/lib/habanalabs: not there", "/opt/habanalabs: not there"), "/*/*/habanalabs"),
    "spyre": ("Spyre software", ("SENLIB_INSTALL_DIR: not set", "/opt/sentient: not there"), "/opt/sentient"),
}
ROCM_CLANG = "#!/bin/sh\necho 'Target: amdgcn'; echo '\tgfx90a'; echo '\tgfx942'; echo '\tgfx1100'\n"
NVCC = """#!/bin/sh
case "$1" in
--list-gpu-code) echo sm_80; echo sm_90; echo sm_120;;
*) echo 'Cuda compilation tools, release 13.0, V13.0.88';;
esac
"""


def write(path, text="", mode=0o755):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


class Doctor:
    def __init__(self, world):
        self.world = world
        self.path = world.root / "bin"
        write(self.path / "sh-is-elsewhere")
        self.last = None

    def ask(self, *arguments, **variables):
        environment = {"PATH": str(self.path), **variables}
        text = self.world.run("doctor", "--python", sys.executable, "--offline", *arguments, env=environment)
        result = self.world.run("doctor", "--python", sys.executable, "--offline", "--format", "json", *arguments,
                                env=environment)
        assert result.exit == text.exit in (0, 2), f"{arguments} ended with {text.exit}, {result.exit}: {text.stderr}"
        assert result.cpu_seconds < 2, f"{arguments} took {result.cpu_seconds} s"
        self.last = json.loads(result.stdout)
        check_schema(self.last, "doctor")
        assert self.last["fit"] == (result.exit == 0)
        for row in self.last["diagnoses"]:
            if row["health"] == "missing":
                assert row["mend"], f"nothing mends {row}"
                lines = text.stdout.splitlines()
                line = next(i for i, each in enumerate(lines) if each.startswith("missing") and row["subject"] in each)
                assert lines[line + 1].split() == ["->", *row["mend"][0].split()], lines[line:line + 2]
        return self

    def row(self, subject, health):
        found = [row for row in self.last["diagnoses"] if row["subject"] == subject]
        assert found, f"nothing about {subject}: {self.last['diagnoses']}"
        assert found[0]["health"] == health, found[0]
        return found[0]["found"]


def system_version(program, pattern, *arguments):
    found = shutil.which(program, path=SYSTEM)
    if not found:
        return None
    told = subprocess.run([found, *arguments], capture_output=True, text=True, check=False).stdout
    match = re.search(pattern, told)
    return tuple(map(int, match[1].split("."))) if match else None


def plain_machine(doctor):
    for variant in VARIANTS:
        doctor.ask("--variant", variant)
        if variant not in WANTING:
            assert doctor.row(variant, "ok") == "none is needed"
            continue
        name, tried, places = WANTING[variant]
        if not glob.glob(places):
            found = doctor.row(name, "missing")
            assert all(each in found for each in tried), found
    cmake = system_version("cmake", r"cmake version ([\d.]+)", "--version")
    doctor.ask("--variant", "rocm")
    if cmake is None or glob.glob("/opt/rocm*"):
        return
    found = doctor.row("cmake", "ok" if cmake >= (3, 28, 3) else "missing")
    version = ".".join(map(str, cmake))
    assert version in found and (cmake >= (3, 28, 3) or f"{version} < 3.28.3" in found), found


def shadow(doctor):
    """pip's cmake is a script of its Python."""
    pips = write(doctor.path / "cmake", f"#!{sys.executable}\nprint('cmake version 4.1.0')\n")
    doctor.ask("--variant", "rocm")
    found = doctor.row("cmake on PATH", "missing")
    assert str(pips) in found and "stands before the system's" in found, found
    pips.unlink()
    # One that is no script, in the folder of a virtual environment.
    venv = doctor.world.root / "venv"
    write(venv / "pyvenv.cfg")
    write(venv / "bin" / "cmake", "\x7fELF")
    doctor.ask("--variant", "rocm", PATH=f"{venv}/bin:{doctor.path}")
    doctor.row("cmake on PATH", "missing")


def toolchains(doctor):
    root = doctor.world.root
    write(root / "rocm" / "bin" / "hipcc")
    write(root / "rocm" / ".info" / "version", "6.4.1-83\n")
    write(root / "rocm" / "lib" / "llvm" / "bin" / "clang", ROCM_CLANG)
    write(root / "rocm" / "lib" / "llvm" / "amdgcn" / "bitcode" / "ocml.bc")
    doctor.ask("--variant", "rocm", "--arch", "gfx942,gfx90a", ROCM_PATH=str(root / "rocm"))
    assert doctor.row("ROCm", "ok") == f"6.4.1.post83 in {root}/rocm (by ROCM_PATH)" \
        or doctor.row("ROCm", "ok") == f"6.4.1 in {root}/rocm (by ROCM_PATH)", doctor.row("ROCm", "ok")
    assert doctor.row("device libraries", "ok") == f"{root}/rocm/lib/llvm/amdgcn/bitcode"
    assert doctor.row("architectures", "ok") == "the compiler takes gfx90a gfx942 gfx1100"
    gxx = system_version("g++", r"^([\d.]+)", "-dumpfullversion")
    assert gxx is None or gxx < (11,) or doctor.last["fit"], doctor.last
    # By the program on PATH, and for an architecture that its compiler does not know.
    (doctor.path / "hipcc").symlink_to(root / "rocm" / "bin" / "hipcc")
    doctor.ask("--variant", "rocm", "--arch", "gfx950")
    assert "(by hipcc on PATH)" in doctor.row("ROCm", "ok")
    assert "not gfx950" in doctor.row("architectures", "missing")
    (doctor.path / "hipcc").unlink()

    write(root / "cuda" / "bin" / "nvcc", NVCC)
    write(root / "cuda" / "nvvm" / "libdevice" / "libdevice.10.bc")
    header = root / "cuda" / "include" / "crt" / "host_config.h"
    write(header, "#if __GNUC__ > 99\n")
    doctor.ask("--variant", "cuda", "--arch", "8.0,9.0", CUDA_HOME=str(root / "cuda"))
    assert doctor.row("CUDA", "ok") == f"13.0 in {root}/cuda (by CUDA_HOME)"
    assert doctor.row("architectures", "ok") == "the compiler takes 8.0 9.0 12.0"
    if gxx is not None:
        doctor.row("g++", "ok")
        write(header, "#if __GNUC__ > 6\n")
        doctor.ask("--variant", "cuda", CUDA_HOME=str(root / "cuda"))
        assert f"{gxx[0]}" in doctor.row("g++", "missing") and "> 6, the newest that the toolchain takes" in doctor.row(
            "g++", "missing")
    write(root / "spyre" / "bin" / "aiu-query-devices")
    doctor.ask("--variant", "spyre", SENLIB_INSTALL_DIR=str(root / "spyre"))
    doctor.row("Spyre software", "note")  # nothing tells its version


def rules_of_programs(doctor):
    """Minimum, maximum and range of toolchains, by programs that every system has."""
    world = doctor.world
    for name, version in (("old", "3.25.1"), ("new", "4.1.0")):
        write(world.root / name, f"#!/bin/sh\necho version {version}\n")
    tool = "{version: {command: [%s, --version], pattern: 'version ([0-9.]+)'}, minimum: 3.28.3, below: '4', %s}"
    write(world.work / "variants" / "site.yaml", "extends: rocm\nsystem_tools:\n" + "".join(
        f"  {program}: {tool % (world.root / version, more)}\n" for program, version, more in (
            ("cat", "old", "because: it is old, apt: coreutils"), ("ls", "new", "mend: take another"),
            ("cp", "old", "toolchain: '>=7', apt: coreutils"), ("no-such-tool", "old", "apt: no-such-package"))))
    doctor.ask("--variant", "site", ROCM_PATH=str(world.root / "rocm"))
    assert doctor.row("cat", "missing").endswith(": 3.25.1 < 3.28.3; it is old"), doctor.row("cat", "missing")
    assert doctor.row("ls", "missing").endswith(": 4.1.0 >= 4")
    assert "no-such-tool" not in os.listdir("/usr/bin")
    assert doctor.row("no-such-tool", "missing").startswith("not in ")
    assert not any(row["subject"] == "cp" for row in doctor.last["diagnoses"]), "ROCm 6.4 is not meant"


def needs_of_sources(doctor):
    """PEP 725: what a source asks of the system, with the packages that bring it."""
    swig = shutil.which("swig", path=SYSTEM)
    source = doctor.world.work / "source"
    write(source / "pyproject.toml", '[external]\nbuild-requires = ["dep:virtual/compiler/c", "dep:generic/swig"]\n'
          'host-requires = ["pkg:generic/of-nobody"]\n')
    doctor.ask("--variant", "cpu", "source", "torch")
    doctor.row("dep:virtual/compiler/c", "ok")
    doctor.row("dep:generic/swig", "ok" if swig else "missing")
    assert doctor.row("pkg:generic/of-nobody", "note").startswith("not known here")
    assert doctor.row("torch", "ok") == "nothing known against it"
    swigs = [row["mend"] for row in doctor.last["diagnoses"] if row["subject"] == "dep:generic/swig"]
    assert swigs == [[] if swig else ["apt-get install swig", "dnf install swig"]], swigs


def check(world, _):
    doctor = Doctor(world)
    plain_machine(doctor)
    shadow(doctor)
    toolchains(doctor)
    rules_of_programs(doctor)
    needs_of_sources(doctor)
    assert pathlib.Path(world.root / "cache").exists()
