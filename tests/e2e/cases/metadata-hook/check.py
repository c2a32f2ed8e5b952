# SPDX-License-Identifier: Apache-2.0
"""How often each hook was called, by what the backends wrote into their logs."""


def calls(folder, name):
    text = (folder / "cpu" / "logs" / f"{name}.log").read_text(encoding="utf-8")
    return [line.removeprefix("CALLED ") for line in text.splitlines() if line.startswith("CALLED ")]


def check(world, _):
    prepared, built = "prepare_metadata_for_build_wheel", "build_wheel, left behind: False"
    asked = "get_requires_for_build_wheel"
    resolved = world.root / "cache" / "resolve"
    assert calls(resolved, "dynamic-1.0") == [asked, prepared + " with plain"]
    assert calls(resolved, "dynamic-2.0") == [prepared]
    assert calls(world.work / "out", "dynamic-1.0") == [built]
    assert calls(world.work / "other", "dynamic-1.0") == [asked, prepared + " with other", built]
    assert calls(world.work / "crooked", "crooked-1.0") == [prepared, built]
    for folder, more in (("liar", "late"), ("impostor", "late"), ("both", "helper")):
        names = [path.name for path in (world.work / folder / "cpu" / "wheels").glob("*.whl")]
        assert f"{more}-1.0-py3-none-any.whl" in names, names
