"""Asks a language model for every move, over an OpenAI-compatible chat endpoint.

The environment says which: `LANTERNWELL_LLM_URL` (such as https://host/v1), `LANTERNWELL_LLM_KEY`
(if it needs one) and `LANTERNWELL_LLM_MODEL`. What the model answers is checked before it is
played, and what it says is searched for what must not get out; see `prompting` and `answers`.
"""

import asyncio
import json
import logging
import os
import ssl
import time
from collections import Counter
from collections.abc import Awaitable, Mapping
from functools import cache
from typing import Any, Final

import httpx

from lanternwell.agent import Agent
from lanternwell.agents.answers import Leaks, Unusable, read_answer
from lanternwell.agents.heuristic_agent import HeuristicAgent
from lanternwell.agents.prompting import Messages, again, prompt_for
from lanternwell.errors import LanternwellError
from lanternwell.model import Move, Summary, Turn, View
from lanternwell.moves import make, offered

log = logging.getLogger(__name__)

URL: Final = "LANTERNWELL_LLM_URL"
KEY: Final = "LANTERNWELL_LLM_KEY"
MODEL: Final = "LANTERNWELL_LLM_MODEL"

THINKING_S: Final = 60.0
"""How long the model may think about a move where there is no deadline."""

SHORTEST_S: Final = 0.5
"""With less time than this the model is not asked."""

FIRST_PART: Final = 0.6
"""How much of the time the first answer may take, so that there is some left for a second."""

MOVES_A_PHASE: Final = 4
"""After so many moves in a phase in which one may go on, it is done."""

LONGEST_ANSWER: Final = 200_000
"""How many bytes of an answer are read."""


class NotConfigured(LanternwellError):
    """It is not said which model to ask."""


class LanguageModelAgent(Agent):
    """A player whose moves a language model chooses.

    An answer that cannot be played (no JSON, a player who is out, a text that is too long) is
    asked for once more, with the reason. After that, or when the model does not answer in time, the
    move of a `HeuristicAgent` is made, so there always is a legal one. How often that was is logged
    at the end of each match.
    """

    def __init__(
        self,
        *,
        url: str | None = None,
        key: str | None = None,
        model: str | None = None,
        seed: int | str | None = None,
    ) -> None:
        """What is not given is taken from the environment. Raises `NotConfigured`."""
        url = url or os.environ.get(URL, "")
        self._key = (key or os.environ.get(KEY, "")).strip()
        self._model = model or os.environ.get(MODEL, "")
        if not url or not self._model:
            raise NotConfigured(f"which model? Set {URL} and {MODEL} (and {KEY} if it needs one)")
        whole = url.rstrip("/").endswith("/chat/completions")
        self._url = url if whole else f"{url.rstrip('/')}/chat/completions"
        self._fallback = HeuristicAgent(seed)
        self._moves: Counter[tuple[int, str]] = Counter()
        self._asked_for = self._not_its_own = 0

    async def on_turn(self, turn: Turn, view: View) -> Move | None:
        """The model's move, or a sensible one instead."""
        lock = offered(turn, "lock")
        self._moves[turn.day, turn.phase] += 1
        if lock is not None and self._moves[turn.day, turn.phase] > MOVES_A_PHASE:
            return make(lock)  # all play at once here, and a model would never be done
        self._asked_for += 1
        end = time.monotonic() + self._time_for(turn)
        prompt = prompt_for(turn, view)
        leaks = Leaks(secrets=(self._key,), texts=prompt.own_texts)
        messages = prompt.messages
        for part in (FIRST_PART, 1.0):
            left_s = end - time.monotonic()
            if left_s < SHORTEST_S:
                break
            answer = ""
            try:
                answer = await self._asked(messages, left_s * part)
                return read_answer(answer, turn, leaks)
            except Unusable as unusable:
                log.warning("turn %s: the model's answer is no move: %s", turn.turn_id, unusable)
                messages = again(prompt, answer, str(unusable))
            except NoAnswer as nothing:
                log.warning("turn %s: the model did not answer: %s", turn.turn_id, nothing)
                if nothing.for_good:
                    break
        self._not_its_own += 1
        move = self._fallback.on_turn(turn, view)
        assert not isinstance(move, Awaitable)
        return move

    def on_over(self, summary: Summary) -> None:
        """Say in the log how often the model did not play itself."""
        level = logging.WARNING if self._not_its_own else logging.INFO
        what = "match %s: %d of %d moves were not the model's own"
        log.log(level, what, summary.match_id, self._not_its_own, self._asked_for)
        self._asked_for = self._not_its_own = 0
        self._moves.clear()

    def _time_for(self, turn: Turn) -> float:
        """Seconds until the move must be on its way."""
        if turn.deadline_ms is None or self.clock is None:
            return THINKING_S
        left_s = self.clock.seconds_until(turn.deadline_ms)
        return min(THINKING_S, left_s - max(1.0, left_s / 10))

    async def _asked(self, messages: Messages, timeout_s: float) -> str:
        """What the model answers. Raises `NoAnswer` and `Unusable`."""
        body = {"model": self._model, "messages": messages}
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        try:
            async with (
                asyncio.timeout(timeout_s),
                httpx.AsyncClient(timeout=timeout_s, verify=_certificates()) as client,
                client.stream("POST", self._url, json=body, headers=headers) as response,
            ):
                if response.status_code != 200:
                    raise NoAnswer(f"status {response.status_code}", response.status_code)
                raw = b""
                async for part in response.aiter_bytes():
                    raw += part
                    if len(raw) > LONGEST_ANSWER:
                        raise Unusable("the answer was far too long")
        except TimeoutError:
            raise NoAnswer("it took too long") from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            raise NoAnswer(type(error).__name__) from error
        return _content(raw)


class NoAnswer(LanternwellError):
    """The endpoint gave no answer. `for_good`: it would not give one to the same question."""

    def __init__(self, why: str, status: int = 0) -> None:
        super().__init__(why)
        self.for_good = 400 <= status < 500 and status not in (408, 425, 429)


@cache
def _certificates() -> ssl.SSLContext:
    """Which servers are believed; costly to load."""
    return httpx.create_ssl_context()


def _content(raw: bytes) -> str:
    """The text of a chat completion."""
    try:
        whole: Mapping[str, Any] = json.loads(raw)
        content = whole["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        raise NoAnswer(f"that is no chat completion ({type(error).__name__})") from error
    if not isinstance(content, str):
        raise NoAnswer("that is no chat completion (its content is no text)")
    return content
