# SPDX-License-Identifier: Apache-2.0
"""What a short script does to list the kernels of a wheel or a folder of libraries: usage: PATH

It reads the common cases only (HIP bundles, plain and zstd; CUDA fat binaries, stored, LZ4 and zstd)
and believes what it reads. It is the yardstick of the benchmark, not a model.
Prints seconds of processor time and the number of kernels per file and architecture.
"""

import ctypes
import ctypes.util
import pathlib
import struct
import sys
import time
import zipfile

LZ4 = ctypes.CDLL(ctypes.util.find_library("lz4") or "liblz4.so.1")
ZSTD = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
ZSTD.ZSTD_decompress.restype = ctypes.c_size_t
ZSTD.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]


def unzstd(data, size):
    buffer = ctypes.create_string_buffer(size)
    count = ZSTD.ZSTD_decompress(buffer, size, data, len(data))
    return buffer.raw[:count]


def unlz4(data, size):
    buffer = ctypes.create_string_buffer(size)
    count = LZ4.LZ4_decompress_safe(data, buffer, len(data), size)
    return buffer.raw[:max(count, 0)]


def sections(elf):
    offset, = struct.unpack_from("<Q", elf, 40)
    size, count, names = struct.unpack_from("<HHH", elf, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, offset + i * size) for i in range(count)]
    strings = headers[names][4]
    for header in headers:
        name = elf[strings + header[0]:elf.index(b"\0", strings + header[0])]
        yield name.decode(), header, headers


def symbols(elf):
    found = {}
    for name, header, headers in sections(elf):
        if header[1] in (2, 11):
            strings = headers[header[6]][4]
            for at in range(header[4], header[4] + header[5], 24):
                st_name, info, other, _, _, _ = struct.unpack_from("<IBBHQQ", elf, at)
                start = strings + st_name
                found[elf[start:elf.index(b"\0", start)]] = (info & 15, other)
    return found


def amd_kernels(code):
    return {name[:-3] for name, (kind, _) in symbols(code).items() if name.endswith(b".kd") and kind == 1}


def cuda_kernels(code):
    return {name for name, (kind, other) in symbols(code).items() if kind == 2 and other & 0x10}


def read_bundle(data, found):
    count, = struct.unpack_from("<Q", data, 24)
    at = 32
    for _ in range(count):
        offset, size, length = struct.unpack_from("<QQQ", data, at)
        arch = data[at + 24:at + 24 + length].rsplit(b"-", 1)[1]
        at += 24 + length
        if size:
            found.setdefault(arch, set()).update(amd_kernels(data[offset:offset + size]))


def read_hip(data, found):
    at = 0
    while at < len(data):
        if data[at:at + 24] == b"__CLANG_OFFLOAD_BUNDLE__":
            read_bundle(data[at:], found)
        elif data[at:at + 4] == b"CCOB":
            version, = struct.unpack_from("<H", data, at + 4)
            form = "<IIQ" if version == 2 else "<QQQ"
            total, size, _ = struct.unpack_from(form, data, at + 8)
            head = 8 + struct.calcsize(form)
            read_bundle(unzstd(data[at + head:at + total], size), found)
        at += 4096


def read_cuda(data, found):
    at = 0
    while at + 16 <= len(data):
        magic, _, header, size = struct.unpack_from("<IHHQ", data, at)
        if magic != 0xBA55ED50:
            at += 8
            continue
        end, at = at + header + size, at + header
        while at < end:
            kind, _, head, payload, packed = struct.unpack_from("<HHIQI", data, at)
            arch, = struct.unpack_from("<I", data, at + 28)
            flags, _, plain = struct.unpack_from("<QQQ", data, at + 40)
            body = data[at + head:at + head + (packed or payload)]
            if flags & 0x2000:
                body = unlz4(body, plain)
            elif flags & 0x8000:
                body = unzstd(body, plain)
            if kind == 2:
                found.setdefault(arch, set()).update(cuda_kernels(body))
            elif kind == 1:
                names = {part.split(b"(")[0].strip() for part in body.split(b".entry ")[1:]}
                found.setdefault(-arch, set()).update(names)
            at += head + payload


def read_library(data):
    found = {}
    if data[:4] == b"\x7fELF":
        for name, header, _ in sections(data):
            content = data[header[4]:header[4] + header[5]] if header[1] != 8 else b""
            if name == ".hip_fatbin":
                read_hip(content, found)
            elif name == ".nv_fatbin":
                read_cuda(content, found)
    return sum(map(len, found.values()))


def main(path):
    started = time.process_time()
    if path.is_dir():
        kernels = sum(read_library(file.read_bytes()) for file in sorted(path.rglob("*.so")))
    else:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".so")]
            kernels = sum(read_library(archive.read(name)) for name in names)
    print(time.process_time() - started, kernels)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
