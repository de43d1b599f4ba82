"""The replay of a finished match, and whether it is true.

A replay holds the inputs of a match (rule set, options, players, seed, entropies, moves with their
times) and what is said to have followed from them (commitment, mixed seed, seating, events, winner,
ranking). `first_difference` plays the inputs again and compares.

A replay is a file in canonical form: one JSON object, keys sorted, no white space, UTF-8 without
escapes for what JSON need not escape. Its `digest` is the SHA-256 of the canonical form of all the
rest. So no byte of it can be changed unnoticed.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import zip_longest
from typing import Any, Final, Literal, NamedTuple, TypeVar

from werewolf.dice import commitment, is_seed, mix_seed, seating
from werewolf.errors import WerewolfError
from werewolf.events import Event
from werewolf.inputs import Input, Setup, apply, as_played, start_move
from werewolf.match import Match, Transition

Format = Literal["lanternwell-replay-1"]
FORMAT: Final[Format] = "lanternwell-replay-1"

T = TypeVar("T")

_MISSING: Final = object()


class Difference(NamedTuple):
    """Where a replay departs from what its inputs lead to.

    `true` is None for what cannot be played; then `told` says why.
    """

    where: str
    told: str
    true: str | None

    def __str__(self) -> str:
        if self.true is None:
            return f"{self.where} cannot be played: {self.told}"
        return f"{self.where} is {self.told}, and should be {self.true}"


class Unreadable(WerewolfError):
    """This is no replay: no JSON, or of another form; says why."""


class _Unplayable(Exception):
    """The inputs cannot be played again; `where` is the first that cannot."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(reason)
        self.where = where


def canonical(document: object) -> str:
    """The one way to write a replay: the same values, the same bytes."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of(document: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical form of everything but the digest, as 64 hex digits."""
    rest = {name: value for name, value in document.items() if name != "digest"}
    return hashlib.sha256(canonical(rest).encode("utf-8", "surrogatepass")).hexdigest()


def first_difference(text: bytes) -> Difference | None:
    """The first place where a replay is not true; None when every byte of it is.

    What is checked first is the deal: the commitment, the entropies, the mixed seed, the seating.
    Never raises for what it is given: what cannot be read or played is a difference too.
    """
    try:
        document = read(text)
        dealt = _dealt(document)
        told = {name: document.get(name, _MISSING) for name in dealt}
        if (found := _compare("", told, dealt)) is not None:
            return found
        true = _rebuilt(document, dealt)
        return _compare("", document, true) or _compare_bytes(text, canonical(true).encode())
    except _Unplayable as error:
        return Difference(error.where, str(error), None)
    except Unreadable as error:
        return Difference("file", str(error), "a replay")
    except (ValueError, RecursionError) as error:
        return Difference("file", str(error), "JSON in UTF-8")


