# SPDX-License-Identifier: Apache-2.0
"""Questions about versions, specifiers, markers and the rest, the same ones at every run.

Half of the art is in the neighbourhood: a specifier is interesting at its own boundary, so versions
are made by small changes of the specifier's version, and broken texts by small changes of good ones.
"""

PRE = ["a", "b", "rc", "alpha", "beta", "c", "pre", "preview", "A", "RC", "Beta"]
POST = ["post", "rev", "r", "POST"]
SEPARATORS = ["", ".", "-", "_"]
OPERATORS = ["==", "!=", "<=", ">=", "<", ">", "~=", "==="]
NUMBERS = ["0", "1", "2", "3", "9", "10", "11", "00", "01", "007", "2024", "99999999999999999999"]
LOCALS = ["abc", "1", "cu128", "rocm7.1", "ubuntu-1", "0", "001", "a.b_c-3", "ABC", "1a"]
NOISE = list("0129.+-*_!~=<>()[];,@'\"\\ abrvxXdevpost\t\n") + ["\u00e9", "\u00a0", "\u2003", "\x00"]

MARKER_VERSIONS = ["3", "3.8", "3.9", "3.10", "3.12", "3.12.1", "3.13.0rc1", "3.14.0a2", "3.12.*", "2.7",
                   "3.12.1+local", "6.1.0-25-amd64", "5.15", ""]
MARKER_TEXTS = ["linux", "win32", "darwin", "posix", "nt", "CPython", "PyPy", "cpython", "x86_64", "aarch64",
                "Linux", "#1 SMP", "lin", "", "a b", "x_Y", "Foo.Bar", "test", "it's"]
VERSION_VARIABLES = ["python_version", "python_full_version", "implementation_version", "platform_release"]
TEXT_VARIABLES = ["os_name", "sys_platform", "platform_machine", "platform_system", "platform_version",
                  "platform_python_implementation", "implementation_name", "os.name", "sys.platform",
                  "platform.version", "platform.machine", "platform.python_implementation",
                  "python_implementation"]
MARKER_OPERATORS = ["==", "!=", "<=", ">=", "<", ">", "~=", "===", "in", "not in"]

NAMES = ["a", "A", "foo", "Foo_Bar", "zope.interface", "ruamel.yaml.clib", "a--b", "a.-_b", "x1", "1x", "foo_",
         "typing_extensions", "PyYAML"]
URLS = ["https://example.org/a-1.0.tar.gz", "git+https://example.org/a.git@v1#egg=a", "file:///a/b;c",
        "https://example.org/a.whl#sha256=00", "a"]


def numbers(random, count):
    return [random.choice(NUMBERS) for _ in range(count)]


def version(random):
    """A version in any spelling."""
    text = random.choice(["", "", "", "", "v", "V"])
    text += random.choice(["", "", "", "", "", "0!", "1!", "2!"])
    text += ".".join(numbers(random, random.choice([1, 1, 2, 2, 2, 3, 3, 4, 5])))
    if random.random() < 0.3:
        text += random.choice(SEPARATORS) + random.choice(PRE)
        text += random.choice(SEPARATORS) + random.choice(["", "0", "1", "2", "10"])
    if random.random() < 0.25:
        if random.random() < 0.3:
            text += "-" + random.choice(["0", "1", "2"])
        else:
            text += random.choice(SEPARATORS) + random.choice(POST)
            text += random.choice(SEPARATORS) + random.choice(["", "0", "1", "2"])
    if random.random() < 0.2:
        text += random.choice(SEPARATORS) + random.choice(["dev", "DEV"])
        text += random.choice(SEPARATORS) + random.choice(["", "0", "1", "2"])
    if random.random() < 0.15:
        text += "+" + random.choice(LOCALS)
    if random.random() < 0.02:
        text = random.choice([" ", "\t", "\n", "\u00a0"]) + text + random.choice(["", " ", "\n"])
    return text


