# SPDX-License-Identifier: Apache-2.0
"""An index of its own on the loopback interface, for cases with several of them."""
import hashlib
import http.server
import pathlib
import threading

from . import projects


def normalized(name):
    return name.lower().replace("_", "-").replace(".", "-")


class LocalIndex:
    """Serves the projects of `tables` (harness/projects.py) below `url`; `asked` are the names of
    projects that somebody looked for, `fetched` the files that somebody took."""

    def __init__(self, folder, tables):
        self.files = pathlib.Path(folder)
        self.files.mkdir(parents=True)
        self.asked, self.fetched = [], []
        self.pages = {}
        by_name = {}
        for table in tables:
            paths = [] if table.get("kind") == "empty" else projects.pack(table, self.files)
            by_name.setdefault(normalized(table["name"]), []).extend(paths)
        for name, paths in by_name.items():
            self.pages[name] = projects.simple_page(paths, set()).encode()
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/simple"

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def digest(self, filename):
        return hashlib.sha256((self.files / filename).read_bytes()).hexdigest()

    def _body(self, path):
        kind, _, name = path.strip("/").partition("/")
        if kind == "simple":
            self.asked.append(name)
            return self.pages.get(name)
        self.fetched.append(name)
        file = self.files / name
        return file.read_bytes() if kind == "files" and file.is_file() else None

    def _handler(self):
        index = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                body = index._body(self.path)
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        return Handler
