# SPDX-License-Identifier: Apache-2.0
"""The index takes the request for the sdist and says nothing."""
import signal


def check(world, results):
    world.files_may_go.clear()
    process = world.start("bootstrap", "far-away")
    assert world.file_was_asked.wait(60), "nothing was downloaded"
    process.send_signal(signal.SIGINT)
    result = world.finish(process, timeout=30)
    assert result.exit == 130, f"{result.exit}\n{result.stderr}"
    assert "error:" not in result.stderr, result.stderr
    world.files_may_go.set()
    rerun = world.bootstrap("far-away")
    assert rerun.exit == 0, rerun.stderr
