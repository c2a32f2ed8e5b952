# SPDX-License-Identifier: Apache-2.0
"""The blocked package names the failed one."""


def check(world, results):
    assert results[0].package("needs-broken")["blocked_by"] == ["broken==1.0"]
