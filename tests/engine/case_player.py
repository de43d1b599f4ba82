"""Plays a rule case: one match with a fixed deal, told in steps, through the engine's public face.

A case is JSON: `name`, `ruleset`, `roles`, perhaps `options`, `seed`, `names`, and `steps`. A step
is an object whose first key names it; each is a method of `CasePlayer` that says what it does.
"""

import json
from typing import Any

import pytest

import werewolf

NOW = 1_800_000_000_000
SEED = "5eed" * 16


def dig(value: Any, path: str) -> Any:
    """What is found in nested JSON under a dotted path; "ABSENT" when it is not there or null."""
    for part in path.split("."):
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, TypeError, ValueError):
            return "ABSENT"
    return "ABSENT" if value is None else value


class CasePlayer:
    def __init__(self, case: dict[str, Any]) -> None:
        self.now = NOW
        self.log: list[werewolf.Event] = []
        self.handed_by = -1
        names = case.get("names") or [f"p{seat}" for seat in range(len(case["roles"]))]
        self.keep(
            werewolf.start(
                case["ruleset"],
                names,
                seed=case.get("seed", SEED),
                now=self.now,
                options=case.get("options"),
                roles=case["roles"],
            )
        )

    def keep(self, transition: werewolf.Transition) -> None:
        self.match = werewolf.Match.from_json(transition.match.to_json())
        assert self.match == transition.match, "the match does not survive its own JSON"
        self.log.extend(transition.events)

    def play(self, step: dict[str, Any]) -> None:
        name = next(iter(step))
        getattr(self, name)(step[name], **{k: v for k, v in step.items() if k != name})

    @property
    def on_turn(self) -> int:
        return self.match.awaiting[0]

    def _move(self, seat: int, move: dict[str, Any]) -> None:
        self.now += 1
        self.keep(werewolf.act(self.match, seat, move, now=self.now))

    def _offered(self, seat: int) -> dict[str, dict[str, Any]]:
        turn = werewolf.turn(self.match, seat)
        return {entry["action"]: entry for entry in (turn.legal_actions if turn else [])}

    def _idle(self) -> dict[str, Any]:
        """The move of somebody who would rather not."""
        offered = self._offered(self.on_turn)
        return {"action": next(a for a in ("pass", "abstain", "no_lynch", "skip") if a in offered)}

    def act(self, told: list[Any], refused: str | list[str] | None = None) -> None:
        """A seat moves; with `refused`, it is refused so and nothing changes."""
        seat, move = told
        if refused is None:
            self._move(seat, move)
            return
        before = self.match.to_json()
        with pytest.raises(werewolf.IllegalMove) as refusal:
            self._move(seat, move)
        codes = [refused] if isinstance(refused, str) else refused
        assert "any" in codes or refusal.value.code in codes, f"refused: {refusal.value}"
        assert self.match.to_json() == before

    def silence(self, deadlines: int) -> None:
        """So many deadlines pass."""
        for _ in range(deadlines or 1):
            assert self.match.deadline is not None
            self.now = self.match.deadline
            self.keep(werewolf.expire(self.match, now=self.now))

    def wait(self, seconds: float) -> None:
        """Time passes, and the clock looks in."""
        self.now += int(seconds * 1000)
        self.keep(werewolf.expire(self.match, now=self.now))

    def leave(self, seat: int) -> None:
        """A player leaves."""
        self.now += 1
        self.keep(werewolf.leave(self.match, seat, now=self.now))

    def pass_through(self, phase: str) -> None:
        """While in that phase, whoever is on turn would rather not."""
        for _ in range(200):
            if self.match.phase != phase:
                return
            self._move(self.on_turn, self._idle())
        raise AssertionError(f"{phase} does not end")

    def turns(self, moves: dict[str, Any]) -> None:
        """As many turns as there are moves; whoever is on turn plays its own."""
        for _ in moves:
            self._move(self.on_turn, moves[str(self.on_turn)])

    def talk(self, told: dict[str, Any]) -> None:
        """Whoever is on turn makes this move, so many times."""
        for _ in range(told["count"]):
            self.act([self.on_turn, told["move"]], told.get("refused"))

    def ballots(self, told: dict[str, Any]) -> None:
        """So many ballots for one target, who abstains itself and is not counted."""
        cast = 0
        while cast < told["count"]:
            seat = self.on_turn
            own = seat == told["target"]
            self._move(seat, self._idle() if own else {"action": "vote", "target": told["target"]})
            cast += not own

    def votes(self, targets: dict[str, int]) -> None:
        """A vote in turns: the seats named vote so, the others would rather not."""
        day = self.match.day
        while self.match.phase == "day_vote" and self.match.day == day:
            target = targets.get(str(self.on_turn))
            vote = {"action": "vote", "target": target}
            self._move(self.on_turn, self._idle() if target is None else vote)

    def handoff(self, count: int) -> None:
        """So many directed handoffs, each to the next living seat."""
        for _ in range(count):
            self.handed_by = self.on_turn
            alive = self.match.alive
            target = alive[(alive.index(self.handed_by) + 1) % len(alive)]
            self._move(self.handed_by, {"action": "say", "message": "You?", "to": target})
            assert self.match.awaiting == (target,)

    def handback(self, code: str) -> None:
        """The speaker names the one who handed it the floor, and is refused."""
        self.act([self.on_turn, {"action": "say", "message": "No.", "to": self.handed_by}], code)

    def see(self, wanted: dict[str, Any]) -> None:
        """Attributes of the match."""
        for name, value in wanted.items():
            found = getattr(self.match, name)
            found = list(found) if isinstance(found, tuple) else found
            if name == "ranking":
                found = sorted(found, key=lambda place: place["seat"])
            assert found == value, f"{name} is {found!r}, not {value!r}"

    def view(self, told: list[Any]) -> None:
        """A value in what a viewer sees."""
        viewer, path, wanted = told
        state = json.loads(json.dumps(werewolf.view(self.match, self.log, viewer)))
        found = dig(state, path)
        assert found == wanted, f"view {viewer} {path} is {found!r}, not {wanted!r}"

    def _shown(self, viewer: Any, kind: str, part: dict[str, Any]) -> bool:
        return any(
            event.type == kind
            and werewolf.visible_to(event, viewer)
            and all(json.loads(json.dumps(event.data)).get(k) == v for k, v in part.items())
            for event in self.log
        )

    def event(self, told: list[Any]) -> None:
        """Such an event was shown to the viewer."""
        assert self._shown(*told), f"not shown: {told}"

    def no_event(self, told: list[Any]) -> None:
        """No such event was shown to the viewer."""
        assert not self._shown(*told), f"shown: {told}"

    def legal(self, told: list[Any]) -> None:
        """The action is offered to the seat, with exactly these targets."""
        seat, action, targets = told
        offered = self._offered(seat)
        assert action in offered, f"{action} is not offered: {sorted(offered)}"
        if targets is not None:
            named = offered[action].get("targets", offered[action].get("to"))
            assert sorted(named) == sorted(targets)
