# SPDX-License-Identifier: Apache-2.0
"""Passwords in the index URL, .netrc, pip's configuration and variables, on roads that end well and badly."""
import urllib.parse
import zipfile

SECRET = "pl4nted-s3cret"


def contents(path):
    """The bytes of a file and, of a wheel, those of its members."""
    yield path.name, path.read_bytes()
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            for name in wheel.namelist():
                yield f"{path.name}/{name}", wheel.read(name)


def holders(world):
    return [name for path in world.root.rglob("*") if path.is_file() and not path.is_relative_to(world.root / "home")
            for name, data in contents(path) if SECRET.encode() in data]


def said_by_the_caller(world, url):
    """Passwords that the caller wrote into requirements, constraints and options."""
    files = url.replace("/simple", "/files")
    (world.files / "limits.txt").write_text("listened-to<2\n", encoding="utf-8")
    (world.root / "home" / "reqs.txt").write_text(
        f"listened-to @ {files}/listened_to-1.0.tar.gz\n-c {files}/limits.txt\n--extra-index-url {url}\n", encoding="utf-8")
    reqs = str(world.root / "home" / "reqs.txt")
    for code, arguments in (
            (0, ("bootstrap", "-r", reqs, "-o", "asked", "--events", "asked.jsonl")),
            (0, ("bootstrap", "nosy", "-i", url, "--extra-index-url", url, "-c", f"{files}/limits.txt", "-o", "asked")),
            (0, ("resolve", "-r", reqs, "-o", "solved", "--format", "json")),
            (0, ("check", "-r", reqs, "-o", "checked")),
            (0, ("build", "nosy==1.0", "-i", url, "-o", "one")),
            (0, ("shell", "nosy==1.0", "-i", url, "--", "env")),
            (0, ("why-rebuilt", "nosy")),
            (0, ("log", "nosy")),
            (0, ("doctor",)),
            (0, ("env",)),
            (3, ("bootstrap", "-r", reqs, "listened-to>5", "-o", "gone")),
            (5, ("bootstrap", f"gone @ {files}/gone-1.0.tar.gz", "-o", "gone")),
            (2, ("bootstrap", "nosy", "-c", f"{files}/gone.txt", "-o", "gone")),
            (2, ("bootstrap", f"{files}/listened_to-1.0.tar.gz", "-o", "gone")),
            (2, ("bootstrap", "nosy", f"--index={url}")),
            (2, ("bootstrap", f"nosy @ {files}/nosy-1.0.tar.gz and more")),
            (2, ("bootstrap", "-c", f"{url.replace('http', 'ftp')}/limits.txt")),
            (4, ("bootstrap", f"nosy @ {files}/listened_to-1.0.tar.gz", "-o", "gone"))):
        result = world.run(*arguments)
        assert not holders(world), f"{arguments[0]}: {holders(world)}"
        assert result.exit == code or arguments[0] in ("doctor", "check"), f"{arguments}: {result.exit}\n{result.stderr}"


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
    said_by_the_caller(world, world.index_url)
    address = address._replace(netloc=f"somebody:{SECRET}@127.0.0.1:1")
    world.index_url = address.geturl()
    unreachable = world.run("bootstrap", "nosy", "--refresh", "--cache-dir", "other-cache")
    assert unreachable.exit == 5, f"{unreachable.exit}\n{unreachable.stderr}"
    assert not holders(world), holders(world)
