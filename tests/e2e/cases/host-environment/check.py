# SPDX-License-Identifier: Apache-2.0
"""An image made on the spot: a virtual environment with one distribution, installed as pip does."""
import json
import sys
import zipfile


def install(site, name, version, files):
    info = f"{name}-{version}.dist-info"
    files = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/INSTALLER": "pip\n",
    }
    for path, text in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text, encoding="utf-8")
    lines = [f"{path},," for path in files] + [f"{info}/RECORD,,"]
    (site / info / "RECORD").write_text("\n".join(lines) + "\n", encoding="utf-8")


def check(world, _):
    image = world.work / "image"
    site = image / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    install(site, "torch_sendnn", "1.2.0", {
        "torch_sendnn/__init__.py": "VERSION = '1.2.0'\n", "../../../bin/sendnn": f"#!{image}/bin/python\nprint(1)\n",
        "../../../share/sendnn/data": "x"})
    result = world.bootstrap("app", "--host-environment", "image")
    assert result.exit == 0, result.stderr
    assert result.report["counts"]["provided"] == 1 and result.report["counts"]["built"] == 1, result.report["counts"]
    assert result.package("torch-sendnn")["outcome"] == "provided"
    assert list(result.wheels()) == ["app-1.0-py3-none-any.whl"] and not result.wheels("build-wheels")
    assert not (result.out / "cpu" / "simple" / "torch-sendnn").exists()
    node, = (node for node in result.graph["nodes"] if node["name"] == "torch-sendnn")
    assert (node["version"], node["source"]["kind"]) == ("1.2.0", "provided"), node
    with zipfile.ZipFile(result.out / "cpu" / "wheels" / "app-1.0-py3-none-any.whl") as wheel:
        assert wheel.read("app.py").decode() == "BUILT_WITH = '1.2.0'\n"
        name, = (name for name in wheel.namelist() if name.endswith(".cdx.json"))
        components = json.loads(wheel.read(name))["components"]
    part, = (part for part in components if part["name"] == "torch-sendnn")
    assert part["properties"][0]["name"] == "wheelforge:provided", part

    # Another image, another wheel; the same image, nothing to do.
    assert world.bootstrap("app", "--host-environment", "image").report["counts"]["reused"] == 1
    (site / "torch_sendnn/__init__.py").write_text("VERSION = '1.2.0+patched'\n", encoding="utf-8")
    again = world.bootstrap("app", "--host-environment", "image", "--replace")
    assert again.report["counts"]["built"] == 1, again.stderr

    # The variant may say where it is.
    (world.work / "variants").mkdir(exist_ok=True)
    (world.work / "variants" / "site.yaml").write_text(
        "extends: spyre\nprovided: {torch_sendnn: {from: image}}\n", encoding="utf-8")
    result = world.bootstrap("app", "--variant", "site")
    assert result.exit == 0 and result.package("torch-sendnn")["outcome"] == "provided", result.stderr

    for folder, words in (("nowhere", "nor a folder with *.dist-info"), ("image/lib", "nor a folder with *.dist-info")):
        refused = world.bootstrap("app", "--host-environment", folder)
        assert refused.exit == 2 and words in refused.stderr, refused.stderr

    # What its RECORD says is not believed: nothing outside of the image is read.
    (world.work / "secret").write_text("s", encoding="utf-8")
    record = next(site.glob("*.dist-info")) / "RECORD"
    good = record.read_text(encoding="utf-8")
    for line in ("../../../../secret,,", "/etc/passwd,,", "torch_sendnn/link.py,,", "torch_sendnn/gone.py,,"):
        (site / "torch_sendnn/link.py").unlink(missing_ok=True)
        (site / "torch_sendnn/link.py").symlink_to(world.work / "secret")
        record.write_text(good + line + "\n", encoding="utf-8")
        refused = world.bootstrap("app", "--variant", "site")
        assert refused.exit == 2 and "[host-distribution]" in refused.stderr, (line, refused.stderr)
