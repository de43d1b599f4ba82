"""What a batch comes to: win rates with Wilson's 95 % intervals, forfeits and timeouts apart."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from lanternwell.arena.table import VOID, Record
from werewolf.roles import VILLAGERS, WEREWOLVES

Z_95: Final = 1.959963984540054


def wilson(wins: int, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval for the rate behind `wins` out of `games`; (0, 1) for none."""
    if games == 0:
        return 0.0, 1.0
    rate = wins / games
    spread = Z_95 * math.sqrt(rate * (1 - rate) / games + Z_95**2 / (4 * games**2))
    middle = rate + Z_95**2 / (2 * games)
    scale = 1 + Z_95**2 / games
    low, high = (middle - spread) / scale, (middle + spread) / scale
    return (low if wins else 0.0), (high if wins < games else 1.0)


@dataclass(slots=True)
class Tally:
    """Seats that were played. A seat wins when its score says so: a forfeited one never does."""

    games: int = 0
    wins: int = 0
    forfeits: int = 0
    left: int = 0
    timeouts: int = 0
    errors: int = 0

    def add(self, seat: dict[str, Any]) -> None:
        """Count a seat of a record."""
        self.games += 1
        self.wins += seat["score"] > 0
        self.forfeits += seat["forfeit"]
        self.left += seat["left"]
        self.timeouts += seat["timeouts"]
        self.errors += seat["errors"]

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready, with the win rate and its interval."""
        low, high = wilson(self.wins, self.games)
        return {
            "games": self.games,
            "wins": self.wins,
            "win_rate": round(self.wins / self.games, 4) if self.games else None,
            "interval_95": [round(low, 4), round(high, 4)],
            "forfeits": self.forfeits,
            "left": self.left,
            "timeouts": self.timeouts,
            "errors": self.errors,
        }


@dataclass(slots=True)
class _Agent:
    overall: Tally = field(default_factory=Tally)
    by_side: dict[str, Tally] = field(default_factory=dict)
    by_role: dict[str, Tally] = field(default_factory=dict)

    def add(self, seat: dict[str, Any]) -> None:
        self.overall.add(seat)
        self.by_side.setdefault(seat["team"], Tally()).add(seat)
        self.by_role.setdefault(seat["role"], Tally()).add(seat)

    def as_dict(self) -> dict[str, Any]:
        return {
            **self.overall.as_dict(),
            "by_side": {side: self.by_side[side].as_dict() for side in sorted(self.by_side)},
            "by_role": {role: self.by_role[role].as_dict() for role in sorted(self.by_role)},
        }


def summarise_teams(records: Iterable[Record]) -> dict[str, Any]:
    """The summary of matches between whole teams, JSON-ready: how often each one's pack wins
    against each one's village. Every match counts once, so the intervals are true."""
    packs: dict[tuple[str, str], list[bool]] = {}
    for record in records:
        if record["winner"] == VOID:
            continue
        agents = {seat["team"]: seat["agent"] for seat in record["seats"]}
        pair = agents[WEREWOLVES], agents[VILLAGERS]
        packs.setdefault(pair, []).append(record["winner"] == WEREWOLVES)
    return {
        "matches": sum(map(len, packs.values())),
        "teams": [
            {
                "pack": pack,
                "village": village,
                "matches": len(won),
                "pack_wins": sum(won),
                "rate": round(sum(won) / len(won), 4),
                "interval_95": [round(bound, 4) for bound in wilson(sum(won), len(won))],
            }
            for (pack, village), won in packs.items()
        ],
    }


def summarise(records: Iterable[Record], agents: Sequence[str]) -> dict[str, Any]:
    """The summary of a batch, JSON-ready: each side's wins by match, each agent's by seat. Void
    matches stand among the winners, and count for no agent."""
    figures = {name: _Agent() for name in agents}
    winners: dict[str, int] = {}
    matches = 0
    for record in records:
        matches += 1
        winners[record["winner"]] = winners.get(record["winner"], 0) + 1
        for seat in record["seats"] if record["winner"] != VOID else ():
            figures[seat["agent"]].add(seat)
    return {
        "matches": matches,
        "winners": {
            winner: {
                "matches": count,
                "rate": round(count / matches, 4),
                "interval_95": [round(bound, 4) for bound in wilson(count, matches)],
            }
            for winner, count in sorted(winners.items())
        },
        "agents": {name: agent.as_dict() for name, agent in figures.items()},
    }
