# SPDX-License-Identifier: Apache-2.0
"""documented.py PEP_LINES: the examples of docs/pep.md are what the program answers, byte by byte,
and fit docs/formats/pep.schema.json."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from harness import schema  # noqa: E402

KINDS = ["version", "specifier", "marker", "requirement", "filename", "tags", "license", "build-system"]

# Answers too long to print in the page still have to fit the schema.
MORE = {"tags": ['{"python": "3.13.1", "machine": "aarch64", "glibc": "2.28", "candidates": ["py3-none-any", "py2-none-any"]}']}


def examples(text):
    """(kind, question, answer) of every block."""
    for kind, block in re.findall(r"^```([a-z-]+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        lines = block.splitlines()
        assert len(lines) % 2 == 0, f"{kind}: a question without an answer"
        for question, answer in zip(lines[::2], lines[1::2]):
            yield kind, question, answer


def answer_of(program, kind, question):
    done = subprocess.run([program, kind], input=question.encode() + b"\n", stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().rstrip("\n")


def main():
    program = sys.argv[1]
    page = (ROOT / "docs" / "pep.md").read_text(encoding="utf-8")
    shapes = json.loads((ROOT / "docs" / "formats" / "pep.schema.json").read_text(encoding="utf-8"))
    cases = list(examples(page))
    assert sorted({kind for kind, _, _ in cases}) == sorted(KINDS), "a kind has no example"
    cases += [(kind, question, None) for kind, questions in MORE.items() for question in questions]
    cases += [(kind, "no JSON", None) for kind in KINDS]
    wrong = 0
    for kind, question, documented in cases:
        answer = answer_of(program, kind, question)
        found = schema.errors(json.loads(answer), {"$ref": f"#/$defs/{kind}-answer"}, shapes)
        if documented is not None:
            found += schema.errors(json.loads(question), {"$ref": f"#/$defs/{kind}-question"}, shapes)
            found += [] if answer == documented else [f"documented: {documented}"]
        if found:
            wrong += 1
            print(f"{kind}: {question}\n  answer: {answer}\n  " + "\n  ".join(found))
    print(f"{len(cases)} examples, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
