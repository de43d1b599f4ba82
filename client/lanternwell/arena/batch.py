"""Many matches on all cores, in order."""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial

from lanternwell.arena.casting import Contestant
from lanternwell.arena.lineup import Pairing
from lanternwell.arena.table import Game, Record, play_match
from lanternwell.errors import LanternwellError


def play_batch(
    game: Game, contestants: Sequence[Contestant], pairings: Sequence[Pairing], *, workers: int
) -> Iterator[Record]:
    """The records of these matches, in their order, whatever the number of worker processes."""
    fresh = multiprocessing.get_context("spawn")
    at_once = max(1, min(16, len(pairings) // (4 * workers)))
    with _one_hash_seed(), ProcessPoolExecutor(workers, mp_context=fresh) as pool:
        try:
            yield from pool.map(partial(play_match, game, contestants), pairings, chunksize=at_once)
        except BrokenProcessPool as error:
            raise LanternwellError("a worker process died: an agent ended it") from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _one_hash_seed() -> Iterator[None]:
    """Workers that start now order their sets alike, so that a batch can be repeated."""
    name = "PYTHONHASHSEED"
    before = os.environ.get(name)
    if before in (None, "", "random"):
        os.environ[name] = "0"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
