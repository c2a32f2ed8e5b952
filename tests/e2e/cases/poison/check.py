# SPDX-License-Identifier: Apache-2.0
"""Settings set the variable; `env` must refuse it, name it with its line, and exit 2."""
import pathlib
import re

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]
ROCM = {"rocm/bin/hipcc": "", "rocm/.info/version": "7.2.0\n", "cuda/bin/nvcc": "",
        "cuda/version.json": '{"cuda": {"version": "13.0.2"}}\n'}

# variant, arch, package, variable, value, words of the answer
POISON = (
    ("rocm", "gfx942", "xformers==0.0.34", "FORCE_CUDA", "1", "CUDA branch on ROCm"),
    ("rocm", "gfx942", "xformers==0.0.34", "TORCH_CUDA_ARCH_LIST", "8.0", "CUDA branch on ROCm"),
    ("rocm", "gfx942", "vllm==0.18.1", "PYTORCH_ROCM_ARCH", "gfx942,gfx950", "with a comma"),
    ("rocm", "gfx942", "vllm==0.18.1", "PYTORCH_ROCM_ARCH", "gfx942;native", "gfx803"),
    ("rocm", "gfx942", "vllm==0.18.1", "VLLM_USE_PRECOMPILED", "1", "instead of compiling"),
    ("cpu", "", "vllm==0.18.1", "VLLM_USE_PRECOMPILED", "TRUE", "instead of compiling"),
    ("rocm", "gfx942", "amd-aiter==0.1.10.post2", "GPU_ARCHS", "gfx942,gfx950", "with a comma"),
    ("rocm", "gfx942", "amd-aiter==0.1.10.post2", "GPU_ARCHS", "native", "gfx803"),
    ("rocm", "gfx942", "amd-aiter==0.1.10.post2", "AITER_USE_SYSTEM_TRITON", "1", "nothing reads it before 0.1.14"),
    ("rocm", "gfx942", "xformers==0.0.34", "HIP_ARCHITECTURES", "native", "gfx803"),
    ("rocm", "gfx942", "aotriton==0.11.2b0", "AOTRITON_TARGET_ARCH", "gfx942,gfx950", "CMake list"),
    ("rocm", "gfx942", "flash-attn==2.8.3", "FLASH_ATTENTION_SKIP_CUDA_BUILD", "TRUE", "without kernels"),
    ("rocm", "gfx942", "six", "HSA_OVERRIDE_GFX_VERSION", "11.0.0", "never enters a build"),
    ("rocm", "gfx942", "six", "HCC_AMDGPU_TARGET", "gfx942", "never enters a build"),
    ("rocm", "gfx942", "six", "HIP_VISIBLE_DEVICES", "0", "never enters a build"),
    ("rocm", "gfx942", "six", "ROCR_VISIBLE_DEVICES", "0", "never enters a build"),
    ("cuda", "9.0", "six", "CUDA_VISIBLE_DEVICES", "0", "never enters a build"),
    ("cuda", "9.0", "six", "NVIDIA_VISIBLE_DEVICES", "all", "never enters a build"),
    ("gaudi", "", "six", "HABANA_VISIBLE_MODULES", "0", "never enters a build"),
    ("cpu", "", "six", "CUDA_CACHE_PATH", "/tmp/x", "never enters a build"),
    ("tpu", "", "six", "TRITON_CACHE_DIR", "/tmp/x", "never enters a build"),
    ("cuda", "9.0", "vllm==0.18.1", "TORCH_CUDA_ARCH_LIST", "8.0,9.0", "semicolons"),
    ("cuda", "9.0", "vllm==0.18.1", "TORCH_CUDA_ARCH_LIST", "native", "no device"),
    ("cuda", "9.0", "vllm==0.18.1", "PYTORCH_ROCM_ARCH", "gfx942", "ROCm branch"),
)

# variant, arch, package, variable that must be set, and a value that will do
DOWNLOADS = (
    ("rocm", "gfx942", "torch==2.10.0", {"AOTRITON_INSTALLED_PREFIX": "/opt/aotriton"}),
    ("cpu", "", "triton==3.6.0", {"TRITON_OFFLINE_BUILD": "1", "LLVM_SYSPATH": "/l", "JSON_SYSPATH": "/j"}),
    ("rocm", "gfx942", "flash-attn==2.8.3", {"FLASH_ATTENTION_FORCE_BUILD": "TRUE"}),
)


def shipped():
    """Every variable that a line of poison or `never` of the shipped data names, once a line."""
    names = []
    for path in [*REPOSITORY.glob("variants/*.yaml"), *REPOSITORY.glob("plugins/*/plugin.yaml")]:
        text = path.read_text(encoding="utf-8")
        for block in re.findall(r"^poison:\n((?:[ #-].*\n|\n)*)", text, re.MULTILINE):
            names += re.findall(r"\bvariable: (\w+)", block)
        for listed in re.findall(r"^never: \[(.*)\]", text, re.MULTILINE):
            names += listed.split(", ")
    return sorted(names)


def ask(world, variant, arch, package, variables):
    name = package.partition("==")[0]
    folder = world.work / "settings"
    folder.mkdir(exist_ok=True)
    lines = "".join(f'  {key}: "{value}"\n' for key, value in variables.items())
    (folder / f"{name.replace('-', '_')}.yaml").write_text("env:\n" + lines if lines else "", encoding="utf-8")
    roots = {"ROCM_PATH": str(world.work / "rocm"), "CUDA_HOME": str(world.work / "cuda")}
    return world.run("env", "--variant", variant, *(["--arch", arch] if arch else []),
                     "--settings-dir", "settings", package, env=roots)


def check(world, _):
    tested = sorted(case[3] for case in POISON)
    untested = [name for name in shipped() if shipped().count(name) > tested.count(name)]
    assert not untested, f"no test meets {untested}"
    for name, text in ROCM.items():
        path = world.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for variant, arch, package, variable, value, words in POISON:
        result = ask(world, variant, arch, package, {variable: value})
        told = f"{variant} {package} {variable}={value}: {result.exit}\n{result.stdout}"
        assert result.exit == 2 and "poisoned-variable: " + variable in result.stdout and words in result.stdout, told
        clean = ask(world, variant, arch, package, {})
        assert "poisoned-variable" not in clean.stdout, clean.stdout
    for variant, arch, package, off in DOWNLOADS:
        assert "hidden-download" not in ask(world, variant, arch, package, off).stdout
        for variable in off:
            some = {key: value for key, value in off.items() if key != variable}
            result = ask(world, variant, arch, package, some)
            is_set_by_plugin = variable == "FLASH_ATTENTION_FORCE_BUILD"
            assert ("hidden-download" in result.stdout) != is_set_by_plugin, (package, variable, result.stdout)
    # Without --arch, and without a device, the build would ask for what is plugged in.
    silent = ask(world, "rocm", "", "amd-aiter==0.1.10.post2", {})
    assert silent.exit == 2 and "native-arch: GPU_ARCHS or PYTORCH_ROCM_ARCH is not set" in silent.stdout, silent.stdout
    said = ask(world, "rocm", "", "amd-aiter==0.1.10.post2", {"GPU_ARCHS": "gfx942"})
    assert "native-arch" not in said.stdout, said.stdout
