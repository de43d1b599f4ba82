"""What is at the address of a service."""

from collections.abc import Mapping
from typing import Annotated

from protocol.wire import Reply, Value


class ServiceIndex(Reply):
    """What is here."""

    service: Annotated[str, Value(example="Lanternwell")]
    socket: Annotated[
        str, "Address to which WebSockets are opened", Value(example="wss://play.example/play")
    ]
    links: Annotated[Mapping[str, str], "By name: paths behind the address of this answer"]