def neighbours(random, text, count):
    """Versions around a written one: its family, its relatives, its ends."""
    base = text.strip().lstrip("vV").split("+")[0]
    release = base
    for index, char in enumerate(base):
        if not (char.isdigit() or char in ".!"):
            release = base[:index]
            break
    release = release.rstrip(".") or "1"
    head, _, last = release.rpartition(".")
    bumped = f"{head}.{int(last) + 1}" if head and last.isdigit() else release + ".1"
    near = [base, release, bumped, head or release, release + ".0", release + ".0.0", release + ".1"]
    for stem in (base, release, bumped, head or release):
        near += [stem + suffix for suffix in (
            ".dev0", ".dev1", "a0", "a1", "rc1", ".post0", ".post1", ".post1.dev0", "a1.dev1", "a1.post1",
            "+local", "+1", ".post0+local", ".dev0+x", "rc1.post0.dev0")]
    near += ["0", "0.dev0", "0a0", "1!0", "99999", release + "junk", "not-a-version", ""]
    return [random.choice(near) for _ in range(count)]


def specifier(random):
    operator = random.choice(OPERATORS)
    text = version(random)
    if operator in ("==", "!=") and random.random() < 0.35:
        text = ".".join(numbers(random, random.choice([1, 2, 3]))) + ".*"
    if operator == "===" and random.random() < 0.3:
        text = random.choice(["foobar", "1.0-anything", "", "1.0.0.0-x_y", "FooBar"])
    if operator not in ("==", "!=", "===") and random.random() < 0.97:
        text = text.split("+")[0]
    if operator == "~=" and "." not in text and random.random() < 0.9:
        text = "1." + text.strip().lstrip("vV").split("!")[-1]
    return random.choice(["", "", " "]) + operator + random.choice(["", "", " ", "  ", "\t"]) + text


def specifiers(random):
    return ",".join(specifier(random) for _ in range(random.choice([0, 1, 1, 1, 1, 2, 2, 3, 4])))


def broken(random, text):
    """One to three small changes of a text."""
    chars = list(text)
    for _ in range(random.choice([1, 1, 2, 3])):
        place = random.randint(0, len(chars))
        what = random.random()
        if what < 0.5 or not chars:
            chars.insert(place, random.choice(NOISE))
        elif what < 0.75:
            del chars[min(place, len(chars) - 1)]
        else:
            chars[min(place, len(chars) - 1)] = random.choice(NOISE)
    return "".join(chars)


def quoted(random, value):
    escapes = value.replace("\\", "\\\\")
    if random.random() < 0.05 and escapes:
        escapes = "\\x%02x" % ord(escapes[0]) + escapes[1:] if ord(escapes[0]) < 128 else escapes
    quotes = ["'", '"']
    random.shuffle(quotes)
    for quote in quotes:
        if quote not in value:
            return quote + escapes + quote
    return "''"


def comparison(random):
    what = random.random()
    operator = random.choice(MARKER_OPERATORS)
    if what < 0.45:
        sides = [random.choice(VERSION_VARIABLES), quoted(random, random.choice(MARKER_VERSIONS))]
    elif what < 0.75:
        sides = [random.choice(TEXT_VARIABLES), quoted(random, random.choice(MARKER_TEXTS))]
    elif what < 0.9:
        sides = ["extra", quoted(random, random.choice(MARKER_TEXTS))]
        operator = random.choice(["==", "!=", operator])
    elif what < 0.96:
        sides = [quoted(random, random.choice(MARKER_TEXTS)), random.choice(["extras", "dependency_groups"])]
        operator = random.choice(["in", "not in", "in", operator])
    else:
        sides = [random.choice(VERSION_VARIABLES + TEXT_VARIABLES), random.choice(VERSION_VARIABLES)]
    if what < 0.9 and random.random() < 0.2:
        sides.reverse()
    if operator == "not in":
        operator = random.choice(["not in", "not   in", "not\tin"])
    space = " " if operator[0] in "in" else random.choice(["", " ", "  "])
    return sides[0] + space + operator + space + sides[1]


def marker(random, depth=0):
    parts = []
    for index in range(random.choice([1, 1, 1, 2, 2, 3, 4])):
        if index:
            parts.append(random.choice([" and ", " or ", "  and\t"]))
        if depth < 4 and random.random() < 0.2:
            parts.append("(" + random.choice(["", " "]) + marker(random, depth + 1) + random.choice(["", " "]) + ")")
        else:
            parts.append(comparison(random))
    return "".join(parts)


