# SPDX-License-Identifier: Apache-2.0
"""Ten packages and six variants, with toolchains that are only as real as files of their names."""
import pathlib
import re

from harness import golden

PACKAGES = ("torch==2.10.0", "torchvision==0.25.0", "torchaudio==2.10.0", "triton==3.6.0", "aotriton==0.11.2b0",
            "xformers==0.0.34", "flash-attn==2.8.3", "amd-aiter==0.1.10.post2", "vllm==0.18.1", "bitsandbytes==0.49.0")
ARCHS = {"rocm": "gfx950,gfx942", "cuda": "8.0,9.0a,12.0+PTX"}
FILES = {
    "rocm/bin/hipcc": "", "rocm/.info/version": "7.2.3-49\n", "rocm/lib/llvm/amdgcn/bitcode/ocml.bc": "",
    "cuda/bin/nvcc": "", "cuda/version.json": '{"cuda": {"name": "CUDA", "version": "13.0.2"}}\n',
    "spyre/bin/aiu-query-devices": "",
}


def check(world, _):
    for name, text in FILES.items():
        path = world.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    roots = {name: str(world.work / folder) for name, folder in
             (("ROCM_PATH", "rocm"), ("CUDA_HOME", "cuda"), ("SENLIB_INSTALL_DIR", "spyre"))}
    for variant in ("cpu", "cuda", "rocm", "gaudi", "tpu", "spyre"):
        archs = ["--arch", ARCHS[variant]] if variant in ARCHS else []
        told = ""
        for package in PACKAGES:
            result = world.run("env", "--variant", variant, *archs, package, env=roots)
            told += f"== {package}: {result.exit}\n{result.stdout}{result.stderr}"
        told = re.sub(r"(\.yaml):\d+", r"\1", told)  # lines move with every entry above them
        golden.compare(told, pathlib.Path(__file__).parent / "expected" / f"{variant}.txt", world)
