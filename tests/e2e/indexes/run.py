#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several indexes: the first that has a project answers alone, a package may have an index of its
own, and some names are somebody else's there.

usage: run.py PROGRAM [TEST...]     names of functions; exit status 77: all skipped
"""
import json
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
from harness import functions  # noqa: E402
from harness.functions import pins, resolve, versions, write  # noqa: E402
from harness.index import LocalIndex  # noqa: E402

STRANGER = """
never_from_index:
  because: that one knits socks
  instead: take ours from the folder
"""


def two(world, first, second):
    """Two indexes; pip is configured for both."""
    indexes = [LocalIndex(world.root / name, tables) for name, tables in (("first", first), ("second", second))]
    for index in indexes:
        world._closing.callback(index.close)
    world.index_url = indexes[0].url
    world.settings["PIP_EXTRA_INDEX_URL"] = indexes[1].url
    return indexes


def source(answer, name):
    return next(package for package in answer["packages"] if package["name"] == name)


def text_in(wheel, member):
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(member).decode()


# --- the first index wins --------------------------------------------------------------------------

def the_first_index_that_has_a_project_answers_alone(world):
    first, second = two(
        world,
        [{"name": "app", "requires": ["lib", "only-second"], "build_requires": ["tool"]},
         *versions("lib", "1.0"), *versions("tool", "1.0")],
        [*versions("lib", "2.0"), *versions("tool", "2.0"), {"name": "only-second"}])
    answer, _ = resolve(world, "app")
    assert pins(answer) == {"app": "1.0", "lib": "1.0", "only-second": "1.0"}, answer
    assert answer["builds"]["app==1.0"] == ["tool==1.0"], answer["builds"]
    assert source(answer, "lib")["url"].startswith(first.url.removesuffix("/simple")), answer
    assert second.asked == ["only-second"], second.asked


def no_other_index_is_asked_for_a_better_version(world):
    first, second = two(world, [*versions("lib", "1.0"), {"name": "app", "build_requires": ["tool>=2"]},
                                *versions("tool", "1.0")],
                        [*versions("lib", "2.0"), *versions("tool", "2.0")])
    answer, _ = resolve(world, "lib>=2", exit=3)
    assert "lib" in answer["conflict"]["message"], answer
    answer, _ = resolve(world, "app", exit=3)
    assert "tool" in answer["conflict"]["message"], answer
    assert second.asked == [], second.asked
    world.settings["PIP_INDEX_URL"], world.settings["PIP_EXTRA_INDEX_URL"] = second.url, first.url
    assert pins(resolve(world, "lib>=2", "--refresh")[0]) == {"lib": "2.0"}


def a_project_without_files_is_a_project(world):
    _, second = two(world, [{"name": "lib", "kind": "empty"}], versions("lib", "2.0"))
    resolve(world, "lib", exit=3)
    assert second.asked == [], second.asked


# --- an index of its own -----------------------------------------------------------------------------

def a_package_with_an_index_of_its_own_comes_from_nowhere_else(world):
    first, second = two(
        world,
        [{"name": "app", "requires": ["lib"], "build_requires": ["tool"]},
         *versions("lib", "9.0"), *versions("tool", "9.0")],
        [*versions("lib", "1.0", files={"lib.py": "FROM = 'second'\n"}), *versions("tool", "1.0")])
    world.add_projects(versions("lib", "5.0"))
    for name in ("lib", "tool"):
        write(world, f"settings/{name}.yaml", f"index_url: {second.url}\n")
    arguments = ["app", "--settings-dir", "settings", "-f", str(world.files)]
    answer, _ = resolve(world, *arguments)
    assert pins(answer) == {"app": "1.0", "lib": "1.0"}, answer
    assert answer["builds"]["app==1.0"] == ["tool==1.0"], answer["builds"]
    assert set(first.asked) == {"app"}, first.asked
    built = world.bootstrap(*arguments)
    assert built.exit == 0, built.stderr
    assert text_in(built.out / "cpu/wheels/lib-1.0-py3-none-any.whl", "lib.py") == "FROM = 'second'\n"
    assert "lib-9.0.tar.gz" not in first.fetched and "tool-9.0.tar.gz" not in first.fetched, first.fetched


def what_its_own_index_lacks_is_nowhere(world):
    first, second = two(world, versions("lib", "1.0"), [])
    write(world, "settings/lib.yaml", f"index_url: {second.url}\n")
    resolve(world, "lib", "--settings-dir", "settings", exit=3)
    assert first.asked == [] and second.asked == ["lib"], (first.asked, second.asked)


def its_own_index_may_be_that_of_one_variant(world):
    first, second = two(world, versions("lib", "1.0"), versions("lib", "2.0"))
    write(world, "settings/lib.yaml", f"variants:\n  rocm: {{index_url: {second.url}}}\n")
    arguments = ["lib", "--settings-dir", "settings", "--runtime-only"]
    assert pins(resolve(world, *arguments)[0]) == {"lib": "1.0"}
    assert second.asked == []
    first.asked.clear()
    rocm, _ = resolve(world, *arguments, "--variant", "rocm", "--python", "3.12.1")
    assert pins(rocm) == {"lib": "2.0"} and first.asked == [], (rocm, first.asked)


def wheels_come_from_their_server_only_when_wheels_are_taken(world):
    first, second = two(world, versions("lib", "2.0", kind="both", files={"lib.py": "FROM = 'first'\n"}),
                        versions("lib", "1.0", kind="wheel", files={"lib.py": "FROM = 'second'\n"}))
    write(world, "settings/lib.yaml", f"variants:\n  cpu: {{wheel_server_url: {second.url}, pre_built: true}}\n")
    taken = world.bootstrap("lib", "--settings-dir", "settings")
    assert taken.exit == 0 and taken.report["counts"]["pre_built"] == 1, taken.stderr
    [wheel] = (taken.out / "cpu/wheels").glob("*.whl")
    assert wheel.name.startswith("lib-1.0") and text_in(wheel, "lib.py") == "FROM = 'second'\n"
    assert first.asked == [], first.asked
    write(world, "settings/lib.yaml", f"variants:\n  cpu: {{wheel_server_url: {second.url}}}\n")
    answer, _ = resolve(world, "lib", "--settings-dir", "settings")
    assert pins(answer) == {"lib": "2.0"} and source(answer, "lib")["source"] == "sdist", answer


def a_wheel_for_builds_comes_from_its_own_index_too(world):
    first, second = two(world, [{"name": "app", "build_requires": ["tool"]}, *versions("tool", "9.0", kind="wheel")],
                        versions("tool", "1.0", kind="wheel"))
    write(world, "settings/tool.yaml", f"variants:\n  cpu: {{wheel_server_url: {second.url}, pre_built: true}}\n")
    answer, _ = resolve(world, "app", "--settings-dir", "settings")
    assert answer["builds"]["app==1.0"] == ["tool==1.0"] and "tool" not in first.asked, (answer, first.asked)


# --- somebody else's names -----------------------------------------------------------------------------

def a_strangers_files_are_never_taken(world):
    first, _ = two(world, [{"name": "app", "requires": ["kernels"]},
                           {"name": "other", "build_requires": ["kernels"]},
                           *versions("kernels", "9.9", kind="both")], [])
    write(world, "settings/kernels.yaml", STRANGER)
    for arguments in (["kernels"], ["app"], ["other"], ["kernels", "--pre-built", "kernels"],
                      ["other", "--pre-built", "kernels"]):
        answer, stderr = resolve(world, *arguments, "--settings-dir", "settings", exit=3)
        told = answer["conflict"]["message"] + stderr
        assert "somebody else's on the index: that one knits socks" in told, (arguments, told)
    built = world.bootstrap("other", "--settings-dir", "settings", "--pre-built", "kernels")
    assert built.exit == 3, built.stderr
    assert not [name for name in first.fetched if name.startswith("kernels")], first.fetched
    told = world.run("check", "app", "--settings-dir", "settings", "--format", "json")
    [finding] = json.loads(told.stdout)["findings"]
    assert finding["id"] == "stranger" and finding["advice"] == ["take ours from the folder"], finding


def what_lies_in_a_folder_is_ours(world):
    first, _ = two(world, [{"name": "app", "requires": ["kernels"], "build_requires": ["kernels"]},
                           *versions("kernels", "9.9", kind="both")], [])
    world.add_projects(versions("kernels", "1.0"))
    write(world, "settings/kernels.yaml", STRANGER)
    arguments = ["app", "--settings-dir", "settings", "-f", str(world.files)]
    answer, _ = resolve(world, *arguments)
    assert pins(answer) == {"app": "1.0", "kernels": "1.0"}, answer
    assert answer["builds"]["app==1.0"] == ["kernels==1.0"], answer["builds"]
    resolve(world, *arguments, "kernels>=9", exit=3)


def a_strangers_sdist_does_not_stand_in_for_our_wheel(world):
    first, _ = two(world, versions("kernels", "1.0", kind="both", files={"kernels.py": "FROM = 'stranger'\n"}), [])
    world.add_projects(versions("kernels", "1.0", kind="wheel", files={"kernels.py": "FROM = 'ours'\n"}))
    write(world, "settings/kernels.yaml", STRANGER)
    arguments = ["kernels", "--settings-dir", "settings", "-f", str(world.files)]
    answer, _ = resolve(world, *arguments, exit=3)
    assert "has only wheels" in answer["conflict"]["message"], answer
    taken = world.bootstrap(*arguments, "--pre-built", "kernels")
    assert taken.exit == 0, taken.stderr
    [wheel] = (taken.out / "cpu/wheels").glob("*.whl")
    assert text_in(wheel, "kernels.py") == "FROM = 'ours'\n"
    assert first.fetched == [], first.fetched


def an_index_of_its_own_is_ours(world):
    first, second = two(world, versions("kernels", "9.9", kind="both"), versions("kernels", "1.0", kind="both"))
    write(world, "settings/kernels.yaml", STRANGER + f"index_url: {second.url}\n")
    answer, _ = resolve(world, "kernels", "--settings-dir", "settings")
    assert pins(answer) == {"kernels": "1.0"} and first.asked == [], (answer, first.asked)


def a_server_for_wheels_says_nothing_of_sdists(world):
    first, second = two(world, versions("kernels", "9.9", kind="both"), versions("kernels", "1.0", kind="wheel"))
    write(world, "settings/kernels.yaml", STRANGER + f"variants:\n  cpu: {{wheel_server_url: {second.url}}}\n")
    resolve(world, "kernels", "--settings-dir", "settings", exit=3)
    assert first.fetched == [], first.fetched
    answer, _ = resolve(world, "kernels", "--settings-dir", "settings", "--pre-built", "kernels")
    assert pins(answer) == {"kernels": "1.0"}, answer


def names_that_are_known_to_be_strangers_need_no_settings(world):
    names = ["aiter", "triton-kernels", "rocm-sdk-core"]
    first, _ = two(world, [{"name": name, "kind": "both"} for name in names], [])
    for name in names:
        for more in ([], ["--pre-built", name]):
            answer, stderr = resolve(world, name, *more, exit=3)
            assert "somebody else's on the index" in answer["conflict"]["message"] + stderr, answer
    assert first.fetched == [], first.fetched


if __name__ == "__main__":
    functions.main(globals())
