# SPDX-License-Identifier: Apache-2.0
"""Packs the projects of a case into sdists and wheels.

A project is a table of case.toml:
  name, version           default version "1.0"
  requires, extras        of the wheel's METADATA
  build_requires          [build-system].requires
  hook_requires           answered by get_requires_for_build_wheel
  build                   Python that runs in build_wheel (tests/fixtures/projects/_backend)
  files                   path in the wheel -> text; default: one module with VERSION
  backend                 another build-backend than the one in the sdist
  pkg_info                "static" (2.2), "dynamic" (2.2, Requires-Dist dynamic), "old" (1.0), "none"
  pyproject               false: no pyproject.toml
  sources                 path in the sdist -> text, added
  folder                  name below tests/fixtures/projects that is packed as it is
  kind                    "sdist" (default), "wheel", "both"
  format                  "tar.gz" (default), "zip", "tar.bz2"
  root                    root folder of the archive
  stale_digest            true: the index states the digest of other bytes
"""
import hashlib
import importlib.util
import io
import json
import pathlib
import tarfile
import tempfile
import zipfile

PROJECTS = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "projects"
BACKEND = PROJECTS / "_backend" / "fixture_backend.py"
TIME = 1_600_000_000


def stem(project):
    return "%s-%s" % (project["name"].replace("-", "_").lower(), project["version"])


def pyproject_text(project):
    system = {"requires": project.get("build_requires", [])}
    if "backend" in project:
        system["build-backend"] = project["backend"]
    else:
        system["build-backend"] = "fixture_backend"
    if "backend" not in project or project.get("backend_path"):
        system["backend-path"] = project.get("backend_path", ["."])
    # JSON's strings and arrays are TOML's.
    return "[build-system]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in system.items())


def pkg_info_text(project):
    kind = project.get("pkg_info", "static")
    head = {"static": "2.2", "dynamic": "2.2", "old": "1.0"}[kind]
    lines = [f"Metadata-Version: {head}", f"Name: {project['name']}", f"Version: {project['version']}"]
    if kind == "dynamic":
        lines.append("Dynamic: Requires-Dist")
    if kind == "static":
        lines += load_backend(project).metadata(project).splitlines()[3:]
    return "\n".join(lines) + "\n"


def load_backend(project):
    """The backend as it stands in the sdist of `project`, imported here."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / BACKEND.name
        copy.write_bytes(BACKEND.read_bytes())
        (copy.parent / "project.json").write_text(json.dumps(project), encoding="utf-8")
        spec = importlib.util.spec_from_file_location("fixture_backend", copy)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


def sdist_files(project):
    if "folder" in project:
        folder = PROJECTS / project["folder"]
        return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    files = {path: text.encode() for path, text in project.get("sources", {}).items()}
    if project.get("pyproject", True):
        files["pyproject.toml"] = pyproject_text(project).encode()
    if project.get("pkg_info", "static") != "none":
        files["PKG-INFO"] = pkg_info_text(project).encode()
    files["fixture_backend.py"] = BACKEND.read_bytes()
    files["project.json"] = json.dumps(project, indent=1).encode()
    return files


def write_tar(path, root, files, mode):
    with tarfile.open(path, mode, format=tarfile.PAX_FORMAT) as archive:
        for name, data in sorted(files.items()):
            member = tarfile.TarInfo(f"{root}/{name}")
            member.size, member.mtime, member.mode = len(data), TIME, 0o644
            archive.addfile(member, io.BytesIO(data))


def write_zip(path, root, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(f"{root}/{name}", (2020, 9, 13, 12, 26, 40)), data)


def write_sdist(project, folder):
    extension = project.get("format", "tar.gz")
    path = folder / (project.get("filename") or f"{stem(project)}.{extension}")
    root = project.get("root", stem(project))
    files = sdist_files(project)
    if extension == "zip":
        write_zip(path, root, files)
    else:
        write_tar(path, root, files, {"tar.gz": "w:gz", "tar.bz2": "w:bz2"}[extension])
    return path


def pack(project, folder):
    """Writes the distributions of a project into `folder`; gives their paths."""
    project = {"version": "1.0", **project}
    kind = project.get("kind", "sdist")
    paths = []
    if kind in ("sdist", "both"):
        paths.append(write_sdist(project, folder))
    if kind in ("wheel", "both"):
        paths.append(folder / load_backend(project).build_wheel(str(folder)))
    return paths


def metadata_of(wheel):
    """METADATA of a wheel; None for a file that is none."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            return archive.read(name)
    except (OSError, StopIteration, zipfile.BadZipFile):
        return None


def simple_page(project_paths, stale):
    """A PEP 503 page with digests; those of `stale` files are wrong."""
    lines = ["<!DOCTYPE html><html><body>"]
    for path in project_paths:
        data = path.read_bytes()
        digest = hashlib.sha256(data + (b"other" if path.name in stale else b"")).hexdigest()
        # PEP 658, for those that can be read.
        metadata = ' data-dist-info-metadata="true"' if path.suffix == ".whl" and metadata_of(path) else ""
        lines.append(f'<a href="/files/{path.name}#sha256={digest}"{metadata}>{path.name}</a><br>')
    return "\n".join(lines + ["</body></html>"]) + "\n"
