"""A page of another origin may call the service: its browser asks first, and is answered."""

from typing import Any

import httpx

ORIGIN = "http://localhost:5173"


def test_a_preflight_is_answered(both: Any) -> None:
    asked = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type",
    }
    answer = httpx.options(f"{both.http_url}/matches", headers=asked)
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "*"
    assert {"GET", "POST", "DELETE"} <= set(
        answer.headers["access-control-allow-methods"].split(",")
    )
    allowed = set(answer.headers["access-control-allow-headers"].split(","))
    assert {"authorization", "content-type"} <= allowed


def test_what_follows_may_be_read(both: Any) -> None:
    answer = httpx.get(f"{both.http_url}/matches", headers={"Origin": ORIGIN})
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "retry-after" in answer.headers["access-control-expose-headers"]
