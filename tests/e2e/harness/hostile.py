# SPDX-License-Identifier: Apache-2.0
"""Hostile sdists and wheels, written by hand; what each must be refused for stands beside it."""
import base64
import gzip
import hashlib
import io
import stat
import struct
import tarfile
import warnings
import zipfile

ROOT = "evil-1.0"


def tar_bytes(*members):
    """Members: (name, content) or a TarInfo with its content."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in members:
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = len(content) if info.type == tarfile.REGTYPE else 0
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info, b""


def pax(name, **headers):
    info = tarfile.TarInfo(name)
    info.pax_headers = headers
    return info, b"x"


def executable(name, content):
    info = tarfile.TarInfo(name)
    info.mode = 0o755
    return info, content


def raw_header(name, size=0, kind=b"0", mode=0o644):
    header = bytearray(512)
    header[0:len(name)] = name
    header[100:108] = b"%07o\0" % mode
    header[108:116] = header[116:124] = b"0000000\0"
    header[124:136] = b"%011o\0" % size
    header[136:148] = b"%011o\0" % 0
    header[148:156] = b" " * 8
    header[156:157] = kind
    header[257:265] = b"ustar\x0000"
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


PKG_INFO = (ROOT + "/PKG-INFO", b"Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
FINE = (ROOT + "/a.txt", b"a")

# "hostile-inputs, tar" line by line: what, members, words the message must have
TARS = [
    ("dot-dot", [FINE, (ROOT + "/../../escaped", b"x")], "archive-name"),
    ("absolute", [FINE, ("/tmp/escaped", b"x")], "archive-name"),
    ("pax path override", [FINE, pax(ROOT + "/b", path="../escaped")], "archive-name"),
    ("pax link override", [FINE, (special(ROOT + "/l", tarfile.SYMTYPE, "/etc/passwd"))], "archive-link"),
    ("symlink out", [FINE, special(ROOT + "/l", tarfile.SYMTYPE, "../../escaped")], "archive-link"),
    ("symlink chain", [special(ROOT + "/d", tarfile.DIRTYPE), special(ROOT + "/d/x", tarfile.SYMTYPE, "."),
                       special(ROOT + "/l", tarfile.SYMTYPE, "d/x/../../../escaped")], "archive-link"),
    ("symlink cycle", [FINE, special(ROOT + "/p", tarfile.SYMTYPE, "q"), special(ROOT + "/q", tarfile.SYMTYPE, "p")], "archive-link"),
    ("write through link", [special(ROOT + "/l", tarfile.SYMTYPE, "."), (ROOT + "/l/b", b"x")], "archive-link"),
    ("hard link out", [FINE, special(ROOT + "/h", tarfile.LNKTYPE, "/etc/passwd")], "archive-link"),
    ("hard link via symlink", [FINE, special(ROOT + "/l", tarfile.SYMTYPE, "a.txt"),
                               special(ROOT + "/h", tarfile.LNKTYPE, ROOT + "/l")], "archive-link"),
    ("device", [FINE, special(ROOT + "/null", tarfile.CHRTYPE)], "archive-special"),
    ("block device", [FINE, special(ROOT + "/disk", tarfile.BLKTYPE)], "archive-special"),
    ("fifo", [FINE, special(ROOT + "/f", tarfile.FIFOTYPE)], "archive-special"),
    ("part above 255 bytes", [FINE, (ROOT + "/" + "n" * 256, b"x")], "255"),
    ("path above 4096 bytes", [FINE, (ROOT + "/" + "/".join(["n" * 200] * 25), b"x")], "4096"),
    ("newline in a name", [FINE, (ROOT + "/a\nb", b"x")], "control character"),
    ("escape in a name", [FINE, (ROOT + "/\x1b[31mred", b"x")], "control character"),
    ("two roots", [FINE, ("other-1.0/b", b"x")], "archive-roots"),
    ("no root", [("a.txt", b"x")], "archive-roots"),
    ("root of another name", [("good-1.0/a", b"x")], "sdist-root"),
    ("root of another version", [("evil-2.0/a", b"x")], "sdist-root"),
    ("PKG-INFO of another project", [(ROOT + "/PKG-INFO", b"Metadata-Version: 2.1\nName: good\nVersion: 1.0\n")], "sdist-identity"),
    ("PKG-INFO of another version", [(ROOT + "/PKG-INFO", b"Metadata-Version: 2.1\nName: evil\nVersion: 3\n")], "sdist-identity"),
    ("PKG-INFO named as a path", [(ROOT + "/PKG-INFO", b"Metadata-Version: 2.1\nName: ../evil\nVersion: 1.0\n")], "sdist-identity"),
    ("duplicate", [FINE, (FINE[0], b"b")], "archive-duplicate"),
    ("duplicate of another mode", [FINE, executable(*FINE)], "archive-duplicate"),
    ("duplicate PKG-INFO", [PKG_INFO, (PKG_INFO[0], PKG_INFO[1] + b"Summary: more\n")], "archive-duplicate"),
    ("file and folder", [FINE, (ROOT + "/a.txt/b", b"x")], "archive-duplicate"),
    ("sparse", [FINE, pax(ROOT + "/s", **{"GNU.sparse.major": "1", "GNU.sparse.minor": "0",
                                          "GNU.sparse.name": ROOT + "/t", "GNU.sparse.realsize": "99999999999"})], "archive-"),
]


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def twice(name):
    """zipfile warns of what is meant here."""
    warnings.simplefilter("ignore")
    return zipfile.ZipInfo(name)


WHEEL = "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def wheel_bytes(extra=(), record=None, drop=(), info="Name: evil\nVersion: 1.0\n", wheel=WHEEL, unlisted=()):
    if isinstance(info, str):
        info = ("Metadata-Version: 2.1\n" + info).encode()
    files = {"evil.py": b"x = 1\n", "evil-1.0.dist-info/METADATA": info, "evil-1.0.dist-info/WHEEL": wheel.encode()}
    files.update({name: content for name, content in extra if isinstance(name, str)})
    own = "evil-1.0.dist-info/RECORD"
    text = "".join(record_line(*item) for item in files.items() if item[0] not in unlisted) + own + ",,\n"
    files[own] = (record or text).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            if name not in drop:
                archive.writestr(zipfile.ZipInfo(name), content)
        for info_, content in extra:
            if not isinstance(info_, str):
                archive.writestr(info_, content)
    return buffer.getvalue()


def symlink_entry():
    info = zipfile.ZipInfo("evil/link")
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info, b"/etc/passwd"


def local_name_differs():
    data = wheel_bytes()
    at = data.index(b"evil.py")
    return data[:at] + b"hide.py" + data[at + 7:]


def patched_end(offset, form, value):
    """The end of the central directory with one field replaced."""
    data = bytearray(wheel_bytes())
    struct.pack_into(form, data, len(data) - 22 + offset, value)
    return bytes(data)


def bomb_wheel():
    """Half a kilobyte that says it becomes 4 GiB: the sizes lie, central and local alike."""
    data = bytearray(wheel_bytes())
    at = data.index(b"evil.py") - 30
    struct.pack_into("<I", data, at + 22, 0xFFFFFFF0)
    central = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, central + 24, 0xFFFFFFF0)
    return bytes(data)


# "hostile-inputs, zip/wheel" and "wheel"
WHEELS = [
    ("zip slip", wheel_bytes([("../escaped.py", b"x")]), "zip-name"),
    ("absolute", wheel_bytes([("/tmp/escaped.py", b"x")]), "zip-name"),
    ("backslash", wheel_bytes([("evil\\..\\escaped.py", b"x")]), "zip-name"),
    ("newline in a name", wheel_bytes([("a\nb.py", b"x")]), "zip-name"),
    ("symlink", wheel_bytes([symlink_entry()]), "zip-"),
    ("duplicate", wheel_bytes([(twice("evil.py"), b"y")]), "zip-duplicate"),
    ("local header disagrees", local_name_differs(), "zip-"),
    ("two ends", wheel_bytes() + wheel_bytes()[-22:], "zip-"),
    ("directory offset", patched_end(16, "<I", 3), "zip-"),
    ("directory size", patched_end(12, "<I", 5), "zip-"),
    ("zip64 lie", patched_end(10, "<H", 0xFFFF), "zip-"),
    ("trailing bytes", wheel_bytes() + b"more", "zip-"),
    ("leading bytes", b"MZ" + wheel_bytes(), "zip-"),
    ("bomb", bomb_wheel(), "zip-"),
    ("no RECORD", wheel_bytes(drop=["evil-1.0.dist-info/RECORD"]), "record-"),
    ("wrong RECORD", wheel_bytes(record="evil.py,sha256=AAAA,6\nevil-1.0.dist-info/RECORD,,\n"), "record-"),
    ("RECORD by md5", wheel_bytes(record="".join(
        f"{name},md5=1B2M2Y8AsgTpgAmY7PhCfg,0\n" for name in
        ("evil.py", "evil-1.0.dist-info/METADATA", "evil-1.0.dist-info/WHEEL")) + "evil-1.0.dist-info/RECORD,,\n"), "record-"),
    ("not in RECORD", wheel_bytes([("more.py", b"x")], unlisted=["more.py"]), "record-"),
    ("in RECORD alone", wheel_bytes(record="gone.py,sha256=AAAA,6\nevil-1.0.dist-info/RECORD,,\n"), "record-"),
    ("other tags", wheel_bytes(wheel=WHEEL.replace("py3-none-any", "cp312-cp312-linux_x86_64")), "tag"),
    ("wheel version to come", wheel_bytes(wheel=WHEEL.replace("1.0", "2.0", 1)), "Wheel-Version is 2.0"),
    ("NUL in METADATA", wheel_bytes(info="Name: evil\nVersion: 1.0\nSummary: a\0b\n"), "METADATA"),
    ("two names", wheel_bytes(info="Name: evil\nName: good\nVersion: 1.0\n"), "METADATA"),
    ("METADATA version to come", wheel_bytes(info=b"Metadata-Version: 9.0\nName: evil\nVersion: 1.0\n"), "metadata"),
    ("20000 members", wheel_bytes([(f"m/{number}", b"") for number in range(20000)]), "zip-limit", "--max-files", "10000"),
    ("other name", wheel_bytes(info="Name: good\nVersion: 1.0\n"), "metadata-"),
    ("other version", wheel_bytes(info="Name: evil\nVersion: 2.0\n"), "metadata-"),
    ("name that is a path", wheel_bytes(info="Name: ../evil\nVersion: 1.0\n"), "METADATA"),
    ("version that is a path", wheel_bytes(info="Name: evil\nVersion: ../1.0\n"), "METADATA"),
    ("two dist-info", wheel_bytes([("good-1.0.dist-info/METADATA", b"Name: good\n")]), "bad-wheel"),
    ("unknown .data scheme", wheel_bytes([("evil-1.0.data/etc/passwd", b"x")]), "data-"),
    ("entry point outside", wheel_bytes([("evil-1.0.dist-info/entry_points.txt",
                                          b"[console_scripts]\n../../bin/sh = os:system\n")]), "entry-point-"),
]
