# SPDX-License-Identifier: Apache-2.0
"""Both signals; then the finished package is reused."""
import signal
import subprocess
import time


def has_begun(world):
    log = world.work / "out" / "cpu" / "logs" / "slow-1.0.log"
    return log.exists() and "slow-has-begun" in log.read_text(encoding="utf-8", errors="replace")


def interrupt(world, number):
    process = world.start("bootstrap", "slow")
    deadline = time.monotonic() + 60
    while not has_begun(world):
        assert time.monotonic() < deadline, "the build did not begin"
        assert process.poll() is None, (world.root / "stderr").read_text(encoding="utf-8")
        time.sleep(0.05)
    process.send_signal(number)
    return world.finish(process, timeout=90)


def followed(world):
    """From before the build begins until the run ends, line by line."""
    world.settings["WHEELFORGE_CACHE_DIR"] = str(world.root / "followed-cache")
    process = world.start("bootstrap", "slow", "-o", "followed")
    while not (world.work / "followed" / "cpu" / "logs" / "events.jsonl").exists():
        assert process.poll() is None, (world.root / "stderr").read_text(encoding="utf-8")
        time.sleep(0.01)
    follower = subprocess.Popen([str(world.program), "log", "slow", "-f", "-o", "followed"], cwd=world.work, env=world.environment(),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    first = follower.stdout.readline()
    assert first == "slow-has-begun\n" and process.poll() is None, first + follower.stderr.read()
    assert "slow==" in world_status(world), world_status(world)
    process.send_signal(signal.SIGINT)
    assert world.finish(process, timeout=90).exit == 130
    rest, errors = follower.communicate(timeout=60)
    assert follower.returncode == 0, errors
    assert (first + rest).rstrip("\n") == (world.work / "followed/cpu/logs/slow-1.0.log").read_text(encoding="utf-8").rstrip("\n")
    late = subprocess.run([str(world.program), "log", "slwo", "-f", "-o", "followed"], cwd=world.work, env=world.environment(),
                          capture_output=True, text=True, timeout=60, check=False)
    assert late.returncode == 2 and "did you mean slow?" in late.stderr, late.stderr


def world_status(world):
    return subprocess.run([str(world.program), "status", "followed"], cwd=world.work, env=world.environment(),
                          capture_output=True, text=True, timeout=60, check=True).stdout


def check(world, results):
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        result = interrupt(world, number)
        assert result.exit == code, f"{result.exit}\n{result.stderr}"
        assert result.report["exit_code"] == code
        assert result.report["counts"]["cancelled"] == 1, result.report["counts"]
        world.forget_output()
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=False).stdout
    assert str(world.root) not in running, "processes are left"
    followed(world)
    rerun = world.bootstrap("quick", "--cache-dir", str(world.root / "cache"))
    assert rerun.exit == 0 and rerun.report["counts"]["reused"] == 1, rerun.stderr
