# SPDX-License-Identifier: Apache-2.0
"""What each build was told, by what it wrote down."""
import zipfile


def expect(world, out, variant, name, wanted):
    wheel, = (world.work / out / variant / "wheels").glob(f"{name}-*.whl")
    told = zipfile.ZipFile(wheel).read("archs.txt").decode()
    assert told == wanted, f"{out}: the build was told {told!r}"


def check(world, _):
    expect(world, "skip-out", "site", "kernels", "newer new|")
    expect(world, "stub-out", "site", "kernels", "none|1")
    expect(world, "part-out", "site", "kernels", "new|")
    expect(world, "throwaway-out", "site", "kernels", "newer|")
    expect(world, "not-thrown", "site", "kernels", "new|")
    expect(world, "blas", "rocm", "hipblaslt", "gfx942")
    assert not list((world.work / "none-left").rglob("*.whl"))
