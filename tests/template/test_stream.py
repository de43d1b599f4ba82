"""The stream's two readers: which records reach them, and what happens to those that fail."""

import json
from typing import Any

import pytest
from moto.events.models import EventPattern

from tests.template.platform import ROOT, function, resources, template

READERS = ["follow", "push"]


def test_the_stream_has_two_readers() -> None:
    reading = [
        name
        for name, properties in resources("AWS::Serverless::Function").items()
        if any(event["Type"] == "DynamoDB" for event in properties.get("Events", {}).values())
    ]
    assert sorted(reading) == ["FollowFunction", "PushFunction"]
    assert not resources("AWS::Lambda::EventSourceMapping")


@pytest.mark.parametrize("name", READERS)
def test_the_sample_records_pass(name: str) -> None:
    batch = json.loads((ROOT / "events" / name / "batch.json").read_text())
    assert batch["Records"]
    assert all(reaches(name, record) for record in batch["Records"])


def test_only_log_entries_reach_a_reader() -> None:
    for sort_key in ("STATE", "TABLE", "CONN#abc"):
        entry = record(sort_key, effects={"SS": ["clock"]})
        assert not reaches("push", entry)
        assert not reaches("follow", entry)


def test_follow_is_called_only_where_something_follows() -> None:
    quiet, loud = record("LOG#00000007"), record("LOG#00000007", effects={"SS": ["clock"]})
    assert reaches("push", quiet)
    assert reaches("push", loud)
    assert not reaches("follow", quiet)
    assert reaches("follow", loud)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("event_name", ["MODIFY", "REMOVE"])
def test_history_that_is_changed_or_removed_is_no_news(name: str, event_name: str) -> None:
    entry = record("LOG#00000007", effects={"SS": ["clock"]})
    assert not reaches(name, {**entry, "eventName": event_name})


@pytest.mark.parametrize("name", READERS)
def test_a_record_that_fails_is_tried_again_alone_and_kept_in_the_end(name: str) -> None:
    mapping = mapping_of(name)
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert mapping["BisectBatchOnFunctionError"] is True
    assert 0 < mapping["MaximumRetryAttempts"] <= 1000
    assert 60 <= mapping["MaximumRecordAgeInSeconds"] <= 86_400  # the stream forgets after a day
    queue = mapping["DestinationConfig"]["OnFailure"]["Destination"]["Fn::GetAtt"][0]
    assert queue in resources("AWS::SQS::Queue")
    watched = [
        alarm["Dimensions"][0]["Value"]
        for alarm in resources("AWS::CloudWatch::Alarm").values()
        if "Dimensions" in alarm
    ]
    assert {"Fn::GetAtt": [queue, "QueueName"]} in watched


@pytest.mark.parametrize("name", READERS)
def test_a_reader_starts_with_the_first_record(name: str) -> None:
    assert mapping_of(name)["StartingPosition"] == "TRIM_HORIZON"
    table = resources("AWS::DynamoDB::Table")["MatchesTable"]
    assert table["StreamSpecification"]["StreamViewType"] == "NEW_IMAGE"


def test_every_table_is_encrypted_and_all_that_lasts_can_be_restored() -> None:
    tables = template()["Resources"]
    for name in resources("AWS::DynamoDB::Table"):
        table = tables[name]
        assert table["Properties"]["SSESpecification"]["SSEEnabled"] is True
        lasts = name != "ConnectionsTable"
        recovery = table["Properties"].get("PointInTimeRecoverySpecification", {})
        assert recovery.get("PointInTimeRecoveryEnabled", False) is lasts
        assert (table["DeletionPolicy"] == "Retain") is lasts
        assert (table["UpdateReplacePolicy"] == "Retain") is lasts


def mapping_of(name: str) -> Any:
    (event,) = (e for e in function(name)["Events"].values() if e["Type"] == "DynamoDB")
    return event["Properties"]


def reaches(name: str, entry: dict[str, Any]) -> bool:
    """Whether a stream record gets through the reader's filter."""
    return any(
        EventPattern.load(pattern["Pattern"]).matches_event(entry)  # type: ignore[arg-type]
        for pattern in mapping_of(name)["FilterCriteria"]["Filters"]
    )


def record(sort_key: str, **attributes: Any) -> dict[str, Any]:
    keys = {"PK": {"S": "MATCH#abc"}, "SK": {"S": sort_key}}
    return {
        "eventName": "INSERT",
        "eventSource": "aws:dynamodb",
        "dynamodb": {"Keys": keys, "NewImage": {**keys, **attributes}},
    }
