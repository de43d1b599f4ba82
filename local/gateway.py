"""API Gateway on one machine: an ASGI app that turns HTTP and WebSockets into its events.

HTTP requests become events of an HTTP API (payload 2.0) for the function `api`. A WebSocket is let
in by the function `authorizer`, and its opening, messages and closing become events for `socket`.
"""

import asyncio
import base64
import json
import logging
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final
from urllib.parse import parse_qsl, unquote

from hosting.adapters.local_sockets import LocalSockets
from hosting.ports import Gone
from local.functions import Functions

STAGE: Final = "play"
"""The stage of the WebSocket API: the path to which sockets are opened."""

MAX_BODY_BYTES: Final = 10 * 1024 * 1024
CORS: Final = {
    "AllowOrigins": ["*"],
    "AllowMethods": ["GET", "POST", "PUT", "DELETE"],
    "AllowHeaders": ["authorization", "content-type", "if-none-match"],
    "ExposeHeaders": ["etag", "link", "retry-after"],
    "MaxAge": 3600,
}
"""As in template.yaml."""

_TEXT: Final = ("text/", "application/json", "application/xml", "application/javascript")
"""Bodies of these types reach a function as text, all others as base64."""

_BACKLOG_BYTES: Final = 8 * 1024 * 1024
"""How much may wait for a client that reads slowly."""

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

_log = logging.getLogger(__name__)


class Gateway:
    """The ASGI app."""

    def __init__(self, functions: Functions, sockets: LocalSockets) -> None:
        self._functions = functions
        self._sockets = sockets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or one WebSocket."""
        if scope["type"] == "http":
            await self._serve_http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._serve_socket(scope, receive, send)

    # ---- HTTP ----------------------------------------------------------------------------------

    async def _serve_http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            status, headers, body = await self._answer(scope, receive)
        except ConnectionError:  # the client went away before it had asked
            return
        start = {"type": "http.response.start", "status": status, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: Scope, receive: Receive) -> tuple[int, Headers, bytes]:
        asked = _headers(scope)
        cors = _cors_headers(asked)
        if scope["method"] == "OPTIONS" and cors and "access-control-request-method" in asked:
            return 204, cors + _preflight_headers(), b""
        body = await _body(receive)
        if body is None:
            return _said(413, "Request Entity Too Large", cors)
        try:
            answer = await self._call("api", _http_event(scope, asked, body))
            status = int(answer["statusCode"])
            content = answer.get("body") or ""
            raw = base64.b64decode(content) if answer.get("isBase64Encoded") else content.encode()
            told = {"content-type": "application/json"} | {
                name.lower(): str(value) for name, value in answer["headers"].items()
            }
        except Exception:  # noqa: BLE001 - whatever went wrong, the gateway answers
            _log.exception("the function api failed")
            return _said(500, "Internal Server Error", cors)
        headers = [(name.encode(), value.encode("latin-1")) for name, value in told.items()]
        if status not in (204, 304):
            headers.append((b"content-length", str(len(raw)).encode()))
        return status, headers + cors, raw

    # ---- WebSockets ----------------------------------------------------------------------------

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        connection_id = secrets.token_urlsafe(11) + "="
        context = _socket_context(scope, connection_id)
        status, authorizer = await self._let_in(scope, context)
        if status != 200:
            await _refuse(send, status)
            return
        context["authorizer"] = authorizer
        channel = _Channel()
        self._sockets.opened(connection_id, channel)
        try:
            await send({"type": "websocket.accept"})
            await self._converse(context, channel, receive, send)
        finally:
            self._sockets.closed(connection_id)
            await asyncio.shield(self._tell(_event(context, "DISCONNECT", "$disconnect")))

    async def _let_in(self, scope: Scope, context: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """The status of the handshake, and what the authorizer tells of who opens the socket."""
        if scope["path"].rstrip("/") != f"/{STAGE}":
            return 403, {}
        request = _event(context, "CONNECT", "$connect") | {
            "type": "REQUEST",
            "methodArn": f"arn:aws:execute-api:local:000000000000:local/{STAGE}/$connect",
            "headers": _headers(scope),
            "queryStringParameters": dict(_query(scope)),
        }
        try:
            policy = await self._call("authorizer", request)
            if policy["policyDocument"]["Statement"][0]["Effect"] != "Allow":
                return 403, {}
            authorizer = {"principalId": policy["principalId"], **policy["context"]}
            request["requestContext"]["authorizer"] = authorizer
            answer = await self._call("socket", request)
        except Exception:  # noqa: BLE001 - whatever went wrong, the gateway answers
            _log.exception("a socket could not be opened")
            return 500, {}
        return int(answer["statusCode"]), authorizer

    async def _converse(
        self, context: dict[str, Any], channel: "_Channel", receive: Receive, send: Send
    ) -> None:
        """Hand on what comes and send what is posted, until either side closes the socket."""
        reading = asyncio.create_task(self._read(context, receive))
        writing = asyncio.create_task(channel.write(send))
        try:
            await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reading, writing):
                task.cancel()
            await asyncio.gather(reading, writing, return_exceptions=True)

    async def _read(self, context: dict[str, Any], receive: Receive) -> None:
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            body, is_base64 = message.get("text"), False
            if body is None:
                body, is_base64 = base64.b64encode(message["bytes"]).decode(), True
            event = _event(context, "MESSAGE", "$default")
            event["requestContext"]["messageId"] = event["requestContext"]["requestId"]
            await self._tell(event | {"body": body, "isBase64Encoded": is_base64})

    async def _tell(self, event: Mapping[str, Any]) -> None:
        try:
            await self._call("socket", event)
        except Exception:  # noqa: BLE001 - the socket goes on; nobody waits for an answer
            _log.exception("the function socket failed")

    async def _call(self, name: str, event: Mapping[str, Any]) -> Any:
        return await asyncio.wrap_future(self._functions.submit(name, event))


class _Channel:
    """One open socket: what is posted from any thread is sent in order from the event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._waiting = 0
        self._lock = threading.Lock()

    def send(self, frame: bytes) -> None:
        """Send a frame, or close the socket when too much waits already."""
        with self._lock:
            self._waiting += len(frame)
        if self._waiting > _BACKLOG_BYTES:
            self.close()
            raise Gone("too slow")
        self._put(frame)

    def close(self) -> None:
        """Close the socket after what was sent before."""
        self._put(None)

    async def write(self, send: Send) -> None:
        """Send what is posted until the socket is closed from here."""
        while (frame := await self._frames.get()) is not None:
            await send({"type": "websocket.send", "text": frame.decode()})
            with self._lock:
                self._waiting -= len(frame)
        await send({"type": "websocket.close", "code": 1000})

    def _put(self, frame: bytes | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._frames.put_nowait, frame)
        except RuntimeError:  # the loop is closed: so is the socket
            raise Gone("closed") from None


