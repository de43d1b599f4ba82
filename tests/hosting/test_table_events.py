"""Each event of a table has one constructor, which makes what is declared."""

from collections.abc import Iterator

from hosting.model import Player, Sheet
from hosting.tables import events as made
from werewolf import Event
from werewolf.audiences import ALL
from werewolf.shapes import fault

PLAYER = Player("g7ndq2m5xk4tw3za", "Ada", 2)
SHEET = Sheet("Mr Fox", "watcher", "", "Sly.", {})


def events() -> Iterator[Event]:
    yield made.seat_taken(PLAYER)
    yield made.seat_freed(PLAYER)
    yield made.table_closed()
    yield made.character_shown(3, SHEET)
    yield made.strategy_private(3, "Listen first.")


def test_every_event_is_made_as_declared() -> None:
    found = [*events()]
    assert [event.type for event in found] == [*made.TABLE_EVENTS]
    for event in found:
        declared = made.TABLE_EVENTS[event.type]
        assert fault(event.data, declared.schema({})) is None
        assert event.audience == ("everyone" if declared.recipients == ALL else (3,))
