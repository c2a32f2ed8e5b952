# SPDX-License-Identifier: Apache-2.0
"""What teams write into these files, and what goes wrong there."""
import contextlib
import hashlib
import http.server
import threading


def serve(world, texts, pages=None):
    """Texts by path; pages of an index without any digest below /bare/."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = texts.get(self.path)
            if body is None and self.path.startswith("/bare/"):
                name = self.path.split("/")[2]
                links = "".join(f'<a href="/files/{path.name}">{path.name}</a>' for path in world.files.glob(f"{name}-*"))
                body = f"<html><body>{links}</body></html>"
            if body is None and self.path.startswith("/files/"):
                body = (world.files / self.path.split("/")[2]).read_bytes()
            data = body.encode() if isinstance(body, str) else body
            self.send_response(200 if data is not None else 404)
            self.send_header("Content-Type", "text/html" if self.path.startswith("/bare/") else "text/plain")
            self.send_header("Content-Length", str(len(data or b"")))
            self.end_headers()
            with contextlib.suppress(ConnectionError):
                self.wfile.write(data or b"")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    world._closing.callback(server.shutdown)
    return f"http://127.0.0.1:{server.server_address[1]}"


def digest(world, name):
    return hashlib.sha256((world.files / name).read_bytes()).hexdigest()


def write(world, **texts):
    for name, text in texts.items():
        (world.work / f"{name}.txt").write_text(text, encoding="utf-8")


def refused(world, code, wanted, *words, arguments=("-r", "top.txt")):
    result = world.run("bootstrap", *arguments, "-o", "refused")
    assert result.exit == code and f"[{wanted}]" in result.stderr, result.stderr
    for word in words:
        assert word in result.stderr, f"{word!r} is not in\n{result.stderr}"


def taken(world):
    url = serve(world, {"/team/limits.txt": "# ours\n-c deeper/more.txt\n", "/team/deeper/more.txt": "lib<2"})
    (world.work / "sub").mkdir()
    write(world, top=(
        "# a comment\n-r sub/more.txt   # another\n\n"
        "never ; python_version < '3'\n"
        f"App[more] \\\n    >= 1.0 \\\n    --hash=sha256:{'0' * 64} \\\n    --hash=sha256:{digest(world, 'app-1.0.tar.gz')}\n"
        f"--constraint={url}/team/limits.txt"))
    (world.work / "sub" / "more.txt").write_text(
        f"extra @ {world.index_url.replace('simple', 'files')}/extra-1.0.tar.gz", encoding="utf-8")
    result = world.run("bootstrap", "-r", "top.txt")
    assert result.exit == 0, result.stderr
    assert list(result.wheels()) == [f"{name}-1.0-py3-none-any.whl" for name in ("app", "extra", "lib")], result.wheels().keys()
    return url


def errors(world, url):
    write(world, top="app\n  lib >=\n")
    refused(world, 2, "bad-requirement", "top.txt:2:", "version")
    write(world, top="app\n-c limits.txt\n", limits="lib <2\nlib[x]\n")
    refused(world, 2, "bad-requirement", "limits.txt:2:1", "extras")
    write(world, top="-r other.txt\n", other="-r top.txt\n")
    refused(world, 2, "bad-requirement", "other.txt:1:", "ring")
    write(world, top=f"-c {url}/team/absent.txt\n")
    refused(world, 2, "file-not-found", "team/absent.txt", "404")
    write(world, top=f"app --hash=sha256:{'0' * 64}\n")
    refused(world, 4, "hash-mismatch", digest(world, "app-1.0.tar.gz"))
    write(world, top="app\n")
    refused(world, 5, "offline-missing", "limits.txt", arguments=("-r", "top.txt", "-c", f"{url}/team/limits.txt", "--offline"))


def hashes(world, url):
    """An index that states no digest: taken with a warning and ours recorded, or refused."""
    bare = ("-i", f"{url}/bare", "-r", "top.txt")
    write(world, top="lib==1.0\n")
    told = world.run("bootstrap", *bare)
    sum_ = digest(world, "lib-1.0.tar.gz")
    assert told.exit == 0 and f"lib-1.0.tar.gz that proves anything; it has sha256 {sum_}" in told.stderr, told.stderr
    assert sum_ in (told.out / "graph.json").read_text(encoding="utf-8")
    refused(world, 4, "hash-missing", sum_, arguments=(*bare, "--require-hashes"))
    write(world, top="lib==1.0\n--require-hashes\n")
    refused(world, 4, "hash-missing", sum_, arguments=bare)
    write(world, top=f"lib==1.0 --hash=sha256:{sum_}\n--require-hashes\n")
    assert world.run("bootstrap", *bare, "-o", "vouched").exit == 0


def check(world, results):
    url = taken(world)
    errors(world, url)
    hashes(world, url)
