# SPDX-License-Identifier: Apache-2.0
"""Each variant has its own folder with the same wheel."""


def check(world, results):
    assert results[1].wheels(variant="rocm") == results[0].wheels(variant="cpu")