def environment(random):
    """What the variables are worth; now and then one is missing."""
    python = random.choice(["3.8.18", "3.9.1", "3.12.1", "3.13.0rc1", "3.14.0a2+", "2.7.18"])
    values = {
        "implementation_name": random.choice(["cpython", "pypy"]),
        "implementation_version": random.choice([python, "7.3.13"]),
        "os_name": random.choice(["posix", "nt"]),
        "platform_machine": random.choice(["x86_64", "aarch64", "AMD64"]),
        "platform_python_implementation": random.choice(["CPython", "PyPy"]),
        "platform_release": random.choice(["6.1.0-25-amd64", "5.15", "", "10"]),
        "platform_system": random.choice(["Linux", "Windows"]),
        "platform_version": random.choice(["#1 SMP", ""]),
        "python_full_version": python,
        "python_version": ".".join(python.split(".")[:2]),
        "sys_platform": random.choice(["linux", "win32", "darwin"]),
    }
    if random.random() < 0.5:
        values["extras"] = random.sample(["x-y", "Foo.Bar", "test", "linux"], random.randint(0, 3))
    if random.random() < 0.5:
        values["dependency_groups"] = random.sample(["x_y", "foo-bar", "test"], random.randint(0, 2))
    return values


def requirement(random):
    text = random.choice(["", "", " ", "\t"]) + random.choice(NAMES)
    if random.random() < 0.35:
        extras = random.sample(["a", "B_c", "socks", "x.y", "d_"], random.randint(0, 3))
        text += random.choice(["", " "]) + "[" + random.choice([",", " , "]).join(extras) + "]"
    text += random.choice(["", " ", "  "])
    if random.random() < 0.15:
        text += "@" + random.choice(["", " "]) + random.choice(URLS) + random.choice([" ", "", "  "])
    elif random.random() < 0.75:
        inner = specifiers(random)
        text += random.choice([inner, inner, "(" + inner + ")", "( " + inner + " )"])
    if random.random() < 0.4:
        text += random.choice(["", " "]) + ";" + random.choice(["", " "]) + marker(random)
    return text + random.choice(["", "", " ", "\t", "\n"])


def tag_set(random):
    interpreters = ["py3", "py2", "cp312", "cp313", "CP39", "pp310", "py30"]
    abis = ["none", "abi3", "cp312", "cp313t", "abi3t", "NONE"]
    platforms = ["any", "linux_x86_64", "manylinux_2_28_x86_64", "manylinux2014_x86_64", "win_amd64"]
    return "-".join(".".join(random.sample(pool, random.choice([1, 1, 2, 3])))
                    for pool in (interpreters, abis, platforms))


def wheel_filename(random):
    name = random.choice(["foo", "Foo_Bar", "zope.interface", "a1", "A", "foo__bar", "foo#bar"])
    build = random.choice(["", "", "", "-1", "-200", "-1abc", "-01_x", "-abc"])
    return f"{name}-{version(random).strip()}{build}-{tag_set(random)}" + random.choice([".whl"] * 9 + [".zip"])


def sdist_filename(random):
    name = random.choice(["foo", "Foo_Bar", "zope.interface", "a1", "A", "foo-bar", "a.b-c"])
    return f"{name}-{version(random).strip()}" + random.choice([".tar.gz", ".tar.gz", ".zip"])


def license_expression(random, ids, exceptions, depth=0):
    def one():
        if random.random() < 0.1:
            return random.choice(["LicenseRef-Own", "licenseref-OWN", "LicenseRef-a.b-1", "LicenseRef-", "LicenseRef-a_b"])
        text = random.choice(ids)
        text = random.choice([text, text.lower(), text.upper()]) + random.choice(["", "", "", "+"])
        if random.random() < 0.15:
            text += random.choice([" WITH ", " with "]) + random.choice(exceptions)
        return text

    parts = []
    for index in range(random.choice([1, 1, 2, 3])):
        if index:
            parts.append(random.choice([" AND ", " or ", " Or ", " and "]))
        if depth < 4 and random.random() < 0.25:
            parts.append(random.choice(["(", "( "]) + license_expression(random, ids, exceptions, depth + 1) + ")")
        else:
            parts.append(one())
    return "".join(parts)
