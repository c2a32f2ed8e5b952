# SPDX-License-Identifier: Apache-2.0
"""One package, by version, by name, and under constraints; and what happens when it cannot be had."""


def published_names(world):
    """A wheel that a bootstrap published keeps its bytes here, too; status and log tell of this run."""
    assert world.bootstrap("app", "-o", "p").exit == 0
    (world.work / "settings").mkdir()
    (world.work / "settings" / "app.yaml").write_text("env: {FLAVOUR: strong}\n", encoding="utf-8")
    other = ("build", "app==2.0", "-o", "p", "--settings-dir", "settings")
    refused = world.run(*other)
    assert refused.exit == 4 and "[published-wheel-differs]" in refused.stderr, refused.stderr
    assert "cpu: ended with 4" in world.run("status", "p").stdout
    replaced = world.run(*other, "--replace")
    assert replaced.exit == 0 and replaced.stdout == "p/cpu/wheels/app-2.0-py3-none-any.whl\n", replaced.stderr
    assert world.run("log", "app", "-o", "p").exit == 0


def check(world, results):
    built = world.run("build", "app==1.0")
    assert built.exit == 0, built.stderr
    assert built.stdout == "out/cpu/wheels/app-1.0-py3-none-any.whl\n", built.stdout
    assert (world.work / built.stdout.strip()).is_file()
    outcomes = {package["name"]: package["outcome"] for package in built.report["packages"]}
    assert outcomes == {"app": "built", "tool": "built"}, f"lib is no build tool: {outcomes}"
    assert "building" in built.stderr

    again = world.run("build", "app==1.0")
    assert again.stdout == built.stdout and "building" not in again.stderr, again.stderr
    assert {package["outcome"] for package in again.report["packages"]} == {"reused"}

    newest = world.run("build", "app")
    assert newest.stdout == "out/cpu/wheels/app-2.0-py3-none-any.whl\n", newest.stdout + newest.stderr
    (world.work / "c.txt").write_text("app<2\n", encoding="utf-8")
    resolved = world.run("build", "app", "-c", "c.txt")
    assert resolved.stdout == built.stdout, resolved.stdout + resolved.stderr

    failed = world.run("build", "broken==1.0")
    assert failed.exit == 1 and failed.stdout == "", failed
    assert "no way" in failed.stderr and "first:" in failed.stderr, failed.stderr

    for word, code, says in (("app==9", 3, "app"), ("nothing==1", 3, "[unknown-package]"),
                             ("app>=1", 2, "[bad-package]"), ("../app==1", 2, "[bad-package]")):
        wrong = world.run("build", word)
        assert wrong.exit == code and wrong.stdout == "" and says in wrong.stderr, (word, wrong)

    published_names(world)
    (world.work / "wheelforge.yaml").write_text("variants: {cpu: {requirements: ['app<2']}}\n", encoding="utf-8")
    of_project = world.run("build", "app")
    assert of_project.stdout == built.stdout, of_project.stderr
    outside = world.run("build", "broken")
    assert outside.exit == 3 and "[not-in-the-set]" in outside.stderr, outside.stderr
