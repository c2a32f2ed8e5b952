# SPDX-License-Identifier: Apache-2.0
"""The peak is that of the largest process of the run, ours or the build's."""
LIMIT = 200_000_000


def check(world, results):
    log = results[0].out / results[0].package("verbose")["log"]
    assert log.stat().st_size >= 200_000_000, "the log is cut"
    assert results[0].peak_rss < LIMIT, f"peak {results[0].peak_rss / 1e6:.0f} MB"
