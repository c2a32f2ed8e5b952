# SPDX-License-Identifier: Apache-2.0
"""Both signals; then the finished package is reused."""
import signal
import subprocess
import time


def has_begun(world):
    logs = [*(world.work / "out").rglob("*.log"), *(world.root / "cache").rglob("*.log")]
    return any("slow-has-begun" in log.read_text(encoding="utf-8", errors="replace") for log in logs)


def interrupt(world, number):
    process = world.start("bootstrap", "slow")
    deadline = time.monotonic() + 60
    while not has_begun(world):
        assert time.monotonic() < deadline, "the build did not begin"
        assert process.poll() is None, (world.root / "stderr").read_text(encoding="utf-8")
        time.sleep(0.05)
    process.send_signal(number)
    return world.finish(process, timeout=90)


def check(world, results):
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        result = interrupt(world, number)
        assert result.exit == code, f"{result.exit}\n{result.stderr}"
        assert result.report["exit_code"] == code
        assert result.report["counts"]["cancelled"] == 1, result.report["counts"]
        world.forget_output()
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=False).stdout
    assert str(world.root) not in running, "processes are left"
    rerun = world.bootstrap("quick")
    assert rerun.exit == 0 and rerun.report["counts"]["reused"] == 1, rerun.stderr
