# SPDX-License-Identifier: Apache-2.0
"""The part of JSON Schema 2020-12 that docs/formats uses, so that tests need nothing installed."""
import re

TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
    "integer": int, "number": (int, float),
}
KNOWN = {
    "$schema", "title", "description", "$defs", "$ref", "type", "const", "enum", "required", "properties",
    "additionalProperties", "items", "pattern", "minimum", "oneOf",
}


def is_type(value, name):
    if isinstance(value, bool) and name in ("integer", "number"):
        return False
    return isinstance(value, TYPES[name])


def errors(value, schema, root=None, where="$"):
    """What is wrong with `value`, as a list of texts."""
    root = root or schema
    unknown = set(schema) - KNOWN
    assert not unknown, f"the schema uses {unknown}, which this validator does not know"
    found = []
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        found += errors(value, target, root, where)
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(is_type(value, name) for name in names):
            return found + [f"{where}: {value!r} is not {' or '.join(names)}"]
    if "const" in schema and value != schema["const"]:
        found.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: {value!r} is none of {schema['enum']}")
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        found.append(f"{where}: {value!r} does not match {schema['pattern']}")
    if "minimum" in schema and isinstance(value, (int, float)) and value < schema["minimum"]:
        found.append(f"{where}: {value!r} is below {schema['minimum']}")
    if "oneOf" in schema:
        results = [errors(value, each, root, where) for each in schema["oneOf"]]
        if sum(not result for result in results) != 1:
            shortest = min(results, key=len)
            found += shortest or [f"{where}: matches more than one form"]
    if isinstance(value, dict):
        found += object_errors(value, schema, root, where)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            found += errors(item, schema["items"], root, f"{where}[{index}]")
    return found


def object_errors(value, schema, root, where):
    found = [f"{where}: '{name}' is missing" for name in schema.get("required", []) if name not in value]
    properties = schema.get("properties", {})
    rest = schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in properties:
            found += errors(item, properties[name], root, f"{where}.{name}")
        elif rest is False:
            found.append(f"{where}: '{name}' is not in the schema")
        elif isinstance(rest, dict):
            found += errors(item, rest, root, f"{where}.{name}")
    return found