def _headers(scope: Scope) -> dict[str, str]:
    """The headers by lower-case name; several of one name are joined."""
    found: dict[str, str] = {}
    for raw_name, raw in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw.decode("latin-1")
        found[name] = f"{found[name]},{value}" if name in found else value
    return found


def _query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)


async def _body(receive: Receive) -> bytes | None:
    """The body of a request; None when it is too large. Raises `ConnectionError`."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError
        body += message.get("body", b"")
        if len(body) > MAX_BODY_BYTES:
            return None
        if not message.get("more_body"):
            return bytes(body)


def _http_event(scope: Scope, headers: dict[str, str], body: bytes) -> dict[str, Any]:
    # Of the escapes in a path, an HTTP API leaves %25 alone.
    raw_path = scope.get("raw_path") or scope["path"].encode()
    path = unquote(raw_path.decode("latin-1").replace("%25", "%2525"))
    is_text = headers.get("content-type", "").lower().startswith(_TEXT)
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": scope["query_string"].decode("latin-1"),
        "headers": headers,
        "requestContext": {
            "accountId": "000000000000",
            "apiId": "local",
            "domainName": headers.get("host", ""),
            "domainPrefix": "local",
            "http": {
                "method": scope["method"],
                "path": path,
                "protocol": f"HTTP/{scope['http_version']}",
                "sourceIp": _source(scope),
                "userAgent": headers.get("user-agent", ""),
            },
            "requestId": secrets.token_urlsafe(11) + "=",
            "routeKey": "$default",
            "stage": "$default",
            **_now(),
        },
        "isBase64Encoded": bool(body) and not is_text,
    }
    query: dict[str, str] = {}
    for name, value in _query(scope):
        query[name] = f"{query[name]},{value}" if name in query else value
    if query:
        event["queryStringParameters"] = query
    if body:
        text = body.decode("utf-8", "replace") if is_text else base64.b64encode(body).decode()
        event["body"] = text
    return event


def _now() -> dict[str, Any]:
    now = time.time()
    text = time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now))
    return {"time": text, "timeEpoch": int(now * 1000)}


def _source(scope: Scope) -> str:
    return str(scope["client"][0]) if scope.get("client") else ""


def _socket_context(scope: Scope, connection_id: str) -> dict[str, Any]:
    headers = _headers(scope)
    return {
        "stage": STAGE,
        "connectedAt": int(time.time() * 1000),
        "identity": {"userAgent": headers.get("user-agent", ""), "sourceIp": _source(scope)},
        "domainName": headers.get("host", ""),
        "connectionId": connection_id,
        "apiId": "local",
    }


def _event(context: Mapping[str, Any], kind: str, route: str) -> dict[str, Any]:
    """An event of a socket, without a body."""
    request_id, now = secrets.token_urlsafe(11) + "=", _now()
    return {
        "requestContext": {
            **context,
            "eventType": kind,
            "routeKey": route,
            "requestId": request_id,
            "extendedRequestId": request_id,
            "requestTime": now["time"],
            "requestTimeEpoch": now["timeEpoch"],
        },
        "isBase64Encoded": False,
    }


def _cors_headers(asked: Mapping[str, str]) -> Headers:
    """What every answer to a page of another origin carries."""
    if "origin" not in asked:
        return []
    return _pairs(
        {
            "access-control-allow-origin": CORS["AllowOrigins"],
            "access-control-expose-headers": CORS["ExposeHeaders"],
        }
    )


def _preflight_headers() -> Headers:
    return _pairs(
        {
            "access-control-allow-methods": CORS["AllowMethods"],
            "access-control-allow-headers": CORS["AllowHeaders"],
            "access-control-max-age": [CORS["MaxAge"]],
        }
    )


def _pairs(headers: Mapping[str, Any]) -> Headers:
    return [
        (name.encode(), ",".join(map(str, values)).encode()) for name, values in headers.items()
    ]


def _said(status: int, message: str, cors: Headers) -> tuple[int, Headers, bytes]:
    """What the gateway answers by itself."""
    body = json.dumps({"message": message}).encode()
    length = (b"content-length", str(len(body)).encode())
    return status, [(b"content-type", b"application/json"), length, *cors], body


async def _refuse(send: Send, status: int) -> None:
    """A handshake that is not accepted."""
    _, headers, body = _said(status, "Forbidden" if status == 403 else "Internal Server Error", [])
    start = {"type": "websocket.http.response.start", "status": status, "headers": headers}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": body})
