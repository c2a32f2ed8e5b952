# SPDX-License-Identifier: Apache-2.0
"""A strong input changes, then the changelog says so; then a new version comes, which was never built."""
from harness import projects


def bootstrap(world, *more):
    return world.bootstrap("app", "--settings-dir", "settings", *more)


def set_app(world, text):
    (world.work / "settings" / "app.yaml").write_text(text, encoding="utf-8")


def check(world, results):
    first = results[0].wheels()
    set_app(world, "env: {FLAVOUR: spicy}\n")

    kept = bootstrap(world, "--rebuild", "changelog")
    assert kept.exit == 0 and kept.report["counts"]["built"] == 0, kept.stderr
    assert kept.wheels() == first
    drift = kept.package("app")["drift"]
    assert len(drift) == 1 and "FLAVOUR" in drift[0], drift
    assert "FLAVOUR" in kept.stdout, kept.stdout

    strong = bootstrap(world)
    assert strong.exit == 4 and "published-wheel-differs" in strong.stderr and "FLAVOUR" in strong.stderr, strong.stderr
    assert strong.wheels() == first

    set_app(world, 'env: {FLAVOUR: spicy}\nchangelog: {"1.0": ["spicy from now on"]}\n')
    tagged = bootstrap(world, "--rebuild", "changelog")
    assert tagged.exit == 0 and tagged.report["counts"]["built"] == 1, tagged.stderr
    assert list(tagged.wheels()) == ["app-1.0-1-py3-none-any.whl"], list(tagged.wheels())
    assert not tagged.package("app")["drift"]

    quiet = bootstrap(world, "--rebuild", "changelog")
    assert quiet.exit == 0 and quiet.report["counts"]["reused"] == 2, quiet.stderr
    assert quiet.wheels() == tagged.wheels()

    # An entry for one version is none for another, and what was never built has to be.
    projects.pack({"name": "app", "version": "2.0", "build_requires": ["tool"]}, world.files)
    newer = bootstrap(world, "--rebuild", "changelog")
    assert newer.exit == 0 and list(newer.wheels()) == ["app-2.0-py3-none-any.whl"], newer.stderr
    assert newer.package("app")["outcome"] == "built"

    wrong = world.run("bootstrap", "app", "--rebuild", "sometimes")
    assert wrong.exit == 2 and "[bad-usage]" in wrong.stderr and "changelog" in wrong.stderr, wrong.stderr
