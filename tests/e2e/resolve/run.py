#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`wheelforge resolve`, and what feeds the solver, on tiny projects.

usage: run.py PROGRAM [TEST...]     names of functions; exit status 77: all skipped
"""
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
from harness import functions, projects  # noqa: E402
from harness.functions import Skipped, pins, resolve, versions, write  # noqa: E402


# --- answers -----------------------------------------------------------------------------------

def answers_packages_and_builds(world):
    world.add_projects([
        {"name": "app", "requires": ["lib>=1", "never; sys_platform == 'win32'"], "build_requires": ["tool"]},
        *versions("lib", "1.0", "2.0"), *versions("tool", "3.0", build_requires=["lib<2"]),
    ])
    answer, _ = resolve(world, "app")
    assert set(answer) == {"packages", "builds"}, answer
    app = answer["packages"][0]
    assert set(app) == {"name", "version", "source", "url", "sha256", "requires"}, app
    assert (app["source"], app["requires"]) == ("sdist", ["lib>=1"]), app
    assert app["sha256"] == hashlib.sha256((world.files / "app-1.0.tar.gz").read_bytes()).hexdigest()
    assert answer["builds"] == {"app==1.0": ["tool==3.0"], "lib==1.0": [], "lib==2.0": [],
                                "tool==3.0": ["lib==1.0"]}, answer["builds"]
    assert not list((world.root / "cache").glob("wheels/*")), "something was built"


def runtime_only_looks_at_no_build(world):
    world.add_projects([{"name": "app", "build_requires": ["missing"]}])
    answer, _ = resolve(world, "app", "--runtime-only")
    assert answer["builds"] == {} and pins(answer) == {"app": "1.0"}, answer
    answer, _ = resolve(world, "app", exit=3)
    chain = answer["conflict"]["chain"]
    assert any("missing" in link["requires"] for link in chain), chain


def builds_only_to_learn_metadata(world):
    world.add_projects([
        {"name": "app", "requires": ["lib"], "pkg_info": "dynamic"}, {"name": "lib"},
        {"name": "both", "requires": ["lib"], "pkg_info": "dynamic", "kind": "both"},
    ])
    answer, stderr = resolve(world, "both")
    assert pins(answer) == {"both": "1.0", "lib": "1.0"} and "building" not in stderr, stderr
    answer, stderr = resolve(world, "app")
    assert pins(answer) == {"app": "1.0", "lib": "1.0"}, answer


def python_that_is_not_here(world):
    world.add_projects([
        {"name": "app", "requires": ["old; python_version < '3.9'", "new; python_version >= '3.9'"]},
        {"name": "old"}, {"name": "new"}, {"name": "dynamic", "pkg_info": "dynamic"},
    ])
    answer, _ = resolve(world, "app", "--python", "3.8.77")
    assert pins(answer) == {"app": "1.0", "old": "1.0"}, answer
    answer, stderr = resolve(world, "dynamic", "--python", "3.8.77")
    assert "only its backend knows" in stderr, stderr


def text_and_files(world):
    world.add_projects([{"name": "app", "requires": ["lib[extra]"]},
                        {"name": "lib", "extras": {"extra": ["more"]}}, {"name": "more", "kind": "wheel"}])
    result = world.run("resolve", "app", "--pre-built", "more", "-o", "locked")
    assert result.exit == 0, result.stderr
    assert "app==1.0  # sdist app-1.0.tar.gz" in result.stdout, result.stdout
    folder = world.work / "locked"
    assert (folder / "constraints.txt").read_text() == "app==1.0\nlib==1.0\nmore==1.0\n"
    graph = json.loads((folder / "graph.json").read_text())
    assert {node["id"] for node in graph["nodes"]} == {"app==1.0", "lib==1.0", "more==1.0"}, graph
    check_lock(folder / "pylock.toml", {"app", "lib", "more"})
    assert not (world.work / "out").exists()


def check_lock(path, names):
    """More of it: lock_files/run.py."""
    import tomllib
    lock = tomllib.loads(path.read_text(encoding="utf-8"))
    assert lock["lock-version"] == "1.0" and {each["name"] for each in lock["packages"]} == names, lock


# --- conflicts ---------------------------------------------------------------------------------

def a_conflict_is_told_with_a_way_out(world):
    world.add_projects([{"name": "left", "requires": ["base<2"]}, *versions("base", "1.0", "2.0")])
    write(world, "r.txt", "left\nbase>=2\n")
    answer, stderr = resolve(world, "-r", "r.txt", exit=3)
    conflict = answer["conflict"]
    assert set(conflict) == {"message", "chain", "suggest"}, conflict
    assert any(link["origin"] == "r.txt:2" for link in conflict["chain"]), conflict
    assert any("base>=2 (r.txt:2)" in line and "1.0" in line for line in conflict["suggest"]), conflict
    assert "hint: relax base>=2 (r.txt:2)" in stderr, stderr
    told = world.bootstrap("-r", "r.txt")
    assert told.exit == 3 and "hint: relax base>=2 (r.txt:2)" in told.stderr, told.stderr


def unbuildable_versions_can_be_passed_over(world):
    world.add_projects([
        {"name": "lock", "version": "1.0"}, {"name": "lock", "version": "2.0", "build_requires": ["absent[x]"]},
    ])
    answer, stderr = resolve(world, "lock", exit=3)
    assert "lock 2.0" in answer["conflict"]["message"] and "absent" in answer["conflict"]["message"], answer
    assert "--backtrack-builds" in stderr, stderr
    answer, stderr = resolve(world, "lock", "--backtrack-builds")
    assert pins(answer) == {"lock": "1.0"} and "passed over: lock 2.0" in stderr, stderr
    told = world.bootstrap("lock", "--backtrack-builds")
    assert told.exit == 0 and "passed over: lock 2.0" in told.stderr, told.stderr
    assert list(told.wheels()) == ["lock-1.0-py3-none-any.whl"], told.wheels()


def the_pin_that_keeps_a_build_from_its_tools_is_named(world):
    world.add_projects([{"name": "old", "build_requires": ["tool<70"]}, {"name": "new", "build_requires": ["tool>=77"]},
                        *versions("tool", "69.5", "80.9"), {"name": "both", "build_requires": ["tool>=77", "more<2"]},
                        *versions("more", "1.0", "2.0")])
    write(world, "c.txt", "tool<70  # for old\n")
    wanted = "relax tool<70 (c.txt:1): would give tool 80.9"
    answer, stderr = resolve(world, "old", "new", "-c", "c.txt", exit=3)
    assert answer["conflict"]["suggest"] == [wanted] and "hint: " + wanted in stderr, (answer, stderr)
    told = world.bootstrap("old", "new", "-c", "c.txt")
    assert told.exit == 3 and "hint: " + wanted in told.stderr, told.stderr
    told = world.run("check", "old", "new", "-c", "c.txt")
    assert told.exit == 3 and wanted in told.stdout, told.stdout
    told = world.run("build", "new==1.0", "-c", "c.txt")
    assert told.exit == 3 and wanted in told.stderr, told.stderr
    write(world, "two.txt", "tool<70\nmore>=2\n")
    answer, _ = resolve(world, "both", "-c", "two.txt", exit=3)
    [line] = answer["conflict"]["suggest"]  # what [build-system] says is nobody's to relax
    assert line.startswith("relax tool<70 (two.txt:1)") and "and more>=2 (two.txt:2)" in line, line


def a_build_without_tools_gets_a_bound_that_has_them(world):
    world.add_projects([{"name": "app", "requires": ["lock"]}, {"name": "lock", "version": "1.0"},
                        *versions("lock", "2.0", "2.1", build_requires=["absent"])])
    wanted = "add lock<=1.0 to the constraints (-c)"
    answer, stderr = resolve(world, "app", exit=3)
    assert [line for line in answer["conflict"]["suggest"] if line.startswith(wanted)], answer
    told = world.bootstrap("app")
    assert told.exit == 3 and "hint: " + wanted in told.stderr, told.stderr
    write(world, "c.txt", "lock<=1.0\n")
    assert pins(resolve(world, "app", "-c", "c.txt")[0]) == {"app": "1.0", "lock": "1.0"}
    answer, _ = resolve(world, "app", "lock>1", exit=3)
    assert answer["conflict"]["suggest"] == [], answer


def rings_are_found_without_building(world):
    world.add_projects([{"name": "a", "build_requires": ["b"]}, {"name": "b", "build_requires": ["a"]}])
    answer, stderr = resolve(world, "a", exit=3)
    assert "build-cycle" in stderr, stderr
    chain = {(link["package"], link["requires"]) for link in answer["conflict"]["chain"]}
    assert chain == {("a 1.0", "b==1.0"), ("b 1.0", "a==1.0")}, answer


# --- which version -----------------------------------------------------------------------------

def lowest_and_lowest_direct(world):
    world.add_projects([*versions("app", "1.0", "2.0", requires=["lib"]), *versions("lib", "1.0", "2.0")])
    for strategy, expected in (("highest", ("2.0", "2.0")), ("lowest", ("1.0", "1.0")),
                               ("lowest-direct", ("1.0", "2.0"))):
        answer, _ = resolve(world, "app", "--resolution", strategy)
        assert (pins(answer)["app"], pins(answer)["lib"]) == expected, (strategy, answer)


def constraints_by_scope(world):
    world.add_projects([{"name": "app", "requires": ["tool"], "build_requires": ["tool"]},
                        *versions("tool", "1.0", "2.0")])
    write(world, "c.txt", "tool<2\n")
    answer, _ = resolve(world, "app", "--runtime-constraint", "c.txt", "--resolution", "highest")
    assert pins(answer)["tool"] == "1.0", answer
    answer, _ = resolve(world, "app", "--build-constraint", "c.txt")
    assert pins(answer)["tool"] == "2.0" and answer["builds"]["app==1.0"] == ["tool==1.0"], answer
    answer, _ = resolve(world, "app", "-c", "c.txt")
    assert pins(answer)["tool"] == "1.0" and answer["builds"]["app==1.0"] == ["tool==1.0"], answer


def earlier_graphs_are_preferred(world):
    world.add_projects(versions("app", "1.0", "2.0"))
    ours = world.run("resolve", "app<2", "-o", "before")
    assert ours.exit == 0, ours.stderr
    answer, _ = resolve(world, "app", "-p", "before/graph.json")
    assert pins(answer) == {"app": "1.0"}, answer
    answer, _ = resolve(world, "app>1", "-p", "before/graph.json")
    assert pins(answer) == {"app": "2.0"}, answer
    node = {"download_url": "", "pre_built": False, "version": "1.0", "canonicalized_name": "app",
            "constraint": None, "edges": []}
    root = {**node, "version": "0", "canonicalized_name": "",
            "edges": [{"key": "app==1.0", "req_type": "toplevel", "req": "app"}]}
    write(world, "fromager.json", json.dumps({"": root, "app==1.0": node}))
    answer, _ = resolve(world, "app", "-p", "fromager.json")
    assert pins(answer) == {"app": "1.0"}, answer


def young_releases(world):
    world.add_projects(versions("app", "1.0", "2.0"))
    times = {"app-1.0.tar.gz": "2024-01-01T00:00:00Z", "app-2.0.tar.gz": "2025-06-01T10:00:00.000000Z"}
    plain = world.pages["app"]
    world.serve()
    answer, stderr = resolve(world, "app", "--exclude-newer", "2025-01-01", exit=3)
    assert "does not say when it was uploaded" in answer["conflict"]["message"], answer
    page = plain
    for name, time in times.items():
        page = page.replace(f">{name}<", f" data-upload-time=\"{time}\">{name}<")
    world.pages["app"] = page
    for limit, expected in (("2025-01-01", "1.0"), ("2025-06-01", "2.0"), ("2025-06-01T09:59:00Z", "1.0")):
        answer, _ = resolve(world, "app", "--refresh", "--exclude-newer", limit)
        assert pins(answer) == {"app": expected}, (limit, answer)
    answer, _ = resolve(world, "app", "--refresh", "--min-release-age", "36500d", exit=3)
    assert "--min-release-age 36500d" in answer["conflict"]["message"], answer
    answer, _ = resolve(world, "app==2.0", "--min-release-age", "36500d")
    assert pins(answer) == {"app": "2.0"}, answer
    result = world.run("resolve", "app", "--exclude-newer", "last week")
    assert result.exit == 2 and "bad-usage" in result.stderr, result.stderr


def ages_of_single_packages(world):
    world.add_projects([*versions("app", "1.0", "2.0"), *versions("lib", "1.0", "2.0")])
    for name in ("app", "lib"):
        for version, time in (("1.0", "2024-01-01T00:00:00Z"), ("2.0", "2025-06-01T10:00:00Z")):
            file = f"{name}-{version}.tar.gz"
            world.pages[name] = world.pages[name].replace(f">{file}<", f" data-upload-time=\"{time}\">{file}<")
    world.serve()
    write(world, "settings/lib.yaml", "resolver_dist: {min_release_age: 0}\n")
    write(world, "days.yaml", "packages:\n  app:\n    resolver_dist: {min_release_age: 36500}\n")
    answer, _ = resolve(world, "lib", "--min-release-age", "36500", "--settings-dir", "settings")
    assert pins(answer) == {"lib": "2.0"}, answer
    answer, _ = resolve(world, "lib")
    assert pins(answer) == {"lib": "2.0"}, answer
    answer, _ = resolve(world, "app", "--settings-file", "days.yaml", exit=3)
    assert "in the settings of app" in answer["conflict"]["message"], answer


def pre_releases_when_asked_for(world):
    world.add_projects([*versions("app", "1.0", "2.0a1", requires=["lib"]), *versions("lib", "1.0", "2.0rc1")])
    write(world, "c.txt", "lib>=1.0a1\n")
    for arguments, expected in (([], ("1.0", "1.0")), (["--pre"], ("2.0a1", "2.0rc1")),
                                (["-c", "c.txt"], ("1.0", "2.0rc1"))):
        answer, _ = resolve(world, "app", *arguments)
        assert tuple(pins(answer).values()) == expected, (arguments, answer)


def everything_pre_built(world):
    world.add_projects([{"name": "app", "requires": ["lib"], "kind": "both"}, {"name": "lib", "kind": "wheel"}])
    answer, _ = resolve(world, "app", "--pre-built", ":all:")
    assert {each["source"] for each in answer["packages"]} == {"wheel"}, answer
    assert answer["builds"] == {}, answer


def malformed_sdists_keep_nobody_from_resolving(world):
    world.add_projects([{"name": "app", "requires": ["lib"]}, {"name": "lib", "requires": ["more"], "kind": "both"},
                        {"name": "more"}])
    path = world.files / "lib-1.0.tar.gz"
    with tarfile.open(path) as archive:
        members = [(member, archive.extractfile(member).read()) for member in archive if member.isfile()]
    with tarfile.open(path, "w:gz") as archive:
        for member, content in [*members, (members[0][0], members[0][1] + b"\n# another one")]:
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    answer, _ = resolve(world, "app", "--runtime-only")
    assert pins(answer) == {"app": "1.0", "lib": "1.0", "more": "1.0"}, answer
    answer, _ = resolve(world, "app", exit=4)
    assert answer["error"]["id"] == "archive-duplicate", answer
    assert world.bootstrap("app").exit == 4


# --- several versions --------------------------------------------------------------------------

def every_version_that_is_allowed(world):
    world.add_projects([
        *versions("app", "1.0", "1.1", "2.0", requires=["lib"]), *versions("lib", "1.0"),
        {"name": "app", "version": "1.2", "requires": ["absent"]},
    ])
    answer, stderr = resolve(world, "app<2", "--multiple-versions")
    found = [(each["name"], each["version"]) for each in answer["packages"]]
    assert found == [("app", "1.0"), ("app", "1.1"), ("lib", "1.0")], found
    assert "left out: app 1.2" in stderr, stderr
    write(world, "c.txt", "app<1.2\n")
    built = world.bootstrap("app", "-c", "c.txt", "--multiple-versions")
    assert built.exit == 0, built.stderr
    assert list(built.wheels()) == [f"{name}-py3-none-any.whl" for name in ("app-1.0", "app-1.1", "lib-1.0")]
    assert built.report["counts"]["built"] == 3, built.report["counts"]
    assert "# app: 1.0, 1.1\nlib==1.0\n" == (built.out / "cpu" / "constraints.txt").read_text()
    assert {node["id"].split("#")[0] for node in built.graph["nodes"]} == {"app==1.0", "app==1.1", "lib==1.0"}
    partly = world.bootstrap("app<2", "--multiple-versions")
    assert partly.exit == 3 and len(partly.wheels()) == 3, partly.stderr
    again = world.bootstrap("app==1.0")
    assert list(again.wheels()) == ["app-1.0-py3-none-any.whl", "lib-1.0-py3-none-any.whl"], again.wheels()


# --- direct references -------------------------------------------------------------------------

def project_folder(world, name, version="1.0", **more):
    """An unpacked project, as a developer has it."""
    table = {"name": name, "version": version, **more}
    [archive] = projects.pack(table, world.root)
    folder = world.root / f"tree-{name}"
    shutil.unpack_archive(archive, folder)
    [tree] = folder.iterdir()
    return tree


def git(folder, *words):
    subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=folder, check=True,
                   capture_output=True, env={"PATH": os.environ["PATH"], "HOME": str(folder)})


def repository(world, name, **more):
    if not shutil.which("git"):
        raise Skipped("no git")
    tree = project_folder(world, name, **more)
    git(tree, "init", "-q", "-b", "main")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "one")
    git(tree, "tag", "v1.0")
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=tree, capture_output=True, text=True, check=True)
    return tree, commit.stdout.strip()


def archives_by_url(world):
    world.add_projects([{"name": "lib"}, {"name": "app", "requires": ["lib"]}])
    archive = world.files / "app-1.0.tar.gz"
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    elsewhere = world.root / "v1.0.tar.gz"
    archive.rename(elsewhere)
    answer, _ = resolve(world, f"app @ {elsewhere.as_uri()}#sha256={digest}")
    assert pins(answer) == {"app": "1.0", "lib": "1.0"}, answer
    assert answer["packages"][0]["sha256"] == digest, answer
    built = world.bootstrap(f"app @ {elsewhere.as_uri()}")
    assert built.exit == 0 and "app-1.0-py3-none-any.whl" in built.wheels(), built.stderr
    result = world.run("resolve", f"app @ {elsewhere.as_uri()}#sha256={'0' * 64}")
    assert result.exit == 4 and "hash-mismatch" in result.stderr, result.stderr


def wheels_by_url(world):
    world.add_projects([{"name": "app", "kind": "wheel"}])
    [wheel] = world.files.glob("*.whl")
    answer, _ = resolve(world, f"app @ {wheel.as_uri()}")
    assert pins(answer) == {"app": "1.0"} and answer["builds"] == {}, answer
    built = world.bootstrap(f"app @ {wheel.as_uri()}")
    assert built.exit == 0 and built.wheels()[wheel.name] == wheel.read_bytes(), built.stderr
    result = world.run("resolve", f"other @ {wheel.as_uri()}")
    assert result.exit == 2 and "url-unsupported" in result.stderr, result.stderr


def archives_over_http(world):
    world.add_projects([{"name": "app"}])
    world.serve()
    url = world.index_url.replace("/simple", "/files/app-1.0.tar.gz")
    answer, _ = resolve(world, f"app @ {url}")
    assert answer["packages"][0]["source"] == "url" and answer["packages"][0]["url"] == url, answer


def local_folders(world):
    world.add_projects([{"name": "lib"}])
    tree = project_folder(world, "app", requires=["lib"])
    before = sorted(tree.rglob("*"))
    answer, _ = resolve(world, f"app @ {tree.as_uri()}")
    assert answer["packages"][0]["source"] == "local" and pins(answer) == {"app": "1.0", "lib": "1.0"}, answer
    built = world.bootstrap(f"app @ {tree.as_uri()}")
    assert built.exit == 0 and "app-1.0-py3-none-any.whl" in built.wheels(), built.stderr
    again = world.bootstrap(f"app @ {tree.as_uri()}")
    assert again.package("app")["outcome"] == "reused", again.stderr
    (tree / "fixture.txt").write_text("changed")
    changed = world.bootstrap(f"app @ {tree.as_uri()}", "--replace")
    assert changed.package("app")["outcome"] == "built", changed.stderr
    (tree / "fixture.txt").unlink()
    assert sorted(tree.rglob("*")) == before, "the user's folder was touched"


def git_repositories(world):
    world.add_projects([{"name": "lib"}])
    tree, commit = repository(world, "app", requires=["lib"])
    for revision in ("", "@main", "@v1.0", "@" + commit, "@" + commit[:10]):
        answer, _ = resolve(world, f"app @ git+{tree.as_uri()}{revision}")
        app = answer["packages"][0]
        assert app["source"] == "git" and app["url"].endswith("@" + commit), (revision, app)
    built = world.bootstrap(f"app @ git+{tree.as_uri()}@v1.0", "-o", "out")
    assert built.exit == 0 and "app-1.0-py3-none-any.whl" in built.wheels(), built.stderr
    node = next(node for node in built.graph["nodes"] if node["name"] == "app")
    assert commit in node["source"]["url"], node
    result = world.run("resolve", f"app @ git+{tree.as_uri()}@no-such-branch")
    assert result.exit == 5 and "git-failed" in result.stderr, result.stderr


def git_subdirectories_and_locks(world):
    world.add_projects([])
    tree, commit = repository(world, "app")
    below = tree / "python" / "part"
    shutil.copytree(project_folder(world, "part", version="2.5", pkg_info="none"), below)
    (below / "pyproject.toml").write_text(
        (below / "pyproject.toml").read_text() + '\n[project]\nname = "part"\nversion = "2.5"\n')
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "two")
    url = f"part @ git+{tree.as_uri()}#subdirectory=python/part"
    result = world.run("resolve", url, "-o", "locked")
    assert result.exit == 0 and "part==2.5" in result.stdout, result.stdout + result.stderr
    check_lock(world.work / "locked" / "pylock.toml", {"part"})
    result = world.run("resolve", f"part @ git+{tree.as_uri()}#subdirectory=../part")
    assert result.exit == 2 and "url-unsupported" in result.stderr, result.stderr
    result = world.run("resolve", f"part @ git+{tree.as_uri()}@--upload-pack=touch")
    assert result.exit == 2 and "url-unsupported" in result.stderr, result.stderr


# --- the truth ---------------------------------------------------------------------------------

def estimate(name, told, truth):
    """A wheel whose METADATA says one thing, and an sdist that builds into another."""
    return [{"name": name, "requires": told, "kind": "wheel"},
            {"name": name, "requires": truth, "pkg_info": "dynamic"}]


def truth_that_the_pins_satisfy(world):
    world.add_projects([*estimate("app", ["lib"], ["lib>=1"]), *versions("lib", "1.0")])
    result = world.bootstrap("app")
    assert result.exit == 0 and "the pins satisfy it" in result.stderr, result.stderr


def truth_that_needs_another_set(world):
    world.add_projects([*estimate("app", ["lib"], ["lib<2", "more"]), *versions("lib", "1.0", "2.0"),
                        {"name": "more"}])
    result = world.bootstrap("app")
    assert result.exit == 0 and "solving again" in result.stderr, result.stderr
    assert {name.split("-")[0] + name.split("-")[1] for name in result.wheels()} == {"app1.0", "lib1.0", "more1.0"}


def truth_that_is_impossible(world):
    world.add_projects([*estimate("app", ["lib"], ["lib<2"]), *versions("lib", "1.0", "2.0")])
    result = world.bootstrap("app", "lib>=2")
    assert result.exit == 3, result.stderr
    assert "expected: lib" in result.stderr and "its wheel: lib<2" in result.stderr, result.stderr


if __name__ == "__main__":
    functions.main(globals())
