# SPDX-License-Identifier: Apache-2.0
"""The index takes the request for the file and says nothing: for an sdist, and for a wheel of which it told the metadata."""
import signal


def interrupt(world, held, *arguments):
    world.held = held
    world.files_may_go.clear()
    world.file_was_asked.clear()
    process = world.start("bootstrap", *arguments)
    assert world.file_was_asked.wait(60), "nothing was downloaded"
    process.send_signal(signal.SIGINT)
    result = world.finish(process, timeout=30)
    assert result.exit == 130, f"{result.exit}\n{result.stderr}"
    assert "error:" not in result.stderr, result.stderr
    world.files_may_go.set()
    rerun = world.bootstrap(*arguments)
    assert rerun.exit == 0, rerun.stderr


def check(world, results):
    interrupt(world, "far_away-*.tar.gz", "far-away")
    interrupt(world, "already_built-*.whl", "already-built", "far-away", "--pre-built", "already-built")
