"""One request on its way: what is sent, how the answer is read, and when it is sent again.

Nothing here does I/O or waits, so clients that do so in different ways share all of it.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import httpx

from lanternwell.backoff import Backoff
from lanternwell.calls import Call
from lanternwell.clock import ServiceClock
from lanternwell.errors import BadAnswer, Refused, Unreachable
from lanternwell.model import EventPage, State

T = TypeVar("T")

REMEMBERED: Final = 64
"""How many tagged answers a client keeps, one for each path."""

FILE_BYTES: Final = 256 * 1024 * 1024
"""How long a file may be that comes in pieces."""


@dataclass(frozen=True, slots=True)
class Told:
    """An answer with its ETag, and to which question it was the answer."""

    asked: tuple[object, ...]
    etag: str
    value: Any


class Session:
    """What every kind of client is: an address, a token, patience, and what it was last told.

    `http_url` and `ws_url` are the service's two addresses; `clock` follows the service's;
    `poll_after_s` is how long the service last asked to wait before polling again; `monotonic`
    counts seconds.
    """

    def __init__(
        self,
        http: str,
        *,
        ws: str | None,
        token: str | None,
        timeout_s: float,
        tries: int,
        patience_s: float,
        backoff: Backoff | None,
        monotonic: Callable[[], float],
    ) -> None:
        self.http_url = http.rstrip("/")
        self.ws_url = ws
        self.token = token
        self.monotonic = monotonic
        self.clock = ServiceClock(monotonic)
        self.backoff = backoff or Backoff()
        self.timeout_s = timeout_s
        self.tries = tries
        self.patience_s = patience_s
        self.poll_after_s: float | None = None
        self._told: OrderedDict[str, Told] = OrderedDict()

    @property
    def authorization(self) -> dict[str, str]:
        """The header that tells who is calling."""
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    def told(self, call: Call[Any]) -> Told | None:
        """The last answer to the very same question, if it had an ETag."""
        told = self._told.get(call.path)
        return told if told is not None and told.asked == self._asked(call) else None

    def remember(self, call: Call[Any], etag: str, value: object) -> None:
        """Keep an answer, so that an unchanged one need not come again."""
        self._told[call.path] = Told(self._asked(call), etag, value)
        self._told.move_to_end(call.path)
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)

    def _asked(self, call: Call[Any]) -> tuple[object, ...]:
        return self.token, *sorted(call.query.items())


class Pieces:
    """A file that comes in pieces, counted from 1. Raises `BadAnswer` when it never ends."""

    def __init__(self, path: str) -> None:
        self.complete = False
        self._path = path
        self._room = FILE_BYTES
        self._pieces: list[bytes] = []

    @property
    def next(self) -> int:
        """The number of the next piece."""
        return len(self._pieces) + 1

    def add(self, content: bytes, more: bool) -> None:
        """The next piece, and whether another one follows."""
        self._room -= len(content)
        if self._room < 0 or (more and not content):
            raise BadAnswer(f"GET {self._path}: a file without end")
        self._pieces.append(content)
        self.complete = not more

    def joined(self) -> bytes:
        """The whole file."""
        return b"".join(self._pieces)


class Exchange(Generic[T]):
    """A call being carried out: `request`, then `take` its answer, or `pause` and once more.

    With `within_s` no new try begins after so many seconds.
    """

    def __init__(self, session: Session, call: Call[T], within_s: float | None = None) -> None:
        self._session = session
        self._call = call
        self._sent_s = session.monotonic()
        self._end = None if within_s is None else self._sent_s + within_s
        self._failures = 0

    def request(self) -> dict[str, Any]:
        """The next try, as arguments of httpx's `request`."""
        call, session = self._call, self._session
        timeout_s = session.timeout_s
        self._sent_s = session.monotonic()
        if self._end is not None:  # leave time for a second try before the deadline
            timeout_s = min(timeout_s, max(0.5, (self._end - self._sent_s) / 2))
        told = session.told(call) if call.tagged else None
        return {
            "method": call.method,
            "url": session.http_url + call.path,
            "params": dict(call.query) or None,
            "json": call.body,
            "headers": session.authorization | ({"If-None-Match": told.etag} if told else {}),
            "timeout": timeout_s,
        }

    def take(self, response: httpx.Response) -> T:
        """What the answer says. Raises `Refused` and `BadAnswer`."""
        call, session = self._call, self._session
        if response.status_code >= 400:
            raise _refusal(response)
        if call.tagged:
            session.poll_after_s = _seconds(response.headers.get("Retry-After"))
        if response.status_code == 304:
            told = session.told(call)
            if told is None:
                raise BadAnswer(f"{call.method} {call.path}: nothing was known of it before")
            known: T = told.value
            return known
        try:
            value = call.read(_content(call, response))
        except (KeyError, TypeError, ValueError) as error:
            raise BadAnswer(f"{call.method} {call.path}: unexpected answer ({error!r})") from error
        if isinstance(value, State | EventPage):
            session.clock.hear(value.server_now, sent_s=self._sent_s)
        if call.tagged and (etag := response.headers.get("ETag")):
            session.remember(call, etag, value)
        return value

    def pause(self, error: httpx.RequestError | Refused) -> float:
        """How many seconds to wait before the next try. Raises when there is to be none."""
        call, session = self._call, self._session
        trouble: Refused | Unreachable
        asked = None
        if isinstance(error, Refused):
            trouble, asked = error, error.retry_after_s
            nothing_done = error.status == 429
            may_repeat = error.reaction == "retry" and (call.repeatable or nothing_done)
        else:
            where = f"{call.method} {session.http_url}{call.path}"
            trouble = Unreachable(f"{where}: {str(error) or type(error).__name__}")
            never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
            may_repeat = call.repeatable or never_sent
        self._failures += 1
        pause = session.backoff.pause(self._failures)
        if asked is not None:
            may_repeat = may_repeat and asked <= session.patience_s
            pause += asked
        in_time = self._end is None or session.monotonic() + pause < self._end
        if not may_repeat or self._failures >= session.tries or not in_time:
            raise trouble from error
        return pause


def _content(call: Call[T], response: httpx.Response) -> Any:
    if call.piece:
        return response.content, "next" in response.links
    return response.content if call.raw else response.json()


def _refusal(response: httpx.Response) -> Refused:
    try:
        problem = response.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        problem = {}
    return Refused(
        response.status_code,
        str(problem.get("code") or f"http_{response.status_code}"),
        str(problem.get("detail") or problem.get("title") or ""),
        field=problem.get("field"),
        legal_actions=problem.get("legal_actions") or (),
        retry_after_s=_seconds(response.headers.get("Retry-After")),
    )


def _seconds(text: str | None) -> float | None:
    try:
        return None if text is None else max(0.0, float(text))
    except ValueError:
        return None
