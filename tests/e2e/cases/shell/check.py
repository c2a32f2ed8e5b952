# SPDX-License-Identifier: Apache-2.0
"""Same variables, folder, packages and tree as the build; exit code of the command; no trace."""
import os
import pty
import re
import select
import time

LOOK = ("import os; print('SEEN ' + repr(sorted((k, v) for k, v in os.environ.items()"
        " if k not in ('MAX_JOBS', 'MAKEFLAGS', 'TMPDIR')))); print('CWD ' + os.getcwd());"
        "import tool, late; print(os.path.exists('project.json'))")


def fields(text):
    """Without what differs from build to build where no sandbox gives it a fixed place."""
    found = re.findall(r"^(?:SEEN|CWD) .*$", text, re.MULTILINE)
    return [re.sub(r"/[^' :]*/scratch/[^'/ :]+", "SCRATCH", line) for line in found]


def talk(world, *arguments, keys):
    """A run on a terminal of its own; gives what it shows and its exit status."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(world.work)
        os.execve(world.program, [str(world.program), *arguments], {**world.environment(), "TERM": "xterm"})
    shown = b""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
            if keys and keys[0][0] in shown:
                os.write(terminal, keys.pop(0)[1])
    _, status = os.waitpid(process, 0)
    return shown.decode(errors="replace"), os.waitstatus_to_exitcode(status)


def check(world, results):
    inside = world.run("shell", "app==1.0", "--", "python", "-c", LOOK)
    assert inside.exit == 0, inside.stderr
    assert inside.stdout.endswith("True\n"), inside.stdout + inside.stderr
    built = world.run("build", "app==1.0")
    assert built.exit == 0, built.stderr
    log = (built.out / "cpu" / "logs" / "app-1.0.log").read_text(encoding="utf-8")
    assert fields(inside.stdout) == fields(log), f"{fields(inside.stdout)}\n{fields(log)}"

    assert world.run("shell", "app==1.0", "--", "sh", "-c", "exit 42").exit == 42
    assert world.run("shell", "app==1.0", "--", "sh", "-c", "kill -9 $$").exit == 137

    spoilt = world.run("shell", "app==1.0", "--", "sh", "-c", "rm -rf *; echo gone > $VIRTUAL_ENV/lib/spoilt")
    assert spoilt.exit == 0, spoilt.stderr
    whole = world.run("shell", "app==1.0", "--", "sh", "-c", "test -f project.json && test ! -e $VIRTUAL_ENV/lib/spoilt")
    assert whole.exit == 0, whole.stderr
    assert not list((world.root / "cache").glob("scratch/*")), "a scratch folder was left"

    assert world.run("shell", "failing==1.0", "--", "cat", "project.json").exit == 0
    assert world.run("shell", "nothing==1").exit == 3

    text, status = talk(world, "shell", "app==1.0", keys=[(b"$ ", b"echo $((6*7)); tty; exit 5\n")])
    assert status == 5, (status, text)
    assert "42" in text and "not a tty" not in text, text
