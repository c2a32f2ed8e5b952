# SPDX-License-Identifier: Apache-2.0
"""What the `packaging` library answers, in the shapes of docs/pep.md.

Each function takes a question and gives the expected answer; INVALID where the text is refused.
"""
import re

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.markers import InvalidMarker, Marker, UndefinedComparison, UndefinedEnvironmentName
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.tags import InvalidTag, parse_tag
from packaging.utils import (
    InvalidName, InvalidSdistFilename, InvalidWheelFilename, canonicalize_name, parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion, Version

INVALID = {"ok": False}


def version(question):
    try:
        parsed = Version(question["version"])
    except InvalidVersion:
        return INVALID
    return {
        "ok": True, "normalized": str(parsed), "public": parsed.public, "base": parsed.base_version,
        "local": parsed.local, "epoch": parsed.epoch if parsed.epoch < 10 ** 19 else str(parsed.epoch), "is_prerelease": parsed.is_prerelease,
    }


def compare(question):
    try:
        a, b = Version(question["a"]), Version(question["b"])
    except InvalidVersion:
        return INVALID
    return {"ok": True, "compare": (a > b) - (a < b)}


def specifier(question):
    try:
        parsed = SpecifierSet(question["specifier"])
    except InvalidSpecifier:
        return INVALID
    versions, prereleases = question["versions"], question["prereleases"]
    return {
        "ok": True, "normalized": str(parsed),
        "contains": [parsed.contains(each, prereleases=prereleases) for each in versions],
        "filter": list(parsed.filter(versions, prereleases=prereleases)),
    }


def marker(question):
    try:
        parsed = Marker(question["marker"])
    except InvalidMarker:
        return INVALID
    environment = dict(question["environment"])
    for name in ("extras", "dependency_groups"):
        if name in environment:
            environment[name] = frozenset(environment[name])
    environment["extra"] = question["extra"]
    try:
        value = parsed.evaluate(environment)
        return {"ok": True, "normalized": str(parsed), "value": value}
    except (UndefinedComparison, UndefinedEnvironmentName):
        return INVALID


def requirement(question):
    try:
        parsed = Requirement(question["requirement"])
    except InvalidRequirement:
        return INVALID
    return {
        "ok": True, "name": parsed.name, "extras": sorted(parsed.extras), "specifier": str(parsed.specifier),
        "url": parsed.url, "marker": str(parsed.marker) if parsed.marker else None,
    }


def tag(question):
    if not re.fullmatch("[A-Za-z0-9_.-]*", question["tag"]):
        return INVALID  # stricter than the library, see docs/pep.md
    try:
        return {"ok": True, "tags": sorted(str(each) for each in parse_tag(question["tag"]))}
    except InvalidTag:
        return INVALID


def is_project_name(text):
    """Stricter than the library, see docs/pep.md: names of files become paths."""
    try:
        canonicalize_name(text, validate=True)
        return True
    except InvalidName:
        return False


def filename(question):
    name = question["filename"]
    try:
        if name.endswith(".whl"):
            project, parsed, build, tags = parse_wheel_filename(name)
            if not is_project_name(name.split("-")[0]):
                return INVALID
            return {
                "ok": True, "kind": "wheel", "name": project, "version": str(parsed),
                "build": list(build) or None, "tags": sorted(str(each) for each in tags),
            }
        project, parsed = parse_sdist_filename(name)
        if not is_project_name(name.rpartition("-")[0]):
            return INVALID
    except (InvalidWheelFilename, InvalidSdistFilename):
        return INVALID
    extension = ".zip" if name.endswith(".zip") else ".tar.gz"
    return {"ok": True, "kind": "sdist", "name": project, "version": str(parsed), "extension": extension}


def license(question):
    try:
        return {"ok": True, "normalized": canonicalize_license_expression(question["expression"])}
    except InvalidLicenseExpression:
        return INVALID


def name(text):
    return canonicalize_name(text)
