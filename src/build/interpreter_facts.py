# SPDX-License-Identifier: Apache-2.0
# Run as `python -E -s -S -c`: prints what an interpreter is, as one JSON object. Also understood by
# interpreters that are refused afterwards, Python 2.7 included, so that the refusal can name them.
import sys

sys.path[:] = [folder for folder in sys.path if folder]  # '' would import from the current folder

import json
import os
import platform
import sysconfig


def real_program():
    """The interpreter itself, behind links, shims and virtual environments."""
    program = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    folder = os.path.dirname(program)
    is_copy = any(
        os.path.exists(os.path.join(place, "pyvenv.cfg"))
        for place in (folder, os.path.dirname(folder))
    )
    if not is_copy:
        return program
    name = "python%d.%d%s" % (sys.version_info[:2] + (getattr(sys, "abiflags", ""),))
    original = os.path.join(getattr(sys, "base_prefix", sys.prefix), "bin", name)
    return os.path.realpath(original) if os.path.exists(original) else program


def libc():
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, ValueError, OSError):
        return ""


def stable_variables(prefix):
    """What sysconfig tells builds, without where this copy of the interpreter stands."""
    places = ("base", "platbase", "prefix", "exec_prefix", "installed_base", "userbase",
              "installed_platbase", "projectbase", "srcdir", "abs_srcdir", "abs_builddir")
    variables = sysconfig.get_config_vars()
    return [
        "%s=%s" % (name, str(variables[name]).replace(prefix, "{prefix}"))
        for name in sorted(variables)
        if name not in places
    ]


base_prefix = getattr(sys, "base_prefix", sys.prefix)
facts = {
    "executable": real_program(),
    "base_prefix": base_prefix,
    "implementation": platform.python_implementation(),
    "version": platform.python_version().rstrip("+"),
    "series": list(sys.version_info[:2]),
    "system": sys.platform,
    "machine": platform.machine(),
    "libc": libc(),
    "stdlib": sysconfig.get_path("stdlib"),
    "include": sysconfig.get_path("include"),
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "identity": [sys.version] + stable_variables(base_prefix),
}
print(json.dumps(facts))
