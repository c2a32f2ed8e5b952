# SPDX-License-Identifier: Apache-2.0
"""Compiles one extension module by hipcc, for the architectures in PYTORCH_ROCM_ARCH."""
import os
import subprocess
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class BuildHip(build_ext):
    """One call compiles for all architectures and links: hipcc bundles what it makes."""

    def build_extension(self, ext):
        archs = os.environ.get("PYTORCH_ROCM_ARCH", "").split(";")
        if archs == [""]:
            raise SystemExit("PYTORCH_ROCM_ARCH names no architecture, and builds see no device")
        output = self.get_ext_fullpath(ext.name)
        os.makedirs(os.path.dirname(output), exist_ok=True)
        subprocess.run(
            [
                os.path.join(os.environ.get("ROCM_PATH", "/usr"), "bin", "hipcc"),
                *(f"--offload-arch={arch}" for arch in archs),
                "-O2", "-std=c++17", "-fPIC", "-shared", "-Wl,-z,relro,-z,noexecstack", "-fuse-cuid=none",
                f"-I{sysconfig.get_path('include')}", *ext.sources, "-o", output, "-lamdhip64",
            ],
            check=True,
        )


setup(
    ext_modules=[Extension("vector_hip._C", ["vector_hip/module.hip"])],
    cmdclass={"build_ext": BuildHip},
)
