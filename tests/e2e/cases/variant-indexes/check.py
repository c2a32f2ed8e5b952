# SPDX-License-Identifier: Apache-2.0
"""The index of the variant is a folder; in another variant its packages come from where all do."""
from harness import projects


def check(world, _):
    index = world.work / "index" / "special"
    index.mkdir(parents=True)
    paths = projects.pack({"name": "special", "version": "2.0"}, index)
    page = projects.simple_page(paths, set()).replace("/files/", index.as_uri() + "/")
    (index / "index.html").write_text(page, encoding="utf-8")
    variants = world.work / "variants"
    variants.mkdir()
    (variants / "site.yaml").write_text(
        f"extends: base\nindex: [{{url: '{index.parent.as_uri()}', packages: [Special]}}]\npre_built: [binary_only]\n",
        encoding="utf-8")
    site = world.bootstrap("special", "other", "--variant", "site")
    assert site.exit == 0, site.stderr
    assert sorted(site.wheels(variant="site")) == [
        "binary_only-1.0-py3-none-any.whl", "other-1.0-py3-none-any.whl", "special-2.0-py3-none-any.whl"]
    assert site.package("binary-only")["outcome"] == "pre_built"
    plain = world.bootstrap("special", "--variant", "cpu", "-o", "plain")
    assert plain.exit == 0, plain.stderr
    assert (world.work / "plain" / "cpu" / "wheels" / "special-1.0-py3-none-any.whl").exists()
    refused = world.bootstrap("other", "--variant", "cpu", "-o", "refused")
    assert refused.exit == 3 and "--pre-built binary-only" in refused.stderr, refused.stderr
    (variants / "wrong.yaml").write_text("extends: base\nindex: [{url: 'gopher://host.example'}]\n", encoding="utf-8")
    wrong = world.bootstrap("special", "--variant", "wrong")
    assert wrong.exit == 2 and "wrong.yaml:2" in wrong.stderr, wrong.stderr
