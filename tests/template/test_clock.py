"""The state machine of the clock, against what Step Functions and Lambda do."""

import json
from typing import Any

import pytest

from hosting.clock.deadlines import MAX_WAKES
from tests.template.platform import ROOT, resources

HISTORY_LIMIT = 25_000
EVENTS = {"Pass": 2, "Wait": 2, "Choice": 2, "Task": 5}
"""History events of entering and leaving a state; a task is scheduled, started, ended as well."""
EVENTS_OF_A_RETRY = 3

MACHINE: dict[str, Any] = json.loads((ROOT / "statemachines/clock.asl.json").read_text())
RING = MACHINE["States"]["Ring"]


def test_a_clock_that_rings_as_often_as_it_may_stays_within_its_history() -> None:
    a_wake = sum(
        EVENTS[MACHINE["States"][name]["Type"]] for name in ("Sleep", "Ring", "MoreToCome")
    )
    one_outage = EVENTS_OF_A_RETRY * max(retry["MaxAttempts"] for retry in RING["Retry"])
    assert a_wake * (MAX_WAKES + 1) + 2 * one_outage < HISTORY_LIMIT


@pytest.mark.parametrize(
    "error",
    [
        "Lambda.ServiceException",
        "Lambda.AWSLambdaException",
        "Lambda.SdkClientException",
        "Lambda.TooManyRequestsException",
        "Lambda.ClientExecutionTimeoutException",
        "States.Timeout",
        "States.TaskFailed",
    ],
)
def test_every_fault_is_tried_again_with_growing_pauses_and_jitter(error: str) -> None:
    retry = next(
        retry for retry in RING["Retry"] if {error, "States.ALL"} & set(retry["ErrorEquals"])
    )
    assert retry["BackoffRate"] > 1
    assert retry["JitterStrategy"] == "FULL"
    assert retry["MaxDelaySeconds"] <= 60
    assert retry["MaxAttempts"] >= 20


def test_what_the_function_is_given_is_what_the_execution_keeps() -> None:
    sample = json.loads((ROOT / "events/deadline/wake.json").read_text())
    given = {name.removesuffix(".$") for name in RING["Parameters"]["Payload"]}
    assert given == set(sample)


def test_every_placeholder_is_filled_in() -> None:
    text = (ROOT / "statemachines/clock.asl.json").read_text()
    (machine,) = resources("AWS::Serverless::StateMachine").values()
    placeholders = {part.partition("}")[0] for part in text.split("${")[1:]}
    assert placeholders == set(machine["DefinitionSubstitutions"])


def test_failed_clocks_raise_an_alarm() -> None:
    alarms = resources("AWS::CloudWatch::Alarm").values()
    watched = [alarm["Dimensions"][0]["Value"] for alarm in alarms if "Dimensions" in alarm]
    assert {"Ref": "Clock"} in watched
