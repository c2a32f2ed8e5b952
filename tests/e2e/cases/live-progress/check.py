# SPDX-License-Identifier: Apache-2.0
"""The program on terminals of several kinds and sizes."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

LIVE = re.compile(r"slow 1\.0 +build +\d+:\d\d  \S+")


def watch(world, size, env=None, act=None, out=None):
    """Runs on a terminal; gives all it was sent, and the exit status. `act(process, terminal)` is
    called once the live line stands."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(world.work)
        given = {**world.environment(), "TERM": "xterm", **(env or {})}
        os.execve(world.program, [str(world.program), "bootstrap", "slow", "-o", out or "out"], given)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    shown = ""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece.decode(errors="replace")
        if act and "compiling" in shown:
            act(process, terminal)
            act = None
    _, status = os.waitpid(process, 0)
    return shown, os.waitstatus_to_exitcode(status)


def screen(shown, columns):
    """What stands there in the end, by the few things the program uses."""
    lines, row, column = [""], 0, 0
    at = 0
    while at < len(shown):
        move = re.compile(r"\x1b\[(\d*)([A-Za-z])").match(shown, at)
        if move:
            assert move[2] in "AJ", f"an escape sequence that is not expected: {move[0]!r}"
            if move[2] == "A":
                row = max(row - int(move[1] or 1), 0)
            else:
                lines[row] = lines[row][:column]
                del lines[row + 1:]
            at = move.end()
            continue
        char = shown[at]
        at += 1
        assert char != "\x1b", f"an escape sequence that is not expected: {shown[at:at + 10]!r}"
        if char == "\r":
            column = 0
        elif char == "\n":
            row, column = row + 1, 0
            if row == len(lines):
                lines.append("")
        else:
            if column == columns:
                row, column = row + 1, 0
                if row == len(lines):
                    lines.append("")
            lines[row] = lines[row][:column].ljust(column) + char + lines[row][column + 1:]
            column += 1
    return "\n".join(lines)


def check(world, results):
    shown, status = watch(world, (24, 80))
    assert status == 0, shown
    assert LIVE.search(shown), shown
    assert "compiling" in shown and "\x1b[31m" not in shown and "\x1b]" not in shown and "\x07" not in shown, shown
    assert "1 building" in shown
    end = screen(shown, 80)
    assert "slow 1.0: built in" in end and not LIVE.search(end) and "building," not in end, end

    world.forget_cache()
    narrow, status = watch(world, (10, 30))
    assert status == 0
    assert not re.search(r"building,", screen(narrow, 30)), screen(narrow, 30)
    narrow = narrow[:narrow.rindex("\x1b")]  # the table comes after all that is live
    live = [line for line in re.split(r"[\r\n]+", re.sub(r"\x1b\[\d*[AJ]", "\n", narrow)) if line.startswith("slow 1.0  ")]
    assert live and max(map(len, live)) < 30, live

    world.forget_cache()
    resized, status = watch(world, (24, 100), act=lambda _, terminal: fcntl.ioctl(
        terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0)))
    assert status == 0, resized

    for env in ({"TERM": "dumb"}, {"TERM": ""}):
        world.forget_cache()
        plain, status = watch(world, (24, 80), env=env)
        assert status == 0 and "\x1b" not in plain and "slow 1.0: building" in plain, plain

    world.forget_cache()
    colourless, status = watch(world, (24, 80), env={"NO_COLOR": "1"})
    assert status == 0 and not re.search(r"\x1b\[[\d;]*m", colourless), colourless

    world.forget_cache()
    stopped, status = watch(world, (24, 80), act=lambda process, _: os.kill(process, signal.SIGINT))
    assert status == 130, (status, stopped)
    assert "\x1b[?25l" not in stopped and "building," not in screen(stopped, 80), screen(stopped, 80)

    world.forget_cache()
    piped = world.bootstrap("slow")
    assert "\x1b" not in piped.stderr and "slow 1.0: building" in piped.stderr, piped.stderr
