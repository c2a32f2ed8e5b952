# SPDX-License-Identifier: Apache-2.0
"""Each line of the table: arguments, exit code, id, and words the message must have."""
import http.server
import os
import re
import shutil
import socket
import subprocess
import sysconfig
import threading

# Failures of builds, whose cause is told by the log: its id, and words.
BUILDS = [
    ("header", ["[missing-header]", "openssl/ssl.h", "libssl-dev", "openssl-devel"]),
    ("library", ["[missing-library]", "-lz", "zlib1g-dev", "zlib-devel"]),
    ("undeclared", ["[undeclared-build-dependency]", "numpy_that_nobody_declared", "build"]),
    ("memory", ["[out-of-memory]", "memory"]),
    ("space", ["[no-space]", "disk is full"]),
    ("network", ["[network-attempt]", "files.example.org", "no network"]),
    ("python-headers", ["[python-headers-missing]", "Python.h", "python3-dev", "python3-devel"]),
]


class Answers(http.server.BaseHTTPRequestHandler):
    """An index that answers every question with one status."""
    status = 404

    def do_GET(self):
        self.send_response(self.status)
        if self.status == 401:
            self.send_header("WWW-Authenticate", "Basic")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def index_with(status, world):
    handler = type("Handler", (Answers,), {"status": status})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    world._closing.callback(server.shutdown)
    return f"http://127.0.0.1:{server.server_address[1]}/simple"


def closed_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def explained(world, text):
    ids = set(re.findall(r"\[([a-z][a-z0-9-]+)\]", text)) - {"build-system"}  # a table of pyproject.toml
    assert ids, f"no id in\n{text}"
    for each in ids:
        told = world.run("explain", each)
        assert told.exit == 0 and len(told.stdout) > 40, f"explain {each}: {told.stdout}{told.stderr}"
    return ids


def expect(world, arguments, code, wanted, *words, env=None, prefix=()):
    result = world.run(*arguments, env=env, prefix=prefix)
    text = result.stderr + result.stdout
    assert result.exit == code, f"{arguments} ended with {result.exit}, expected {code}\n{text}"
    assert wanted in explained(world, result.stderr), f"{arguments}: {wanted} is not in\n{text}"
    for word in words:
        assert word in text, f"{arguments}: {word!r} is not in\n{text}"
    assert "hint:" in text or "first:" in text, f"{arguments}: nothing says what to do\n{text}"


def tls_index(world):
    """An index whose certificate nobody has signed; None without openssl."""
    folder = world.root / "tls"
    folder.mkdir()
    made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key", "-out", "cert", "-days", "2",
                           "-subj", "/CN=localhost"], cwd=folder, capture_output=True, check=False)
    if made.returncode != 0:
        return None
    import ssl
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert", folder / "key")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    world._closing.callback(server.shutdown)
    return f"https://localhost:{server.server_address[1]}/simple"


def indexes(world):
    online = {"PIP_NO_INDEX": "0", "PIP_FIND_LINKS": "", "PIP_RETRIES": "0"}
    expect(world, ["bootstrap", "fine"], 5, "index-unreachable", "127.0.0.1",
           env={**online, "PIP_INDEX_URL": f"http://127.0.0.1:{closed_port()}/simple"})
    expect(world, ["bootstrap", "fine"], 5, "index-unauthorized", "401",
           env={**online, "PIP_INDEX_URL": index_with(401, world)})
    expect(world, ["bootstrap", "fine"], 3, "unknown-package", "fine",
           env={**online, "PIP_INDEX_URL": index_with(404, world)})
    expect(world, ["bootstrap", "fine"], 5, "index-unreachable", "500",
           env={**online, "PIP_INDEX_URL": index_with(500, world)})
    secure = tls_index(world)
    if secure:
        expect(world, ["bootstrap", "fine"], 5, "tls-failed", "certificate", env={**online, "PIP_INDEX_URL": secure})


