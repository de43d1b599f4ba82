"""An agent in its seat: its hooks are called, and its moves are made or mended.

Whatever an agent or a move goes wrong with, the seat plays on.
"""

import asyncio
import inspect
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal, NamedTuple

from lanternwell.agent import Agent
from lanternwell.client import AsyncClient
from lanternwell.errors import BadAnswer, Refused, Unreachable
from lanternwell.model import Event, Move, Summary, Turn, View
from lanternwell.moves import quiet_move
from lanternwell.stream import MatchStream

log = logging.getLogger(__name__)

OnError = Literal["go_on", "raise"]
"""What becomes of an error in the agent's own code: it is logged with its traceback, and a quiet
legal move is made where one was asked for; or it ends the run."""


class NoMove(TypeError):
    """What the agent answered is neither a JSON object nor None."""


class _Failed:
    """What is there in place of an answer when a hook failed."""


FAILED: Final = _Failed()


class _Held(NamedTuple):
    """A move of which it is not known that it was taken."""

    turn: Turn
    move: Move

    def fits(self, turn: Turn) -> bool:
        """Whether it can be sent for the turn as it is by now."""
        return (turn.turn_id, turn.legal_actions) == (self.turn.turn_id, self.turn.legal_actions)


class Player:
    """Plays a seat of a match with an agent."""

    def __init__(
        self, agent: Agent, client: AsyncClient, stream: MatchStream, on_error: OnError
    ) -> None:
        self._agent = agent
        self._client = client
        self._stream = stream
        self._match_id = stream.match_id
        self._on_error = on_error
        self._held: _Held | None = None

    async def hear(self, event: Event) -> None:
        """Something happened."""
        await self._call("on_event", event)

    async def end(self, summary: Summary) -> None:
        """The match is over."""
        await self._call("on_over", summary)

    async def take_turn(self, turn: Turn) -> None:
        """Have the turn answered, or leave it to be handed out again.

        A move that was chosen and may not have arrived is sent again rather than chosen anew.
        Raises `Refused` when asking again changes nothing.
        """
        try:
            state = await self._client.state(self._match_id)
            if state.turn is None or state.turn.turn_id != turn.turn_id or state.view is None:
                return  # gone, or another turn by now, which the stream brings as well
            turn = state.turn
            if self._held is not None and self._held.fits(turn):
                move: Move | None = self._held.move
            else:
                move = await self._chosen(turn, state.view)
            await self._send(turn, state.view, move)
        except (Unreachable, BadAnswer) as error:
            log.warning("match %s, turn %s: %s", self._match_id, turn.turn_id, error)
        except Refused as refusal:
            log.info("match %s, turn %s: %s", self._match_id, turn.turn_id, refusal)
            if refusal.reaction == "turn_gone":
                self._stream.answered(turn.turn_id)
            elif not refusal.passing:
                raise

    async def _send(self, turn: Turn, view: View, move: Move | None) -> None:
        """Make the move; where it cannot count, the agent's second, and then a quiet one."""
        refusals = 0
        while move is not None:
            self._held = _Held(turn, move)
            try:
                await self._client.move(
                    self._match_id, turn.turn_id, move, deadline_ms=turn.deadline_ms
                )
                break
            except Refused as refusal:
                if refusal.reaction != "fix_move":
                    raise
                log.warning("match %s, turn %s: %s", self._match_id, turn.turn_id, refusal)
                refusals += 1
                if refusals == 1:
                    move = await self._second(turn, view, move, refusal)
                else:
                    move = self._quiet(turn, refusal) if refusals == 2 else None
        self._stream.answered(turn.turn_id)

    async def _chosen(self, turn: Turn, view: View) -> Move | None:
        move = await self._move("on_turn", turn, view)
        return self._default(turn) if isinstance(move, _Failed) else move

    async def _second(self, turn: Turn, view: View, move: Move, refusal: Refused) -> Move | None:
        second = await self._move("on_refused", turn, view, move, refusal)
        if isinstance(second, _Failed):
            return self._quiet(turn, refusal)
        return second

    def _quiet(self, turn: Turn, refusal: Refused) -> Move | None:
        offers = tuple(refusal.legal_actions) or turn.legal_actions
        return self._default(turn.replace(legal_actions=offers))

    def _default(self, turn: Turn) -> Move | None:
        """A quiet legal move; None, which lets the turn pass, where none can be made out."""
        try:
            return quiet_move(turn)
        except (KeyError, TypeError, ValueError):
            log.exception("match %s: no legal action can be read", self._match_id)
            return None

    async def _move(self, hook: str, *args: Any) -> Move | _Failed | None:
        """What the hook answers, if that can be sent."""
        answer = await self._call(hook, *args)
        if answer is None or isinstance(answer, _Failed):
            return answer
        try:
            return _checked(answer)
        except NoMove as error:
            if self._on_error == "raise":
                raise
            log.error("match %s: %s of the agent: %s", self._match_id, hook, error)  # noqa: TRY400
            return FAILED

    async def _call(self, hook: str, *args: Any) -> Any:
        """Call a hook of the agent: `FAILED` when it raises and the match goes on without it."""
        call: Callable[..., Any] = getattr(self._agent, hook)
        try:
            if hook == "on_turn" and not inspect.iscoroutinefunction(call):
                answer = await asyncio.to_thread(call, *args)
            else:
                answer = call(*args)
            return await answer if isinstance(answer, Awaitable) else answer
        except Exception:
            if self._on_error == "raise":
                raise
            log.exception("match %s: %s of the agent failed", self._match_id, hook)
            return FAILED


def _checked(answer: Any) -> Move:
    """The answer, which must be a JSON object. Raises `NoMove`."""
    if not isinstance(answer, dict):
        raise NoMove(f"a {type(answer).__name__} is no move")
    try:
        json.dumps(answer, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise NoMove(f"the move is no JSON: {error}") from None
    return answer
