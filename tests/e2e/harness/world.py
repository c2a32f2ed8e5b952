# SPDX-License-Identifier: Apache-2.0
"""The world of one case: an index, a working folder, a cache, and runs of the real program."""
import contextlib
import dataclasses
import fnmatch
import http.server
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time
import zipfile

from . import projects, schema

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
FORMATS = REPOSITORY / "docs" / "formats"


@dataclasses.dataclass
class Result:
    """How a run ended and what it left."""
    exit: int
    stdout: str
    stderr: str
    out: pathlib.Path
    seconds: float
    cpu_seconds: float
    peak_rss: int

    @property
    def report(self):
        return json.loads((self.out / "report.json").read_text(encoding="utf-8"))

    @property
    def graph(self):
        return json.loads((self.out / "graph.json").read_text(encoding="utf-8"))

    def wheels(self, folder="wheels", variant="cpu"):
        """File name -> bytes."""
        return {path.name: path.read_bytes() for path in sorted((self.out / variant / folder).glob("*.whl"))}

    def package(self, name):
        found = [package for package in self.report["packages"] if package["name"] == name]
        assert found, f"{name} is not in report.json"
        return found[0]


class World:
    """
    root/
      files/      distributions of the case (find-links, or served as an index)
      work/       where the program runs; out/ is made there
      cache/  home/
    """

    def __init__(self, program, root):
        self.program = pathlib.Path(program).resolve()
        self.root = pathlib.Path(root).resolve()
        self.files, self.work = self.root / "files", self.root / "work"
        for folder in (self.files, self.work, self.root / "home"):
            folder.mkdir(parents=True, exist_ok=True)
        self.index_url = None
        self.settings = {}
        self.files_may_go = threading.Event()  # cleared: the index answers no request for a file
        self.files_may_go.set()
        self.held = "*"  # these files it means; the metadata of wheels always go
        self.file_was_asked = threading.Event()
        self._closing = contextlib.ExitStack()

    def close(self):
        self._closing.close()

    # --- the index ---------------------------------------------------------------------------

    def add_projects(self, tables):
        by_name = {}
        stale = set()
        for table in tables:
            paths = projects.pack(table, self.files)
            name = table["name"].lower().replace("_", "-").replace(".", "-")
            by_name.setdefault(name, []).extend(paths)
            if table.get("stale_digest"):
                stale.update(path.name for path in paths)
        self.pages = {name: projects.simple_page(paths, stale) for name, paths in by_name.items()}

    def serve(self):
        """Serves the distributions as an index on the loopback interface."""
        world = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                kind, _, name = self.path.strip("/").partition("/")
                body = None
                if kind == "simple" and name in world.pages:
                    body = world.pages[name].encode()
                elif kind == "files" and name.endswith(".whl.metadata"):
                    body = projects.metadata_of(world.files / name.removesuffix(".metadata"))
                elif kind == "files" and (world.files / name).is_file():
                    if fnmatch.fnmatch(name, world.held):
                        world.file_was_asked.set()
                        world.files_may_go.wait()
                    body = (world.files / name).read_bytes()
                self.send_response(200 if body is not None else 404)
                self.send_header("Content-Type", "text/html" if kind == "simple" else "application/octet-stream")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                with contextlib.suppress(ConnectionError):  # a client that was killed
                    self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self._closing.callback(server.shutdown)
        self._closing.callback(self.files_may_go.set)
        self.index_url = f"http://127.0.0.1:{server.server_address[1]}/simple"

    # --- running -----------------------------------------------------------------------------

    def environment(self, extra=None):
        """What the program sees: nothing of the caller's but where programs are."""
        given = {
            "PATH": os.pathsep.join([str(pathlib.Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"]),
            "HOME": str(self.root / "home"),
            "LANG": "C.UTF-8",
            "WHEELFORGE_CACHE_DIR": str(self.root / "cache"),
            "PIP_CONFIG_FILE": os.devnull,
        }
        if self.index_url:
            given["PIP_INDEX_URL"] = self.index_url
        else:
            given.update(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(self.files))
        for name in ("WHEELFORGE_SANDBOX", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                given[name] = os.environ[name]
        return {**given, **self.settings, **(extra or {})}

    def start(self, *arguments, env=None, prefix=()):
        """A running program, its output going to files."""
        return subprocess.Popen(
            [*prefix, str(self.program), *arguments], cwd=self.work, env=self.environment(env),
            stdin=subprocess.DEVNULL, start_new_session=True,
            stdout=open(self.root / "stdout", "wb"), stderr=open(self.root / "stderr", "wb"),
        )

    def finish(self, process, timeout=240, started=None):
        """Waits for a started program; gives its Result."""
        started = started or time.monotonic()
        alarm = threading.Timer(timeout, lambda: os.killpg(process.pid, signal.SIGKILL))
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        late = not alarm.is_alive()
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        assert not late, f"still running after {timeout} s\n{self._text('stderr')}"
        return Result(
            process.returncode, self._text("stdout"), self._text("stderr"), self.work / "out",
            time.monotonic() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024,
        )

    def run(self, *arguments, env=None, prefix=(), timeout=240):
        started = time.monotonic()
        result = self.finish(self.start(*arguments, env=env, prefix=prefix), timeout, started)
        writes = arguments and arguments[0] in ("bootstrap", "build")
        if writes and (self.work / "out" / "report.json").exists() and result.report["exit_code"] == result.exit:
            self.check_formats(result)
        return result

    def bootstrap(self, *arguments, **options):
        return self.run("bootstrap", *arguments, **options)

    def _text(self, name):
        return (self.root / name).read_text(encoding="utf-8", errors="replace")

    def forget_cache(self):
        shutil.rmtree(self.root / "cache", ignore_errors=True)

    def forget_output(self):
        shutil.rmtree(self.work / "out", ignore_errors=True)

    # --- what must hold for every run --------------------------------------------------------

    def check_formats(self, result):
        """Every file for programs matches its schema; nothing half-written lies about."""
        check(result.report, "report")
        if (result.out / "graph.json").exists():
            check(result.graph, "graph")
        for record in sorted(result.out.glob("*/records/*.json")):
            check(json.loads(record.read_text(encoding="utf-8")), "build-record")
        for wheel in sorted(result.out.glob("*/wheels/*.whl")) + sorted(result.out.glob("*/build-wheels/*.whl")):
            check_wheel(wheel, result.report)
        leftovers = [str(path) for path in result.out.rglob("*") if path.name.startswith(".") and path.name != ".wheelforge-wheels"]
        assert not leftovers, f"unfinished files: {leftovers}"


def check(value, name):
    found = schema.errors(value, json.loads((FORMATS / f"{name}.schema.json").read_text(encoding="utf-8")))
    assert not found, f"{name}: " + "; ".join(found[:5])


def check_events(path):
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for event in events:
        check(event, "events")
    return events


def check_wheel(path, report):
    """A wheel we built carries its SBOM and build record, and RECORD lists both."""
    outcome = {package["outcome"] for package in report["packages"] if (package["wheel"] or "").endswith("/" + path.name)}
    if outcome == {"pre_built"}:
        return
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        record = wheel.read(next(name for name in names if name.endswith(".dist-info/RECORD") and name.count("/") == 1)).decode()
        for ending in (".dist-info/sboms/wheelforge.cdx.json", ".dist-info/wheelforge/build.json"):
            member = next((name for name in names if name.endswith(ending)), None)
            assert member, f"{path.name} has no {ending}"
            assert member + ",sha256=" in record, f"RECORD of {path.name} does not list {member}"
        build = json.loads(wheel.read(member))
        check(build, "build-record")
