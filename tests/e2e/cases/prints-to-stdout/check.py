# SPDX-License-Identifier: Apache-2.0
"""All of it is in the log."""


def check(world, results):
    log = (results[0].out / results[0].package("chatty")["log"]).read_text(encoding="utf-8")
    for line in ("chatty-line", "raw-line", "child-line", "child-error"):
        assert line in log, line
        assert line not in results[0].stdout + results[0].stderr, line
