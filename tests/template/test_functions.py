"""What each function is given, against what its code asks for."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hosting import wiring
from hosting.adapters import aws
from hosting.play import transaction as door
from hosting.wiring import Platform
from tests.template.platform import FUNCTIONS, ROOT, environment, function, resources, template


class Noting(dict[str, str]):
    """An environment that notes which names must be there."""

    def __init__(self, names: set[str]) -> None:
        super().__init__(dict.fromkeys(names, "1"))
        self.asked: set[str] = set()

    def __missing__(self, name: str) -> str:
        self.asked.add(name)
        return "1"


def test_every_folder_is_a_function_and_every_function_a_folder() -> None:
    folders = {path.parent.name for path in ROOT.glob("functions/*/app.py")}
    assert folders == set(FUNCTIONS)
    assert len(resources("AWS::Serverless::Function")) == len(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_handler_is_where_the_template_says(name: str) -> None:
    module, _, handler = function(name)["Handler"].partition(".")
    tree = ast.parse((ROOT / "functions" / name / f"{module}.py").read_text())
    assert handler in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_services_that_a_function_uses_find_their_environment(name: str) -> None:
    given = Noting(set(environment(name)))
    platform = Platform(given)
    for service in services_of(ROOT / "functions" / name):
        getattr(platform, service)
    assert given.asked == set()


def test_only_the_starter_of_clocks_knows_where_they_are_started() -> None:
    assert {name for name in FUNCTIONS if "CLOCK_ARN" in environment(name)} == {"follow"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nothing_is_given_that_no_code_reads(name: str) -> None:
    code = "".join(path.read_text() for path in ROOT.glob("layers/engine/**/*.py"))
    unread = {variable for variable in environment(name) if f'"{variable}"' not in code}
    assert unread <= {"POWERTOOLS_LOG_LEVEL"}  # Powertools reads it itself


@pytest.mark.parametrize("name", FUNCTIONS)
def test_logs_are_structured_kept_for_a_time_and_named_for_the_service(name: str) -> None:
    logging = function(name)["LoggingConfig"]
    group = resources("AWS::Logs::LogGroup")[logging["LogGroup"]["Ref"]]
    assert logging["LogFormat"] == "JSON"
    assert group["RetentionInDays"] == {"Ref": "LogRetentionDays"}
    assert environment(name)["POWERTOOLS_SERVICE_NAME"] == name


def test_no_log_group_keeps_its_logs_for_ever() -> None:
    assert all("RetentionInDays" in group for group in resources("AWS::Logs::LogGroup").values())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_limits_that_a_function_is_given_are_those_of_the_code(name: str) -> None:
    parameters = template()["Parameters"]
    for variable, value in environment(name).items():
        if hasattr(wiring, variable):
            assert parameters[value["Ref"]]["Default"] == getattr(wiring, variable)


@pytest.mark.parametrize("name", ["api", "socket"])
def test_the_door_gives_up_before_the_function_is_stopped(name: str) -> None:
    assert function(name)["Timeout"] > door.PATIENCE_MS / 1000 + aws.SLOWEST


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_api_never_cuts_off_a_function_that_still_has_time(name: str) -> None:
    seconds = function(name)["Timeout"]
    integrations = resources("AWS::ApiGatewayV2::Integration")
    called = {"api": "HttpIntegration", "socket": "SocketIntegration"}.get(name)
    if called:
        assert seconds * 1000 < integrations[called]["TimeoutInMillis"] <= 29_000
    if name == "deadline":
        assert seconds < 60  # TimeoutSeconds of the state machine's task


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_alias_follows_every_change_of_code_layer_and_parameters(name: str) -> None:
    """SAM publishes a version when the function's own properties change, and no sooner.

    What the parameters are and what is in the layer is not among them unless asked for.
    """
    properties = function(name)
    if "AutoPublishAlias" not in properties:
        assert "SnapStart" not in properties
        return
    (layer,) = resources("AWS::Serverless::LayerVersion").values()
    assert layer["PublishLambdaVersion"] is True
    assert properties["AutoPublishAliasAllProperties"] is True
    described = parameters_in(properties.get("VersionDescription"))
    assert parameters_in(properties["Environment"]) <= described


def test_outputs_name_every_address() -> None:
    assert set(template()["Outputs"]) >= {
        "HttpUrl",
        "SocketUrl",
        "SocketEndpoint",
        "MatchesTableName",
        "AgentsTableName",
        "ConnectionsTableName",
        "ClockArn",
        "PushFailuresUrl",
        "FollowFailuresUrl",
        "AlarmTopicArn",
    }


def parameters_in(value: Any) -> set[str]:
    """The template's parameters that a value is made of."""
    if isinstance(value, list):
        return set().union(*map(parameters_in, value))
    if not isinstance(value, dict):
        return set()
    if "Ref" in value:
        names = {str(value["Ref"])}
    elif "Fn::Sub" in value:
        names = set(re.findall(r"\$\{(\w+)\}", str(value["Fn::Sub"])))
    else:
        return parameters_in(list(value.values()))
    return names & set(template()["Parameters"])


def services_of(folder: Path) -> Iterator[str]:
    """The names after `platform().` in a function's code."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Call)
                and isinstance(node.value.func, ast.Name)
                and node.value.func.id == "platform"
            ):
                yield node.attr
