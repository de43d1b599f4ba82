"""Least privilege. That what is granted suffices shows on the local cloud, which enforces it."""

from typing import Any

import pytest

from tests.template.platform import FUNCTIONS, function, resources, statements

NO_NARROWER_RESOURCE = {
    "xray:PutTelemetryRecords",
    "xray:PutTraceSegments",
    # How Step Functions delivers logs.
    "logs:CreateLogDelivery",
    "logs:DeleteLogDelivery",
    "logs:DescribeLogGroups",
    "logs:DescribeResourcePolicies",
    "logs:GetLogDelivery",
    "logs:ListLogDeliveries",
    "logs:PutResourcePolicy",
    "logs:UpdateLogDelivery",
}
"""Actions for which IAM knows no narrower resource than all."""

ROLES = sorted(resources("AWS::IAM::Role"))


@pytest.mark.parametrize("role", ROLES)
def test_every_action_is_named_and_every_resource_too(role: str) -> None:
    for statement in statements(role):
        assert not [action for action in statement["Action"] if "*" in action]
        if "*" in statement["Resource"]:
            assert set(statement["Action"]) <= NO_NARROWER_RESOURCE


@pytest.mark.parametrize("role", ROLES)
def test_no_role_may_reach_every_table_or_every_connection(role: str) -> None:
    for statement in statements(role):
        for resource in statement["Resource"]:
            text = resource if isinstance(resource, str) else str(resource.get("Fn::Sub", ""))
            assert not text.startswith(("arn:aws:dynamodb", "arn:${AWS::Partition}:dynamodb"))
            if "execute-api" in text:
                api, _, rest = text.partition("${SocketApi}/${StageName}/")
                assert rest in ("POST/@connections/*", "DELETE/@connections/*"), api


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_has_a_role_that_lambda_alone_assumes(name: str) -> None:
    role = role_of(name)
    others = [role_of(other) for other in FUNCTIONS if other != name]
    assert role not in others
    (trust,) = resources("AWS::IAM::Role")[role]["AssumeRolePolicyDocument"]["Statement"]
    assert trust["Principal"] == {"Service": "lambda.amazonaws.com"}
    assert "ManagedPolicyArns" not in resources("AWS::IAM::Role")[role]


@pytest.mark.parametrize("role", ROLES)
def test_services_that_act_for_many_assume_roles_for_this_account_alone(role: str) -> None:
    """Lambda and API Gateway assume roles for their owner; others may be asked by anybody."""
    (trust,) = resources("AWS::IAM::Role")[role]["AssumeRolePolicyDocument"]["Statement"]
    if trust["Principal"]["Service"] not in ("lambda.amazonaws.com", "apigateway.amazonaws.com"):
        account = {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}
        assert trust["Condition"] == account


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_writes_its_own_log_and_no_other(name: str) -> None:
    (logs,) = (
        statement["Resource"]
        for statement in statements(role_of(name))
        if any(action.startswith("logs:") for action in statement["Action"])
    )
    assert logs == [{"Fn::GetAtt": [function(name)["LoggingConfig"]["LogGroup"]["Ref"], "Arn"]}]


def test_only_those_who_play_deadlines_moves_and_pauses_write_matches() -> None:
    writers = {
        name
        for name in FUNCTIONS
        for statement in statements(role_of(name))
        if {"Fn::GetAtt": ["MatchesTable", "Arn"]} in statement["Resource"]
        and "dynamodb:UpdateItem" in statement["Action"]
    }
    assert writers == {"api", "bots", "socket", "push", "deadline", "sweep"}


def role_of(name: str) -> Any:
    return function(name)["Role"]["Fn::GetAtt"][0]
