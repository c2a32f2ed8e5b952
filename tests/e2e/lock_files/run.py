#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pylock.toml of `resolve -o`, judged by the `packaging` library (PEP 751) and by what is on disk.

usage: run.py PROGRAM [TEST...]     names of functions; exit status 77: all skipped
"""
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "support")]
sys.dont_write_bytecode = True
import real_index  # noqa: E402
from harness import functions, projects  # noqa: E402
from harness.functions import Skipped, versions, write  # noqa: E402
from harness.index import LocalIndex  # noqa: E402

PACKAGING = "packaging==26.3"  # the first that reads lock files is 25.1
JUDGE = """
import pathlib, sys, tomllib
from packaging.pylock import Pylock
lock = Pylock.from_dict(tomllib.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))
if sys.argv[2] == "select":
    for package, _ in lock.select():
        print(package.name)
"""


def judged(path, select=False):
    """The lock as a table, when `packaging` takes it; with `select` also for this very machine."""
    python = real_index.tool_environment("packaging", [PACKAGING])
    if python is None:
        raise Skipped(f"no index gives {PACKAGING}")
    done = subprocess.run([python, "-c", JUDGE, path, "select" if select else ""],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{path.read_text()}\n{done.stderr}"
    lock = tomllib.loads(path.read_text(encoding="utf-8"))
    if select:
        assert sorted(done.stdout.split()) == [each["name"] for each in lock["packages"]], done.stdout
    return lock


def lock_of(world, *arguments, select=False):
    result = world.run("resolve", *arguments, "-o", "locked", "--runtime-only")
    assert result.exit == 0, result.stderr
    return judged(world.work / "locked" / "pylock.toml", select)


def package(lock, name):
    return next(each for each in lock["packages"] if each["name"] == name)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def index_of(world, tables):
    index = LocalIndex(world.root / "index", tables)
    world._closing.callback(index.close)
    world.index_url = index.url
    return index


def from_an_index(world):
    index = index_of(world, [{"name": "app", "requires": ["Lib.x[more]"], "extras": {"all": ["app"]}},
                             {"name": "lib_x", "kind": "wheel", "extras": {"more": ["extra>=1"]}},
                             *versions("extra", "1.0")])
    lock = lock_of(world, "app[all]", "--pre-built", "lib-x", select=True)
    app = package(lock, "app")
    assert app["index"] == index.url and app["version"] == "1.0", app
    assert app["sdist"]["hashes"] == {"sha256": index.digest("app-1.0.tar.gz")}, app
    assert [each["name"] for each in app["dependencies"]] == ["lib-x"], app
    [wheel] = package(lock, "lib-x")["wheels"]
    assert wheel["hashes"] == {"sha256": index.digest(wheel["name"])}, wheel
    assert package(lock, "lib-x")["dependencies"] == [{"name": "extra"}], lock


def requires_python_of_files_and_of_the_lock(world):
    index = index_of(world, versions("app", "1.0"))
    index.pages["app"] = index.pages["app"].replace(b"<a ", b'<a data-requires-python="&gt;=3.8,!=3.9.1" ')
    lock = lock_of(world, "app", "--python", "3.12.4")
    assert package(lock, "app")["requires-python"] in (">=3.8,!=3.9.1", "!=3.9.1,>=3.8"), lock
    assert lock["requires-python"] == ">=3.12.4", lock
    assert any("3.12.4" in marker for marker in lock["environments"]), lock


def files_without_a_digest_are_fetched_for_one(world):
    index = index_of(world, [{"name": "app", "kind": "wheel"}, {"name": "weak", "kind": "wheel"}])
    index.pages["app"] = re.sub(rb"#sha256=[0-9a-f]+", b"", index.pages["app"])
    [weak] = index.files.glob("weak*")
    md5 = hashlib.md5(weak.read_bytes()).hexdigest().encode()
    index.pages["weak"] = re.sub(rb"#sha256=[0-9a-f]+", b"#md5=" + md5, index.pages["weak"])
    lock = lock_of(world, "app", "weak", "--pre-built", ":all:")
    for each in lock["packages"]:
        [wheel] = each["wheels"]
        assert wheel["hashes"] == {"sha256": index.digest(wheel["name"])}, wheel


def local_files_and_folders_are_paths(world):
    world.add_projects([{"name": "app"}, {"name": "taken", "kind": "wheel"},
                        {"name": "old", "format": "tar.bz2"}, {"name": "zipped", "format": "zip"}])
    folder = world.root / "trees" / "a folder"
    [archive] = projects.pack({"name": "tree", "version": "1.0"}, world.root)
    shutil.unpack_archive(archive, folder.parent)
    (folder.parent / "tree-1.0").rename(folder)
    direct = world.work / "locked" / "vendored.tar.gz"
    direct.parent.mkdir()
    shutil.copy(projects.pack({"name": "direct", "version": "3.0"}, world.root)[0], direct)
    lock = lock_of(world, "app", "taken", "old", "zipped", f"tree @ {folder.as_uri()}",
                   f"direct @ {direct.as_uri()}", "--pre-built", "taken")
    assert not [each for each in lock["packages"] if "file:" in str(each)], lock
    assert package(lock, "tree")["directory"] == {"path": str(folder)}, lock
    assert "version" not in package(lock, "tree"), lock  # the tree may change
    archive = package(lock, "direct")["archive"]
    assert archive["path"] == "vendored.tar.gz" and archive["hashes"] == {"sha256": digest(direct)}, lock
    for name, kind in (("app", "sdist"), ("zipped", "sdist"), ("old", "archive")):
        file = package(lock, name)[kind]
        assert file["hashes"] == {"sha256": digest(pathlib.Path(file["path"]))}, file
        assert "index" not in package(lock, name), lock
    [wheel] = package(lock, "taken")["wheels"]
    assert wheel["hashes"] == {"sha256": digest(pathlib.Path(wheel["path"]))}, wheel


def repositories_are_commits(world):
    if not shutil.which("git"):
        raise Skipped("no git")
    tree = world.root / "repository"
    [archive] = projects.pack({"name": "part", "version": "2.0"}, world.root)
    shutil.unpack_archive(archive, tree / "python")

    def git(*words):
        done = subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=tree,
                              capture_output=True, text=True, check=True)
        return done.stdout.strip()

    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    world.add_projects([])
    lock = lock_of(world, f"part @ git+{tree.as_uri()}#subdirectory=python/part-2.0")
    assert package(lock, "part")["vcs"] == {
        "type": "git", "path": str(tree), "commit-id": git("rev-parse", "HEAD"), "subdirectory": "python/part-2.0",
    }, lock
    assert "version" not in package(lock, "part"), lock


def archives_by_url_keep_it(world):
    index = index_of(world, versions("app", "1.0"))
    url = index.url.replace("/simple", "/files/app-1.0.tar.gz")
    lock = lock_of(world, f"app @ {url}")
    assert package(lock, "app")["archive"] == {
        "url": url, "hashes": {"sha256": index.digest("app-1.0.tar.gz")}}, lock
    assert not {"sdist", "wheels", "index"} & set(package(lock, "app")), lock


def several_versions_are_no_lock(world):
    world.add_projects(versions("app", "1.0", "2.0"))
    result = world.run("resolve", "app", "--multiple-versions", "--runtime-only", "-o", "locked")
    assert result.exit == 0 and not (world.work / "locked" / "pylock.toml").exists(), result.stderr


def odd_texts_stay_texts(world):
    world.add_projects([])
    folder = world.root / 'quo"te\\and é'
    [archive] = projects.pack({"name": "tree", "version": "1.0"}, world.root)
    shutil.unpack_archive(archive, world.root / "unpacked")
    (world.root / "unpacked" / "tree-1.0").rename(folder)
    write(world, "r.txt", f"tree @ {folder.as_uri()}\n")
    assert package(lock_of(world, "-r", "r.txt"), "tree")["directory"]["path"] == str(folder)


if __name__ == "__main__":
    functions.main(globals())
