# SPDX-License-Identifier: Apache-2.0
"""The log holds all that was printed; report.json names it and the cause."""


def check(world, results):
    package = results[0].package("needs-header")
    log = (results[0].out / package["log"]).read_text(encoding="utf-8")
    assert "compiling parser.c" in log and "fatal error: yaml.h" in log, log
    assert package["error"]["cause"], package
    assert any("libyaml-dev" in advice for advice in package["error"]["advice"]), package
    assert results[0].report["first_action"]
