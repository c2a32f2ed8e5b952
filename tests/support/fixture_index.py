#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A package index on 127.0.0.1 for tests, standard library only, Python 3.8 upwards.

usage: fixture_index.py --root DIR [--port N] [options]

DIR holds one folder per project (normalised name) with its sdists and wheels; it is read anew at
every request. The port is printed as the first line. The server runs until it is killed, or, with
--watch-stdin, until its standard input ends.

  /simple/                         list of projects
  /simple/<project>/               PEP 503 HTML or PEP 691 JSON, chosen by Accept
  /files/<project>/<file>          the file, with ranges
  /files/<project>/<file>.metadata METADATA of a wheel (PEP 658), with --metadata

Requires-Python comes from METADATA or PKG-INFO. DIR/<project>/index.json may say more:
  {"status": "archived", "reason": "...",
   "files": {"<file>": {"yanked": "reason", "requires-python": ">=3.8", "upload-time": "...",
                        "url": "instead of ours", "hashes": {"md5": "..."}, "size": 1}}}

Options:
  --format both|html|json   what the pages may be; both: as Accept asks, HTML if it asks for nothing
  --metadata                announce and serve METADATA beside wheels
  --etag                    ETag on pages and files, 304 to If-None-Match
  --no-range                files answer every request with 200
  --hash NAME               algorithm of the hashes shown (default sha256); "none" for none
  --auth USER:PASSWORD      401 without these credentials (Basic)
  --auth-path PREFIX        only below this path (default /)
  --files-url URL           prefix of file links instead of a relative link, for files elsewhere
  --tls FILE                speak TLS with the certificate and key in this PEM file
  --client-ca FILE          and only with clients that show a certificate signed by this one
  --log FILE                a JSON line per request: method, path, status, and of its headers
                            those named accept, authorization, range, if-none-match, host
  --faults FILE             JSON, read anew at every request when it exists: a list of
                            {"path": "/simple/*", "fault": NAME, "times": N, ...}; `path` is a
                            pattern as in a shell; without `times` the fault stays. The first that
                            fits and is not used up wins; a new file counts from the start. Faults:
      status     {"status": 503, "retry_after": "1"}      an empty answer with that status
      redirect   {"location": URL, "status": 302}
      reply      {"status": 200, "headers": {...}, "body": "text", "base64": "..."}  anything
      truncate   {"bytes": N}       the true Content-Length, N bytes, then the end
      length     {"delta": N}       a Content-Length that is wrong by N
      corrupt    {"offset": N}      one byte of the body is changed
      drip       {"seconds": S, "bytes": N}   N bytes (default 1) every S seconds
      hang       {"seconds": S}     no answer for so long, then the end
      drop       {}                 the connection ends without an answer
      gzip_bomb  {"mebibytes": N}   N MiB of zeros, compressed, as Content-Encoding: gzip
      flood      {"mebibytes": N}   N MiB of blanks without a Content-Length
      headers    {"kibibytes": N}   so many headers that they are too many
      range_lie  {"kind": "offset"|"total"|"full"|"416"|"longer"}  ranges answered wrongly
