"""The two APIs: routes, who may connect, throttling."""

import json
import re
from typing import Any

import pytest

from tests.template.platform import ROOT, resources, template

STAGES = resources("AWS::ApiGatewayV2::Stage")


def routes(api: str) -> dict[str, Any]:
    return {
        route["RouteKey"]: route
        for route in resources("AWS::ApiGatewayV2::Route").values()
        if route["ApiId"] == {"Ref": api}
    }


def test_each_sample_request_has_a_route_of_its_own() -> None:
    samples = [json.loads(path.read_text()) for path in ROOT.glob("events/api/*.json")]
    assert samples
    for sample in samples:
        method = sample["requestContext"]["http"]["method"]
        assert [key for key in routes("HttpApi") if covers(key, method, sample["rawPath"])]


def covers(route_key: str, method: str, path: str) -> bool:
    """Whether API Gateway takes this route for a request, $default aside."""
    wanted, _, pattern = route_key.partition(" ")
    expression = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(pattern))
    return wanted == method and re.fullmatch(expression, path) is not None


def test_everything_else_is_answered_by_the_same_function() -> None:
    targets = {str(route["Target"]) for route in routes("HttpApi").values()}
    assert "$default" in routes("HttpApi")
    assert len(targets) == 1


def test_a_throttled_route_is_a_route_and_made_before_the_stage() -> None:
    stage = template()["Resources"]["HttpStage"]
    named = {template()["Resources"][name]["Properties"]["RouteKey"] for name in stage["DependsOn"]}
    assert set(stage["Properties"]["RouteSettings"]) == named


def test_anybody_may_ask_to_connect_and_the_authorizer_decides() -> None:
    connect = routes("SocketApi")["$connect"]
    (authorizer,) = resources("AWS::ApiGatewayV2::Authorizer").values()
    assert connect["AuthorizationType"] == "CUSTOM"
    assert authorizer["AuthorizerType"] == "REQUEST"
    assert authorizer["IdentitySource"] == []


def test_a_socket_has_all_its_routes() -> None:
    assert set(routes("SocketApi")) == {"$connect", "$disconnect", "$default"}


@pytest.mark.parametrize("stage", sorted(STAGES))
def test_each_stage_is_throttled_and_logged_without_tokens(stage: str) -> None:
    settings = STAGES[stage]["DefaultRouteSettings"]
    assert settings["ThrottlingRateLimit"]
    assert settings["ThrottlingBurstLimit"]
    log_format = json.loads(STAGES[stage]["AccessLogSettings"]["Format"])
    used = " ".join(log_format.values())
    assert "$context.requestId" in used
    # A token comes in a header or in the query string: neither may be written.
    assert not [word for word in ("querystring", "header", "$context.requestPath?") if word in used]
