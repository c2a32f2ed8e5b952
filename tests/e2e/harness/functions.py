# SPDX-License-Identifier: Apache-2.0
"""Cases that are functions of a world: for what tables cannot say shortly.

    if __name__ == "__main__":
        functions.main(globals())     usage: run.py PROGRAM [TEST...]; exit status 77: all skipped

Every function whose only argument is called `world` is a case.
"""
import inspect
import json
import sys
import tempfile
import traceback

from .world import World, check as check_schema


class Skipped(Exception):
    """Carries the reason."""


def is_case(value):
    return inspect.isfunction(value) and list(inspect.signature(value).parameters) == ["world"]


def run_one(case, program):
    """Whether it passed; None when it was skipped."""
    with tempfile.TemporaryDirectory(prefix="wf-e2e-", ignore_cleanup_errors=True) as root:
        world = World(program, root)
        try:
            case(world)
        except Skipped as reason:
            print(f"{case.__name__}: skipped: {reason}")
            return None
        except AssertionError as error:
            print(f"{case.__name__}: FAILED: {error}")
            return False
        except Exception:
            print(f"{case.__name__}: FAILED: {traceback.format_exc()}")
            return False
        finally:
            world.close()
    print(f"{case.__name__}: ok", flush=True)
    return True


def main(names):
    program, only = sys.argv[1], sys.argv[2:]
    cases = [value for name, value in names.items() if is_case(value) and (not only or name in only)]
    results = [run_one(case, program) for case in cases]
    sys.exit(1 if False in results else 0 if True in results else 77)


# --- what most of them ask -----------------------------------------------------------------------

def resolve(world, *arguments, exit=0):
    """The JSON answer of `resolve` (None without one) and what stderr said."""
    result = world.run("resolve", "--format", "json", *arguments)
    assert result.exit == exit, f"ended with {result.exit}\n{result.stdout}{result.stderr}"
    answer = json.loads(result.stdout) if result.stdout else None
    if answer is not None:
        check_schema(answer, "resolve")
    return answer, result.stderr


def pins(answer):
    return {package["name"]: package["version"] for package in answer["packages"]}


def versions(name, *numbers, **more):
    return [{"name": name, "version": number, **more} for number in numbers]


def write(world, name, text):
    path = world.work / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
