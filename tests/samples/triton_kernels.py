# SPDX-License-Identifier: Apache-2.0
"""Compiles one Triton kernel ahead of time, without a GPU: usage: triton_kernels.py FOLDER"""

import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def add_kernel(x, y, n, block: tl.constexpr):
    offsets = tl.program_id(0) * block + tl.arange(0, block)
    mask = offsets < n
    tl.store(x + offsets, tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask), mask=mask)


def main(folder: str) -> None:
    signature = {"x": "*fp32", "y": "*fp32", "n": "i32", "block": "constexpr"}
    targets = {
        "gfx942": (GPUTarget("hip", "gfx942", 64), ["hsaco"]),
        "gfx1100": (GPUTarget("hip", "gfx1100", 32), ["hsaco"]),
        "sm80": (GPUTarget("cuda", 80, 32), ["cubin", "ptx"]),
        "sm90": (GPUTarget("cuda", 90, 32), ["cubin", "ptx"]),
    }
    for name, (target, kinds) in targets.items():
        source = ASTSource(add_kernel, signature, constexprs={"block": 128})
        compiled = triton.compile(source, target=target)
        for kind in kinds:
            code = compiled.asm[kind]
            path = pathlib.Path(folder, f"triton-{name}.{kind}")
            path.write_bytes(code.encode() if isinstance(code, str) else code)


if __name__ == "__main__":
    main(sys.argv[1])
