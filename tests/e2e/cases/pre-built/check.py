# SPDX-License-Identifier: Apache-2.0
"""Byte-identical to what the index has."""


def check(world, results):
    for name in ("binary_only-1.0-py3-none-any.whl", "also_binary-1.0-py3-none-any.whl"):
        assert results[0].wheels()[name] == (world.files / name).read_bytes(), name
