#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules about which version is taken, through the program: overrides, edited requirements, yanked
files, tools of several versions, what --no-config leaves out, matrix and the tags that check knows.

usage: run.py PROGRAM [TEST...]     names of functions; exit status 77: all skipped
"""
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
from harness import functions  # noqa: E402
from harness.functions import Skipped, pins, resolve, versions, write  # noqa: E402

ELSEWHERE = ["--python", "3.12.3", "--runtime-only"]  # variants whose toolchain is not here


# --- what the user lays down -------------------------------------------------------------------

def an_override_outranks_everybody(world):
    world.add_projects([{"name": "app", "requires": ["lib>=2", "gone"]}, *versions("lib", "1.0", "2.0", "3.0")])
    write(world, "c.txt", "lib==3.0\n")
    write(world, "settings.yaml", "overrides:\n  - lib==1.0\n  - drop: gone\n")
    answer, _ = resolve(world, "app", "lib>2", "-c", "c.txt", "--settings-file", "settings.yaml", "--runtime-only")
    assert pins(answer) == {"app": "1.0", "lib": "1.0"}, answer
    write(world, "settings.yaml", "overrides:\n  - lib==7\n  - drop: gone\n")
    answer, _ = resolve(world, "app", "--settings-file", "settings.yaml", exit=3)
    assert "settings.yaml:2 says lib==7" in answer["conflict"]["message"], answer
    write(world, "settings.yaml", "overrides:\n  - {require: lib<3, variants: [rocm]}\n  - drop: gone\n")
    arguments = ["app", "--settings-file", "settings.yaml"]
    assert pins(resolve(world, *arguments, "--runtime-only")[0])["lib"] == "3.0"
    assert pins(resolve(world, *arguments, "--variant", "rocm", *ELSEWHERE)[0])["lib"] == "2.0"


def requirements_are_replaced_for_one_package_and_variant(world):
    world.add_projects([{"name": "heart", "requires": ["nv-one==1", "nv-two==1", "pure"]}, {"name": "nv-one"},
                        {"name": "nv-two"}, {"name": "pure"}, *versions("kernels", "3.5", "3.6"),
                        {"name": "other", "requires": ["nv-one"]}])
    write(world, "settings/heart.yaml",
          'variants:\n  rocm: {requires_dist: {remove: ["nv-*"], add: ["kernels==3.5"]}}\n'
          '  gaudi: {requires_dist: {replace: [kernels]}}\n')
    arguments = ["heart", "--settings-dir", "settings"]
    answer, _ = resolve(world, *arguments, "--runtime-only")
    assert set(pins(answer)) == {"heart", "nv-one", "nv-two", "pure"}, answer
    answer, _ = resolve(world, *arguments, "--variant", "rocm", *ELSEWHERE)
    assert pins(answer) == {"heart": "1.0", "kernels": "3.5", "pure": "1.0"}, answer
    answer, _ = resolve(world, *arguments, "--variant", "gaudi", *ELSEWHERE)
    assert pins(answer) == {"heart": "1.0", "kernels": "3.6"}, answer
    answer, _ = resolve(world, *arguments, "other", "--variant", "rocm", *ELSEWHERE)
    assert "nv-one" in pins(answer) and "nv-two" not in pins(answer), answer


def two_versions_of_a_tool_stand_side_by_side(world):
    world.add_projects([{"name": "old", "build_requires": ["tool<70"]}, {"name": "new", "build_requires": ["tool>=77"]},
                        *versions("tool", "69.5", "80.9")])
    write(world, "c.txt", "tool<70\n")
    for more in ([], ["--runtime-constraint", "c.txt"]):  # what bounds the runtime set does not leak
        answer, _ = resolve(world, "old", "new", *more)
        assert answer["builds"]["old==1.0"] == ["tool==69.5"], answer["builds"]
        assert answer["builds"]["new==1.0"] == ["tool==80.9"], answer["builds"]
    for option in ("-c", "--build-constraint"):
        resolve(world, "old", "new", option, "c.txt", exit=3)


def without_configuration_nothing_but_arguments_counts(world):
    world.add_projects(versions("lib", "1.0"))
    write(world, "wheelforge.yaml", 'constraints: [c.txt]\nvariants:\n  cpu: {requirements: ["lib"]}\n')
    write(world, "c.txt", "lib<1\n")
    write(world, "pip.conf", f"[global]\nfind-links = {world.files}\nno-index = true\n")
    world.settings.update(PIP_CONFIG_FILE=str(world.work / "pip.conf"))
    resolve(world, exit=3)
    result = world.run("resolve", "--no-config")
    assert result.exit == 2 and "nothing-to-do" in result.stderr, result.stderr
    arguments = ["lib", "--no-config", "--runtime-only", "--no-index"]
    resolve(world, *arguments, exit=3)
    assert pins(resolve(world, *arguments, "-f", str(world.files))[0]) == {"lib": "1.0"}


# --- yanked and pre-releases -------------------------------------------------------------------

def yank(world, *files):
    for name in world.pages:
        for file in files:
            world.pages[name] = world.pages[name].replace(f">{file}<", f" data-yanked=\"broken\">{file}<")


def yanked_files_are_for_those_who_name_them(world):
    world.add_projects([*versions("lib", "1.0", "2.0"), {"name": "app", "requires": ["lib==2.0"]},
                        {"name": "built", "build_requires": ["lib"]}, *versions("gone", "1.0")])
    yank(world, "lib-2.0.tar.gz", "gone-1.0.tar.gz")
    world.serve()
    write(world, "c.txt", "lib==2.0\n")
    for arguments, expected in ((["lib"], "1.0"), (["lib==2.0"], "2.0"), (["lib===2.0"], "2.0"), (["app"], "2.0"),
                                (["lib", "-c", "c.txt"], "2.0")):
        answer, _ = resolve(world, *arguments, "--runtime-only")
        assert pins(answer)["lib"] == expected, (arguments, answer)
    answer, _ = resolve(world, "built")
    assert answer["builds"]["built==1.0"] == ["lib==1.0"], answer["builds"]
    for wanted in ("lib==2.*", "lib>1", "gone"):
        answer, _ = resolve(world, wanted, "--runtime-only", exit=3)
        assert "takes no yanked version" in answer["conflict"]["message"], answer


def pre_releases_are_taken_where_nothing_else_exists(world):
    world.add_projects([*versions("lib", "1.0", "2.0a1"), *versions("early", "0.1a1", "0.1a2"),
                        {"name": "app", "requires": ["early"], "build_requires": ["lib", "early"]}])
    answer, _ = resolve(world, "app", "lib")
    assert pins(answer) == {"app": "1.0", "early": "0.1a2", "lib": "1.0"}, answer
    assert answer["builds"]["app==1.0"] == ["early==0.1a2", "lib==1.0"], answer["builds"]
    answer, _ = resolve(world, "app", "lib", "--pre")
    assert pins(answer)["lib"] == "2.0a1", answer
    assert answer["builds"]["app==1.0"] == ["early==0.1a2", "lib==1.0"], answer  # tools stay with what is finished


# --- matrix and check --------------------------------------------------------------------------

def a_matrix_says_which_cells_have_a_solution(world):
    world.add_projects([*versions("torch", "2.9", "2.10"), {"name": "server", "requires": ["torch==2.10"]},
                        {"name": "vision", "requires": ["torch>=2.9"]}, *versions("kernels", "7.1", "7.2")])
    told = world.run("matrix", "server", "vision", "--axis", "torch=2.9,2.10", "--axis", "kernels=7.1,7.2",
                     "--format", "json")
    cells = {(cell["values"]["torch"], cell["values"]["kernels"]): cell for cell in json.loads(told.stdout)["cells"]}
    solvable = {key for key, cell in cells.items() if cell["solvable"]}
    assert solvable == {("2.10", "7.1"), ("2.10", "7.2")} and told.exit == 0, (told.exit, cells)
    reason = cells[("2.9", "7.1")]["reason"]
    assert "torch==2.10" in reason and "\n" not in reason, reason


def check_knows_the_tags_of_a_repository(world):
    if not shutil.which("git"):
        raise Skipped("no git")
    repository = world.root / "repository"
    repository.mkdir()
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "one"], ["tag", "v9.9"], ["tag", "v9.9rc1"]):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=repository, check=True,
                       capture_output=True)
    world.add_projects(versions("vision", "1.0"))
    write(world, "settings/vision.yaml",
          f'repository: {{url: "{repository.as_uri()}", tag: "v${{version}}"}}\n'
          "renamed_from: [{name: old-vision, because: it moved}]\n")
    for pin, said in (("vision==9.9", f"vision @ git+{repository.as_uri()}@v9.9"),
                      ("vision==8.8", "has no tag for 8.8"), ("old-vision==1", "the project is called vision now")):
        write(world, "c.txt", pin + "\n")
        told = world.run("check", "vision", "-c", "c.txt", "--settings-dir", "settings")
        assert said in told.stdout, (pin, told.stdout)
        assert told.exit == (0 if pin.startswith("old") else 3), (pin, told.exit)


if __name__ == "__main__":
    functions.main(globals())
