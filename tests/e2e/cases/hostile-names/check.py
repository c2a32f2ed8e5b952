# SPDX-License-Identifier: Apache-2.0
"""On the command line, in requirements of packages, and as an index spells them."""
import contextlib
import gzip
import hashlib
import http.server
import os
import re
import threading

from harness import hostile

LONG = "n" * 300


def ends(world, code, *arguments, env=None, words=()):
    result = world.run(*arguments, env=env)
    told = f"{arguments}: exit {result.exit}\n{result.stderr}"
    assert result.exit == code and re.search(r"\[[a-z]+-[a-z-]+\]", result.stderr), told
    for word in words:
        assert word in result.stderr, f"{word!r} is not in {told}"
    for place in (world.root, world.work, world.work / "out"):
        assert not list(place.glob("escaped*")), told
    return result


def long_index(world):
    """An index with a project, and its sdist, of a name that no file can have."""
    sdist = gzip.compress(hostile.tar_bytes((f"{LONG[:90]}-1.0/PKG-INFO", b"")))
    page = f'<a href="/files/{LONG}-1.0.tar.gz#sha256={hashlib.sha256(sdist).hexdigest()}">{LONG}-1.0.tar.gz</a>'.encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = sdist if self.path.startswith("/files/") else page
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with contextlib.suppress(ConnectionError):
                self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    world._closing.callback(server.shutdown)
    return {"PIP_INDEX_URL": f"http://127.0.0.1:{server.server_address[1]}/simple", "PIP_NO_INDEX": "0", "PIP_FIND_LINKS": ""}


def check(world, results):
    for name in ("../escaped", "..%2fescaped", "/tmp/escaped", "fine/../escaped", ".", "-", "fine\\escaped", "fi\tne", "fi\x1b[31mne",
                 "r\u0435quests", "\uff46ine", "fine\u200b"):
        for command in ("bootstrap", "resolve", "build", "why-rebuilt", "log"):
            spelled = f"{name}==1.0" if command == "build" else name
            result = world.run(command, "--", spelled)
            assert result.exit in (2, 3), f"{command} {name!r}: {result.exit}\n{result.stderr}"
            assert "\x1b" not in result.stderr and "\u200b" not in result.stderr, result.stderr
    ends(world, 3, "bootstrap", LONG, words=["unknown-package"])
    ends(world, 3, "bootstrap", LONG, env=long_index(world))  # its file is passed over: nothing can be called so
    for name in ("asks-for-a-path", "asks-to-build-with-a-path", "asks-by-the-hook", "asks-for-a-twin"):
        result = world.run("bootstrap", name)
        assert result.exit in (1, 3, 4), f"{name}: {result.exit}\n{result.stderr}"
        assert name in result.stderr and re.search(r"\[[a-z]+-[a-z-]+\]", result.stderr), result.stderr
    left = sorted(os.listdir(world.root))
    assert left == ["cache", "files", "home", "stderr", "stdout", "work"], left
    assert set(os.listdir(world.work)) <= {"out"}, os.listdir(world.work)
