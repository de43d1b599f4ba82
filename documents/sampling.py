"""An example of a JSON schema, where nobody wrote a better one."""

from collections.abc import Mapping
from typing import Any

_PLAIN: Mapping[str, Any] = {"string": "text", "integer": 1, "number": 1, "boolean": False}


def sample(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    """A value that fits. Examples and constants in the schema are taken as they are."""
    if "$ref" in schema:
        return sample(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    for key in ("examples", "enum"):
        if schema.get(key):
            return schema[key][0]
    for key in ("const", "example"):
        if key in schema:
            return schema[key]
    if schema.get("default") is not None:
        return schema["default"]
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            choices = [one for one in schema[key] if one.get("type") != "null"]
            chosen = sample(choices[0], schemas)
            rest = {name: value for name, value in schema.items() if name != key}
            return {**sample(rest, schemas), **chosen} if "properties" in schema else chosen
    kind = schema.get("type")
    if kind == "object" or "properties" in schema:
        required = schema.get("required", ())
        properties = schema.get("properties", {})
        return {name: sample(properties[name], schemas) for name in properties if name in required}
    if kind == "array":
        return [sample(schema["items"], schemas)]
    return max(schema["minimum"], 1) if "minimum" in schema else _PLAIN.get(str(kind))
