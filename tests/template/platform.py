"""The template, read once: intrinsic functions in their long form."""

from functools import cache
from pathlib import Path
from typing import Any

from cfnlint.decode import decode

ROOT = Path(__file__).parents[2]
FUNCTIONS = ["api", "authorizer", "bots", "deadline", "follow", "push", "socket", "sweep"]


@cache
def template() -> dict[str, Any]:
    found, problems = decode(str(ROOT / "template.yaml"))
    assert not problems, problems
    assert isinstance(found, dict)
    return found


def resources(kind: str) -> dict[str, Any]:
    """The properties of all resources of a type, by name."""
    return {
        name: resource["Properties"]
        for name, resource in template()["Resources"].items()
        if resource["Type"] == kind
    }


def function(name: str) -> dict[str, Any]:
    """The properties of the function whose code is in functions/<name>/."""
    (found,) = (
        properties
        for properties in resources("AWS::Serverless::Function").values()
        if properties["CodeUri"] == f"functions/{name}/"
    )
    return {**template()["Globals"]["Function"], **found}


def environment(name: str) -> dict[str, Any]:
    """The environment of a function, with that of all functions."""
    everywhere = template()["Globals"]["Function"]["Environment"]["Variables"]
    return {**everywhere, **function(name)["Environment"]["Variables"]}


def statements(role: str) -> list[dict[str, Any]]:
    """All that a role may do; actions and resources are lists."""
    return [
        {
            "Effect": statement["Effect"],
            "Action": as_list(statement["Action"]),
            "Resource": as_list(statement["Resource"]),
        }
        for policy in resources("AWS::IAM::Role")[role].get("Policies", ())
        for statement in policy["PolicyDocument"]["Statement"]
    ]


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
