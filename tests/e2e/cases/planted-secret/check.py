# SPDX-License-Identifier: Apache-2.0
"""Passwords in the index URL, .netrc, pip's configuration and variables, on roads that end well and badly."""
import urllib.parse

SECRET = "pl4nted-s3cret"


def holders(world):
    found = []
    for path in world.root.rglob("*"):
        if path.is_file() and not path.is_relative_to(world.root / "home") and SECRET.encode() in path.read_bytes():
            found.append(str(path.relative_to(world.root)))
    return found


def check(world, results):
    address = urllib.parse.urlsplit(world.index_url)
    world.index_url = f"http://somebody:{SECRET}@{address.netloc}/simple"
    (world.root / "home" / ".netrc").write_text(f"machine elsewhere.example login somebody password {SECRET}\n")
    pip = world.root / "home" / "pip.conf"
    pip.write_text(f"[global]\nextra-index-url = http://other:{SECRET}@{address.netloc}/simple\n")
    world.settings.update({
        "PIP_CONFIG_FILE": str(pip),
        "HTTPS_PROXY": f"http://somebody:{SECRET}@127.0.0.1:9",
        "GITHUB_TOKEN": SECRET,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "CFLAGS": f"-D{SECRET}",
        "WHEELFORGE_LOG": "debug",
    })
    expected = {
        ("nosy", "--events", "events.jsonl"): 0,
        ("nosy", "--refresh", "--events", "events.jsonl"): 0,
        ("broken",): 1,
        ("missing",): 3,
        ("nosy", "--plan"): 0,
    }
    for arguments, code in expected.items():
        result = world.run("bootstrap", *arguments)
        assert result.exit == code, f"{arguments}: {result.exit}\n{result.stderr}"
        assert not holders(world), f"{arguments}: {holders(world)}"
    log = next((world.work / "out").rglob("nosy-*.log"))
    assert "PATH " in log.read_text(encoding="utf-8"), "the build showed no environment"
    assert world.file_was_asked.is_set()
    address = address._replace(netloc=f"somebody:{SECRET}@127.0.0.1:1")
    world.index_url = address.geturl()
    unreachable = world.run("bootstrap", "nosy", "--refresh", "--cache-dir", "other-cache")
    assert unreachable.exit == 5, f"{unreachable.exit}\n{unreachable.stderr}"
    assert not holders(world), holders(world)
