# SPDX-License-Identifier: Apache-2.0
"""The tools that builds got; and host compilers that the toolchain does not take."""
import zipfile


def tool_of(world, out, name):
    wheel, = (world.work / out / "cpu" / "wheels").glob(f"{name}-*.whl")
    return zipfile.ZipFile(wheel).read("tool.txt").decode()


def check(world, _):
    assert tool_of(world, "out", "old_project") == "3.9"
    assert tool_of(world, "out", "asking") == "3.9"
    assert tool_of(world, "newer", "old_project") == "4.1"
    # `sh` is on every system; what it is said to be is up to this test.
    told = world.work / "told"
    told.chmod(0o755)
    (world.work / "variants" / "ceiling.yaml").write_text(
        "extends: site\nsystem_tools:\n  sh: {version: {command: [%s], pattern: 'version ([0-9.]+)'}, at_most: {file: most, "
        "pattern: 'most ([0-9]+)'}, mend: take an older one}\n" % told, encoding="utf-8")
    arguments = ("compiles", "--variant", "ceiling", "--settings-dir", "uses", "-o", "ceiling")
    refused = world.bootstrap(*arguments, env={"SDK_ROOT": "sdk"})
    assert refused.exit == 2, refused.stderr
    assert "compiles 1.0: sh of the system: 5.1 > 4, the newest that the toolchain takes" in refused.stderr, refused.stderr
    assert "take an older one" in refused.stderr, refused.stderr
    (world.work / "sdk" / "most").write_text("most 5\n", encoding="utf-8")
    taken = world.bootstrap(*arguments, env={"SDK_ROOT": "sdk"})
    assert taken.exit == 0, taken.stderr
