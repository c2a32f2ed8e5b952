# SPDX-License-Identifier: Apache-2.0
"""A variable comes, a published file is damaged, the tool is built anew: each treated as it should be."""


def check(world, results):
    first = results[0].wheels()
    settings = world.work / "settings"
    settings.mkdir()
    (settings / "lib.yaml").write_text("env: {FLAVOUR: strong}\n", encoding="utf-8")
    refused = world.bootstrap("app", "--settings-dir", "settings", "--keep-going")
    assert refused.exit == 4, refused.stderr
    assert "FLAVOUR = strong is new" in refused.stderr and "changelog" in refused.stderr, refused.stderr
    assert refused.package("lib")["error"]["id"] == "published-wheel-differs"
    assert refused.report["counts"]["built"] == 0, "nothing is built before it is refused"
    assert refused.wheels() == first

    damaged = next((results[0].out / "cpu" / "wheels").glob("lib-*.whl"))
    damaged.unlink()
    damaged.write_bytes(b"rubbish")
    mended = world.bootstrap("app")
    assert mended.exit == 0 and mended.wheels() == first, mended.stderr

    replaced = world.bootstrap("app", "--settings-dir", "settings", "--replace")
    assert replaced.exit == 0 and replaced.package("lib")["outcome"] == "built", replaced.stderr
    told = world.run("why-rebuilt", "lib")
    assert "lib 1.0: rebuilt because FLAVOUR = strong is new (cpu)" in told.stdout, told.stdout + told.stderr
    assert "no earlier build" in world.run("why-rebuilt", "app").stdout
    unknown = world.run("why-rebuilt", "libb")
    assert unknown.exit == 2 and "did you mean lib?" in unknown.stderr, unknown.stderr

    (settings / "lib.yaml").unlink()
    (settings / "tool.yaml").write_text("env: {FLAVOUR: weak}\n", encoding="utf-8")
    tools = world.bootstrap("app", "--settings-dir", "settings", "--replace")
    assert tools.exit == 0, "tools are not published: " + tools.stderr