def read(text: bytes) -> dict[str, Any]:
    """The replay in a file, true or not. Raises `Unreadable`."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"no JSON in UTF-8 ({error})") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Unreadable(f"no JSON object whose `format` is {FORMAT}")
    return document


class Step(NamedTuple):
    """One input of a match, as it has to be written, and what the engine makes of it."""

    told: dict[str, Any]
    transition: Transition


def steps(document: Mapping[str, Any]) -> Iterator[Step]:
    """Play the inputs of a replay, one after another."""
    setup = Setup(
        document["ruleset"],
        [player["name"] for player in document["players"]],
        mix_seed(document["seed"], document["entropies"]),
        document["options"],
    )
    first = Input("start", document["started_at"])
    position: Match | Setup = setup
    for number, told in enumerate(document["moves"]):
        where = f"moves[{number}]"
        step = _play(where, partial(_step, position, told, first))
        if step.transition.match == position:
            raise _Unplayable(where, "it changes nothing")
        yield step
        position = step.transition.match


def _step(position: Match | Setup, told: Mapping[str, Any], first: Input) -> Step:
    """The input as it has to be written, and what it makes: what the rest of it does not decide is
    left as told. `first` is what the rest of a replay decides of its first input."""
    given = Input(told["by"], told["at"], told["seat"], told["move"])
    if isinstance(position, Setup):
        given = first._replace(move=told["move"])
    if type(given.at) is not int:
        raise TypeError("at must be a whole number of milliseconds")
    if type(given.seat) not in (int, type(None)):
        raise TypeError("seat must be a whole number or null")
    transition = apply(position, given)
    if isinstance(position, Setup):
        given = given._replace(move=start_move(transition.match.revision))
    return Step(as_played(position, given)._asdict(), transition)


def _play(where: str, play: Callable[[], T]) -> T:
    try:
        return play()
    except (WerewolfError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise _Unplayable(where, str(error)) from error


def _dealt(document: Mapping[str, Any]) -> dict[str, Any]:
    """What follows from the seed and the entropies alone, before anything is played."""
    if not is_seed(document.get("seed")):
        raise _Unplayable("seed", "must be 64 lower-case hex digits")
    try:
        entropies = [str(entropy) for entropy in document["entropies"]]
        mixed = mix_seed(document["seed"], entropies)
        places = seating(mixed, len(document["players"]))
        return {
            "commitment": commitment(document["seed"]),
            "entropies": entropies,
            "mixed_seed": mixed,
            "seating": list(places),
            "players": [
                {
                    "seat": seat,
                    "agent_id": str(document["players"][seat]["agent_id"]),
                    "name": str(document["players"][seat]["name"]),
                    "entropy": entropies[place] or None,
                }
                for seat, place in enumerate(places)
            ],
        }
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise _Unplayable("file", f"{type(error).__name__}: {error}") from error


def _rebuilt(document: Mapping[str, Any], dealt: Mapping[str, Any]) -> dict[str, Any]:
    """The replay as it has to be, given its inputs and what was dealt from them."""
    if type(document.get("started_at")) is not int:
        raise _Unplayable("started_at", "must be a whole number of milliseconds")
    moves: list[dict[str, Any]] = []
    events: list[tuple[int, Event]] = []
    match: Match | None = None
    try:
        for told, transition in steps(document):
            match = transition.match
            moves.append(told)
            events.extend((told["at"], event) for event in transition.events)
        if match is None or not match.over:
            raise _Unplayable("moves", "the match does not come to its end")
        true = {
            "format": FORMAT,
            "match_id": str(document["match_id"]),
            "ruleset": match.ruleset,
            "options": dict(match.options),
            **dealt,
            "seed": document["seed"],
            "started_at": document["started_at"],
            "moves": moves,
            "events": [_event(number, at, event) for number, (at, event) in enumerate(events, 1)],
            "winner": match.winner,
            "ranking": match.ranking,
        }
        return true | {"digest": digest_of(true)}
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise _Unplayable("file", f"{type(error).__name__}: {error}") from error


def _event(number: int, at: int, event: Event) -> dict[str, Any]:
    kind, data, audience = event.to_json_value()
    return {
        "seq": number,
        "at": at,
        "type": kind,
        "data": json.loads(json.dumps(data)),
        "audience": audience if isinstance(audience, str) else list(audience),
    }


def _compare(where: str, told: Any, true: Any) -> Difference | None:
    if isinstance(told, dict) and isinstance(true, dict):
        pairs = [
            (f"{where}.{name}".lstrip("."), told.get(name, _MISSING), true.get(name, _MISSING))
            for name in sorted({*told, *true}, key=_outputs_in_order)
        ]
    elif isinstance(told, list) and isinstance(true, list):
        pairs = [
            (f"{where}[{index}]", left, right)
            for index, (left, right) in enumerate(zip_longest(told, true, fillvalue=_MISSING))
        ]
    else:
        same = type(told) is type(true) and told == true
        return None if same else Difference(where, _short(told), _short(true))
    return next((found for pair in pairs if (found := _compare(*pair))), None)


_ORDER: Final = (
    "commitment",
    "entropies",
    "mixed_seed",
    "seating",
    "players",
    "options",
    "events",
    "winner",
    "ranking",
)


def _outputs_in_order(name: str) -> tuple[int, str]:
    """In the order in which one follows from the other; the digest follows from all."""
    if name == "digest":
        return len(_ORDER) + 1, name
    return (_ORDER.index(name) if name in _ORDER else len(_ORDER)), name


def _compare_bytes(told: bytes, true: bytes) -> Difference | None:
    for offset, (left, right) in enumerate(zip_longest(told, true)):
        if left != right:
            window = slice(max(0, offset - 20), offset + 20)
            return Difference(f"byte {offset}", repr(told[window]), repr(true[window]))
    return None


def _short(value: Any) -> str:
    if value is _MISSING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:200] + "…"