def near_names(world):
    """Of what --find-links folders have, of what the store has built, and of what people say instead."""
    expect(world, ["bootstrap", "fin"], 3, "unknown-package", "did you mean fine?")
    expect(world, ["bootstrap", "pytorch"], 3, "unknown-package", "did you mean torch?")
    nowhere = {"PIP_FIND_LINKS": str(world.root / "home")}
    assert "did you mean" not in world.run("bootstrap", "fien", env=nowhere).stderr
    assert world.run("bootstrap", "fine", "-o", "before").exit == 0
    expect(world, ["bootstrap", "fien"], 3, "unknown-package", "did you mean fine?", env=nowhere)


def without_headers(world):
    """Said before the build, not only when it failed."""
    view = ("bwrap", "--dev-bind", "/", "/", "--die-with-parent", "--tmpfs", sysconfig.get_path("include"))
    if not shutil.which("bwrap") or not os.path.isdir(view[-1]) or world.run("explain", "disk-full", prefix=view).exit != 0:
        return
    told = world.run("bootstrap", "native", "-o", "native", "--cache-dir", "bare", prefix=view)
    said = "native 1.0 has native code, and Python.h is missing"
    assert told.exit == 0 and said in told.stderr and "python3-dev" in told.stderr, told.stderr
    assert told.stderr.index(said) < told.stderr.index("native 1.0: built"), told.stderr
    pure = world.run("bootstrap", "tests-in-c", "-o", "native", "--cache-dir", "bare", prefix=view)
    assert pure.exit == 0 and "Python.h" not in pure.stderr, pure.stderr
    expect(world, ["bootstrap", "extension", "-o", "native", "--cache-dir", "bare"], 2, "python-headers-missing", "extension 1.0",
           view[-1], "python3-devel", prefix=view)
    plan = world.run("bootstrap", "native", "tests-in-c", "extension", "--plan", "-o", "native", "--cache-dir", "bare", prefix=view)
    assert "missing: Python.h, probably needed by extension==1.0 (" in plan.stdout, plan.stdout + plan.stderr


def check(world, results):
    near_names(world)
    expect(world, ["bootstrap", "fine>=7"], 3, "no-solution", "1.0")
    expect(world, ["bootstrap", "newer-python"], 3, "no-solution", "3.99")
    expect(world, ["bootstrap", "bad-toml"], 3, "bad-pyproject", "pyproject.toml:1:14", "expected ']'")
    expect(world, ["bootstrap", "no-backend"], 1, "backend-not-found", "nowhere.to.be.found")
    expect(world, ["bootstrap", "foreign"], 4, "wheel-refused", "win32")
    for name, words in BUILDS:
        expect(world, ["bootstrap", name], 1, "build-failed", *words)
    expect(world, ["bootstrap", "fine", "--variant", "rocmm"], 2, "unknown-variant", "rocm")
    expect(world, ["bootstrap", "fine", "--vairant", "rocm"], 2, "bad-usage", "did you mean --variant?")
    expect(world, ["bootstrap", "fine", "--python", "9.9"], 2, "python-not-found", "9.9")
    expect(world, ["bootstrap", "fine", "-r", "nothing.txt"], 2, "file-not-found", "nothing.txt")
    (world.work / "settings").mkdir()
    (world.work / "settings" / "fine.yaml").write_text("enviroment: {A: b}\n", encoding="utf-8")
    expect(world, ["bootstrap", "fine", "--settings-dir", "settings"], 2, "unknown-key", "enviroment", "fine.yaml")
    (world.work / "wall").write_text("a file", encoding="utf-8")
    expect(world, ["bootstrap", "fine", "-o", "wall/out"], 5, "output-not-writable", "wall")
    indexes(world)
    without_headers(world)
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([str(world.program), "explain", "bad-usage"], stdout=full, stderr=subprocess.PIPE,
                                  env=world.environment(), check=False)
        assert done.returncode in (0, 5), done
