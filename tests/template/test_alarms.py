"""What is told of, and where it is explained."""

import pytest

from tests.template.platform import ROOT, resources

ALARMS = resources("AWS::CloudWatch::Alarm")


@pytest.mark.parametrize("name", ALARMS)
def test_an_alarm_tells_when_it_starts_and_when_it_ends(name: str) -> None:
    topic = [{"Ref": "AlarmTopic"}]
    assert (ALARMS[name]["AlarmActions"], ALARMS[name]["OKActions"]) == (topic, topic)
    assert ALARMS[name]["TreatMissingData"] == "notBreaching"


@pytest.mark.parametrize("name", ALARMS)
def test_the_operator_is_told_what_to_do(name: str) -> None:
    text = (ROOT / "docs/operations.md").read_text()
    kinds = ("ErrorsAlarm", "ReadThrottlesAlarm", "WriteThrottlesAlarm")
    kind = next((f">{kind}`" for kind in kinds if name.endswith(kind)), f"`{name}`")
    assert kind in text


def test_what_is_held_back_is_told() -> None:
    held_back = {
        (alarm["MetricName"], str(alarm.get("Dimensions", [{}])[0].get("Value")))
        for alarm in ALARMS.values()
        if "Throttle" in alarm["MetricName"]
    }
    tables = [str({"Ref": name}) for name in resources("AWS::DynamoDB::Table")]
    kinds = ("ReadThrottleEvents", "WriteThrottleEvents")
    assert held_back == {("Throttles", "None")} | {(k, table) for k in kinds for table in tables}
