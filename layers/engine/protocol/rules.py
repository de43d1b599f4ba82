"""The rule sets, for programs."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from protocol.wire import Reply

Schema = Mapping[str, Any]
Options = Annotated[Mapping[str, Schema], "Each option as a JSON schema with its default"]


class SeatRange(Reply):
    """How many may play."""

    min: int
    max: int
    default: int


class RulesetSummary(Reply):
    """A rule set; its rule page is at /rules/{id}."""

    id: str
    title: str
    seats: SeatRange
    options: Options


class RulesetList(Reply):
    """The rule sets that can be played here."""

    rulesets: Sequence[RulesetSummary]


class ManifestAction(Reply):
    """Something that may be done in a phase; `fields` tells each field of the move."""

    by: Annotated[str, "A role, or everybody who may act"]
    action: str
    told: Annotated[str, "What somebody does who does it, as words behind a name"]
    quiet: Annotated[bool, "For those with nothing to say and nothing to choose"]
    fields: Mapping[str, Schema]


class ManifestPhase(Reply):
    """A phase. Played in turns, or by all together; `time` names the options that set it."""

    phase: str
    kind: Literal["turns", "together"]
    part: Annotated[Literal["introductions", "night", "talk", "vote"], "Which part of a day it is"]
    secret: Annotated[bool, "Whether its time is told to nobody but those on turn"]
    actions: Sequence[ManifestAction]
    time: Mapping[str, str | None]


class RulesetSchemas(Reply):
    """JSON schemas (draft 2020-12) of what differs from rule set to rule set."""

    visible_state: Annotated[Schema, "The visible state; tells which viewers have a field"]
    legal_actions: Annotated[Schema, "What a turn offers"]
    events: Annotated[Mapping[str, Schema], "The data of each type of event"]


class RulesetManifest(RulesetSummary):
    """A rule set for programs, made from what the engine runs."""

    roles: Sequence[str]
    phases: Sequence[ManifestPhase]
    any_move_may_carry: Mapping[str, Schema]
    illegal_moves: Literal["refused", "forfeit"]
    waits_for_absent_players: bool
    house_bots: Annotated[bool, "Whether house bots play it"]
    events: Annotated[Mapping[str, str], "Each type of event, and who may know of it meanwhile"]
    schemas: RulesetSchemas
