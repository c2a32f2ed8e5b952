# SPDX-License-Identifier: Apache-2.0
"""The peak is that of the largest process of the run, ours or the build's."""
LIMIT = 200_000_000


def check(world, results):
    log = results[0].out / results[0].package("verbose")["log"]
    size = log.stat().st_size
    assert size >= 20_000_000, "the log is cut"
    print(f"peak {results[0].peak_rss / 1e6:.0f} MB for {size / 1e6:.0f} MB of log")
    assert results[0].peak_rss < LIMIT