"""
import argparse
import base64
import email.parser
import fnmatch
import gzip
import hashlib
import html
import http.server
import io
import json
import os
import pathlib
import re
import ssl
import sys
import tarfile
import threading
import time
import urllib.parse
import zipfile

JSON_TYPE = "application/vnd.pypi.simple.v1+json"
ARCHIVES = (".whl", ".tar.gz", ".zip", ".tar.bz2", ".tar.xz", ".tgz", ".egg", ".exe")
LOGGED = ("accept", "authorization", "range", "if-none-match", "host")


class Index:
    """What is in the folder, as values."""

    def __init__(self, options):
        self.options = options
        self.root = pathlib.Path(options.root)

    def projects(self):
        return sorted(entry.name for entry in self.root.iterdir() if entry.is_dir())

    def path(self, *parts):
        """The path of a file below the root; None for anything that is not plainly there."""
        if any(part in ("", ".", "..") or "/" in part or "\0" in part for part in parts):
            return None
        path = self.root.joinpath(*parts)
        return path if path.exists() else None

    def extra(self, project):
        path = self.root / project / "index.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def files(self, project):
        extra = self.extra(project).get("files", {})
        result = []
        for path in sorted((self.root / project).iterdir()):
            if path.name.endswith(ARCHIVES):
                result.append(self.file(project, path, extra.get(path.name, {})))
        return result

    def file(self, project, path, extra):
        content = path.read_bytes()
        prefix = self.options.files_url or "../../files"
        quoted = urllib.parse.quote(path.name)
        file = {
            "filename": path.name,
            "url": f"{prefix.rstrip('/')}/{project}/{quoted}",
            "hashes": {},
            "size": len(content),
        }
        if self.options.hash != "none":
            file["hashes"][self.options.hash] = hashlib.new(self.options.hash, content).hexdigest()
        metadata = metadata_of(path)
        if metadata:
            wanted = email.parser.BytesHeaderParser().parsebytes(metadata).get("Requires-Python")
            if wanted:
                file["requires-python"] = wanted
            if self.options.metadata and path.name.endswith(".whl"):
                file["core-metadata"] = {"sha256": hashlib.sha256(metadata).hexdigest()}
        file.update(extra)
        return file


def metadata_of(path):
    """METADATA of a wheel or PKG-INFO of a tar sdist; None if there is none."""
    try:
        if path.name.endswith(".whl"):
            with zipfile.ZipFile(path) as wheel:
                for name in wheel.namelist():
                    if re.fullmatch(r"[^/]+\.dist-info/METADATA", name):
                        return wheel.read(name)
        elif ".tar" in path.name or path.name.endswith(".tgz"):
            with tarfile.open(path) as sdist:
                for member in sdist:
                    if re.fullmatch(r"[^/]+/PKG-INFO", member.name):
                        return sdist.extractfile(member).read()
    except (OSError, zipfile.BadZipFile, tarfile.TarError):
        pass
    return None


def html_page(name, files, extra):
    lines = ["<!DOCTYPE html>", "<html><head>",
             '<meta name="pypi:repository-version" content="1.4">']
    if "status" in extra:
        lines.append(f'<meta name="pypi:project-status" content="{html.escape(extra["status"])}">')
    if "reason" in extra:
        reason = html.escape(extra["reason"])
        lines.append(f'<meta name="pypi:project-status-reason" content="{reason}">')
    lines.append(f"<title>Links for {html.escape(name)}</title></head><body>")
    lines += [html_link(file) for file in files]
    lines.append("</body></html>")
    return "\n".join(lines).encode()


def html_link(file):
    url = file["url"]
    for algorithm, digest in file["hashes"].items():
        url += f"#{algorithm}={digest}"
        break
    attributes = {"href": url}
    if "requires-python" in file:
        attributes["data-requires-python"] = file["requires-python"]
    if file.get("yanked") not in (None, False):
        attributes["data-yanked"] = "" if file["yanked"] is True else file["yanked"]
    if "upload-time" in file:
        attributes["data-upload-time"] = file["upload-time"]
    if "core-metadata" in file:
        digest = "sha256=" + file["core-metadata"]["sha256"]
        attributes["data-core-metadata"] = digest
        attributes["data-dist-info-metadata"] = digest
    text = " ".join(f'{key}="{html.escape(value)}"' for key, value in attributes.items())
    return f"<a {text}>{html.escape(file['filename'])}</a><br>"


def json_page(name, files, extra):
    page = {"meta": {"api-version": "1.4"}, "name": name, "files": files,
            "versions": []}
    if "status" in extra:
        page["project-status"] = {"status": extra["status"]}
        if "reason" in extra:
            page["project-status"]["reason"] = extra["reason"]
    return json.dumps(page).encode()


class Faults:
    """The list of --faults, and how often each of its entries was used."""

    def __init__(self, path):
        self.path = path
        self.file = None
        self.used = {}
        self.lock = threading.Lock()

    def find(self, url_path):
        if not self.path or not os.path.exists(self.path):
            return None
        with self.lock:
            with open(self.path, encoding="utf-8") as file:
                status = os.fstat(file.fileno())
                entries = json.load(file)
            if self.file != (status.st_ino, status.st_mtime_ns):
                self.file = (status.st_ino, status.st_mtime_ns)
                self.used = {}
            for entry in entries:
                key = json.dumps(entry, sort_keys=True)
                used = self.used.get(key, 0)
                if fnmatch.fnmatch(url_path, entry["path"]) and used < entry.get("times", 1 << 60):
                    self.used[key] = used + 1
                    return entry
        return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "fixture-index"
    disable_nagle_algorithm = True
    index = None
    faults = None
    log_lock = threading.Lock()

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.respond()

    def do_GET(self):
        self.respond()

    def respond(self):
        path = urllib.parse.urlsplit(self.path).path
        self.entry = self.faults.find(path)
        fault = getattr(self, "fault_" + self.entry["fault"]) if self.entry else None
        options = self.index.options
        if options.auth and path.startswith(options.auth_path) and not self.is_authorised():
            self.answer(401, {"WWW-Authenticate": 'Basic realm="fixture"'}, b"no")
        elif fault and self.entry["fault"] in ("truncate", "length", "corrupt", "drip", "range_lie"):
            self.serve(path, fault)
        elif fault:
            fault()
        else:
            self.serve(path, self.send)

    def is_authorised(self):
        expected = base64.b64encode(self.index.options.auth.encode()).decode()
        return self.headers.get("Authorization") == "Basic " + expected

    # What there is

    def serve(self, path, send):
        parts = [urllib.parse.unquote(part) for part in path.strip("/").split("/")]
        if parts[:1] == ["simple"] and len(parts) <= 2:
            self.serve_simple(parts[1:], path, send)
        elif parts[:1] == ["files"] and len(parts) == 3:
            self.serve_file(parts[1], parts[2], send)
        else:
            self.answer(404, {}, b"")

    def serve_simple(self, parts, path, send):
        if not path.endswith("/"):
            self.answer(308, {"Location": path + "/"}, b"")
            return
        names = self.index.projects()
        if not parts:
            links = "".join(f'<a href="{name}/">{name}</a>\n' for name in names)
            send(200, {"Content-Type": "text/html"}, links.encode())
            return
        name = re.sub(r"[-_.]+", "-", parts[0]).lower()
        if name not in names:
            self.answer(404, {}, b"")
            return
        kind, body = self.page(name)
        self.send_cached(send, {"Content-Type": kind}, body)

    def page(self, name):
        wanted = self.index.options.format
        if wanted == "both":
            wanted = "json" if JSON_TYPE in self.headers.get("Accept", "") else "html"
        files, extra = self.index.files(name), self.index.extra(name)
        if wanted == "json":
            return JSON_TYPE, json_page(name, files, extra)
        return "text/html; charset=utf-8", html_page(name, files, extra)

    def serve_file(self, project, name, send):
        path = self.index.path(project, name)
        if path is None and name.endswith(".metadata") and self.index.options.metadata:
            wheel = self.index.path(project, name[:-len(".metadata")])
            metadata = metadata_of(wheel) if wheel else None
            if metadata:
                send(200, {"Content-Type": "application/octet-stream"}, metadata)
                return
        if path is None or not path.is_file():
            self.answer(404, {}, b"")
            return
        self.send_cached(send, {"Content-Type": "application/octet-stream"}, path.read_bytes())

    def send_cached(self, send, headers, body):
        if self.index.options.etag:
            headers["ETag"] = '"' + hashlib.sha256(body).hexdigest()[:32] + '"'
            if self.headers.get("If-None-Match") == headers["ETag"]:
                self.answer(304, headers, b"")
                return
        send(200, headers, body)

    def wanted_range(self, size):
        """(first, last) of a single satisfiable range, None without one, () if out of the file."""
        match = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if not match or match.group(1) == match.group(2) == "" or self.index.options.no_range:
            return None
        first, last = match.groups()
        if first == "":
            return (max(size - int(last), 0), size - 1) if int(last) and size else ()
        end = min(int(last) if last else size - 1, size - 1)
        return (int(first), end) if int(first) <= end else ()

    # How it is sent

    def send(self, status, headers, body):
        is_file = self.path.startswith("/files/")
        wanted = self.wanted_range(len(body)) if is_file and status == 200 else None
        if is_file and not self.index.options.no_range:
            headers["Accept-Ranges"] = "bytes"
        if wanted == ():
            self.answer(416, {"Content-Range": f"bytes */{len(body)}"}, b"")
        elif wanted:
            first, last = wanted
            headers["Content-Range"] = f"bytes {first}-{last}/{len(body)}"
            self.answer(206, headers, body[first:last + 1])
        else:
            self.answer(status, headers, body)

    def answer(self, status, headers, body, length=None):
        """The only place that writes a head."""
        self.record(status)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if length != -1:
            self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def record(self, status):
        path = self.index.options.log
        if not path:
            return
        line = {"method": self.command, "path": self.path, "status": status}
        line.update({name: self.headers[name] for name in LOGGED if name in self.headers})
        with self.log_lock, open(path, "a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def hang_up(self):
        self.close_connection = True

    # Faults

    def fault_status(self):
        headers = {}
        if "retry_after" in self.entry:
            headers["Retry-After"] = self.entry["retry_after"]
        self.answer(self.entry["status"], headers, b"")

    def fault_redirect(self):
        self.answer(self.entry.get("status", 302), {"Location": self.entry["location"]}, b"moved")

    def fault_reply(self):
        body = self.entry.get("body", "").encode() or base64.b64decode(self.entry.get("base64", ""))
        self.answer(self.entry.get("status", 200), self.entry.get("headers", {}), body)

    def fault_truncate(self, status, headers, body):
        self.answer(status, headers, body[:self.entry["bytes"]], len(body))
        self.hang_up()

    def fault_length(self, status, headers, body):
        self.answer(status, headers, body, len(body) + self.entry["delta"])
        self.hang_up()

    def fault_corrupt(self, status, headers, body):
        changed = bytearray(body)
        changed[self.entry.get("offset", len(body) // 2)] ^= 1
        self.send(status, headers, bytes(changed))

    def fault_drip(self, status, headers, body):
        self.answer(status, headers, b"", len(body))
        step = self.entry.get("bytes", 1)
        for at in range(0, len(body), step):
            self.wfile.write(body[at:at + step])
            self.wfile.flush()
            time.sleep(self.entry["seconds"])

    def fault_hang(self):
        self.record(0)
        time.sleep(self.entry["seconds"])
        self.hang_up()

    def fault_drop(self):
        self.record(0)
        self.hang_up()

    def fault_gzip_bomb(self):
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9) as file:
            for _ in range(self.entry["mebibytes"]):
                file.write(bytes(1 << 20))
        self.answer(200, {"Content-Type": "text/html", "Content-Encoding": "gzip"},
                    packed.getvalue())

    def fault_flood(self):
        self.answer(200, {"Content-Type": "text/html", "Connection": "close"}, b"", -1)
        for _ in range(self.entry["mebibytes"]):
            self.wfile.write(b" " * (1 << 20))
        self.hang_up()

    def fault_headers(self):
        many = {f"X-Filler-{i}": "x" * 1000 for i in range(self.entry["kibibytes"])}
        self.answer(200, dict(many, **{"Content-Type": "text/html"}), b"")

    def fault_range_lie(self, status, headers, body):
        wanted = self.wanted_range(len(body))
        kind = self.entry["kind"]
        if not wanted or kind == "full":
            self.answer(status, headers, body)
            return
        first, last = wanted
        if kind == "416":
            self.answer(416, {"Content-Range": f"bytes */{len(body)}"}, b"")
            return
        piece = body[first:last + 1]
        stated = {"offset": f"{first + 1}-{last + 1}/{len(body) + 1}",
                  "total": f"{first}-{last}/{last + 1 + (first > 0) * 5}",
                  "longer": f"{first}-{last}/{len(body)}"}[kind]
        if kind == "longer":
            piece += b"and more of it" * 10
        headers["Content-Range"] = "bytes " + stated
        self.answer(206, headers, piece)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass  # clients that hang up are what tests do


def parse_arguments():
    parser = argparse.ArgumentParser(description="a package index for tests")
    parser.add_argument("--root", required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--format", choices=["both", "html", "json"], default="both")
    parser.add_argument("--metadata", action="store_true")
    parser.add_argument("--etag", action="store_true")
    parser.add_argument("--no-range", action="store_true")
    parser.add_argument("--hash", default="sha256")
    parser.add_argument("--auth")
    parser.add_argument("--auth-path", default="/")
    parser.add_argument("--files-url")
    parser.add_argument("--tls")
    parser.add_argument("--client-ca")
    parser.add_argument("--log")
    parser.add_argument("--faults")
    parser.add_argument("--watch-stdin", action="store_true")
    return parser.parse_args()


def main():
    options = parse_arguments()
    Handler.index = Index(options)
    Handler.faults = Faults(options.faults)
    server = Server(("127.0.0.1", options.port), Handler)
    if options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.tls)
        if options.client_ca:
            context.load_verify_locations(options.client_ca)
            context.verify_mode = ssl.CERT_REQUIRED
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False)
    print(server.server_address[1], flush=True)
    if options.watch_stdin:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
    else:
        server.serve_forever()


if __name__ == "__main__":
    main()
