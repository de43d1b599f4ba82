"""arena-1 beside two other environments for the same kind of game, on one core, in one run.

Everything is random legal self-play with eight seats and one round of talk, from the deal of a
match to its end. The sides take turns, a few matches each, and the quickest round of each counts,
so that what else the machine does matters little. CPU time is counted, and a side's own random
choices with it. `make bench-peers` runs it.

What one move includes:

- arena-1: `turn` lists every legal action with its targets, one is drawn, and `act` checks it
  (fields, target, deadline, forfeits), makes of one immutable match the next, and tells what
  happened as typed events, each with its audience. "unlisted": without `turn`: the players know the
  rules and look at the match, as those of SecretMafia do here. "with JSON": the match is written to
  JSON and read back as well. "act alone": the same moves again, without the deal and the drawing.
- TextArena's SecretMafia, "bare": `step` parses the target out of a text with a regular expression,
  changes its state in place and appends strings to the observations; who may be named is taken from
  its own state, and nothing is listed as legal. "observed": with `get_observation`. "made": as
  `textarena.make` gives it, whose wrapper joins the whole talk into one text for every move.
- Kaggle's werewolf: `env.step` validates, copies and records the state of all players, with its own
  random agent, which is offered its targets. "step alone": without making environments and without
  the agents' time.
"""

import argparse
import contextlib
import gc
import io
import logging
import random
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import werewolf
from benchmarks._self_play import play as play_arena
from benchmarks._self_play import random_move

SEATS = 8
MATCHES = 10
TALK = "I think it is you."
ACTIONS = {
    "night_seer": "seer_check",
    "night_doctor": "doctor_save",
    "night_wolves": "wolf_vote",
    "day_talk": "accuse",
    "day_vote": "vote",
}

Side = Callable[[Random], tuple[int, float]]
"""Plays one match; the moves, and the seconds of CPU that are counted for them."""


def timed(play: Callable[[Random], int]) -> Side:
    """All that is done from the deal to the end counts."""

    def side(rng: Random) -> tuple[int, float]:
        began = process_time()
        moves = play(rng)
        return moves, process_time() - began

    return side


def arena(rng: Random) -> int:
    """arena-1 as it is."""
    return play_arena("arena-1", SEATS, rng)


def arena_unlisted(rng: Random) -> int:
    """arena-1 between players who know the rules: they look at the match, and nothing is listed."""
    seed = f"{rng.getrandbits(256):064x}"
    names = [f"p{seat}" for seat in range(SEATS)]
    match = werewolf.start("arena-1", names, seed=seed, now=0).match
    moves = 0
    while not match.over:
        seat = match.awaiting[0]
        if match.phase == "night_wolves":
            those = [other for other in match.alive if match.roles[other] != "werewolf"]
        else:
            those = [other for other in match.alive if other != seat]
        target = those[int(rng.random() * len(those))]
        match = werewolf.act(
            match, seat, {"action": ACTIONS[match.phase], "target": target}, now=0
        ).match
        moves += 1
    return moves


def arena_json(rng: Random) -> int:
    """arena-1 with the state going through JSON between moves."""
    return play_arena("arena-1", SEATS, rng, through_json=True)


def arena_act(rng: Random) -> tuple[int, float]:
    """Moves drawn beforehand, and played again without asking what is legal."""
    seed = f"{rng.getrandbits(256):064x}"
    names = [f"p{seat}" for seat in range(SEATS)]
    match = werewolf.start("arena-1", names, seed=seed, now=0).match
    moves: list[tuple[int, dict[str, Any]]] = []
    first = match
    while not match.over:
        seat = match.awaiting[0]
        moves.append((seat, random_move(match, seat, rng)))
        match = werewolf.act(match, *moves[-1], now=0).match
    match = first
    began = process_time()
    for seat, move in moves:
        match = werewolf.act(match, seat, move, now=0).match
    return len(moves), process_time() - began


def mafia_sides() -> dict[str, Side]:
    """TextArena's SecretMafia in its three forms."""
    import textarena
    from textarena.envs.SecretMafia.env import Phase, SecretMafiaEnv

    def play(rng: Random, env: Any, *, observe: bool) -> int:
        random.seed(rng.getrandbits(32))
        env.reset(num_players=SEATS, seed=rng.getrandbits(30))
        game = env
        while hasattr(game, "env"):
            game = game.env
        moves, done = 0, False
        while not done:
            if observe:
                env.get_observation()
            alive = game.state.game_state["alive_players"]
            if game.phase == Phase.DAY_DISCUSSION:
                action = TALK
            elif game.phase == Phase.NIGHT_MAFIA:
                prey = [seat for seat in alive if game.player_roles[seat] != "Mafia"]
                action = f"[{prey[int(rng.random() * len(prey))]}]"
            else:
                action = f"[{alive[int(rng.random() * len(alive))]}]"
            done, _ = env.step(action)
            moves += 1
        return moves

    def bare() -> Any:
        return SecretMafiaEnv(mafia_ratio=0.25, discussion_rounds=1)

    def made() -> Any:
        return textarena.make("SecretMafia-v0", discussion_rounds=1)

    return {
        "TextArena SecretMafia, bare": timed(lambda rng: play(rng, bare(), observe=False)),
        "TextArena SecretMafia, observed": timed(lambda rng: play(rng, bare(), observe=True)),
        "TextArena SecretMafia, made": timed(lambda rng: play(rng, made(), observe=True)),
    }


def kaggle_sides() -> dict[str, Side]:
    """Kaggle's werewolf, from the making of the environment, and its `step` alone."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        from kaggle_environments import make
        from kaggle_environments.envs.werewolf.werewolf import random_agent
    logging.disable(logging.WARNING)
    roles = ["Werewolf", "Werewolf", "Seer", "Doctor"] + ["Villager"] * (SEATS - 4)

    def play(rng: Random) -> tuple[int, float, float]:
        seed = rng.getrandbits(30)
        random.seed(seed)
        agents = [
            {"role": role, "id": f"p{seat}", "agent_id": "random", "display_name": f"p{seat}"}
            for seat, role in enumerate(roles)
        ]
        began = process_time()
        settings = {"agents": agents, "seed": seed, "randomize_roles": True}
        env = make("werewolf", configuration=settings)
        env.reset(SEATS)
        steps, stepping = 0, 0.0
        while not env.done:
            actions = [
                random_agent(seat.observation) if seat.status == "ACTIVE" else None
                for seat in env.state
            ]
            before = process_time()
            env.step(actions)
            stepping += process_time() - before
            steps += 1
        return steps, process_time() - began, stepping

    def whole(rng: Random) -> tuple[int, float]:
        steps, seconds, _ = play(rng)
        return steps, seconds

    def alone(rng: Random) -> tuple[int, float]:
        steps, _, seconds = play(rng)
        return steps, seconds

    return {"Kaggle werewolf": whole, "Kaggle werewolf, step alone": alone}


def quickest(sides: dict[str, Side], rounds: int) -> dict[str, float]:
    """The moves per second of each side in its quickest round; every round is the same matches.

    Kaggle's environment, slow as it is, plays one match in one round out of four.
    """
    best = dict.fromkeys(sides, 0.0)
    for number in range(rounds):
        for name, side in sides.items():
            slow = name.startswith("Kaggle")
            if slow and number % 4:
                continue
            rng = Random(2026)
            played = [side(rng) for _ in range(1 if slow else MATCHES)]
            moves, seconds = (sum(column) for column in zip(*played, strict=True))
            best[name] = max(best[name], moves / seconds)
        if number == 0:
            gc.collect()
            gc.freeze()  # what was imported for one side must not slow the others down
    return best


def main() -> None:
    """Print moves per second, and how many times as many arena-1 makes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=60)
    rounds = parser.parse_args().rounds
    sides: dict[str, Side] = {
        "arena-1": timed(arena),
        "arena-1, unlisted": timed(arena_unlisted),
        "arena-1, with JSON": timed(arena_json),
        "arena-1, act alone": arena_act,
        **mafia_sides(),
        **kaggle_sides(),
    }
    best = quickest(sides, rounds)
    print(f"{'':<34}{'moves/s':>10}{'arena-1':>12}{'unlisted':>12}{'act alone':>12}")
    for name, rate in best.items():
        times = [
            best[ours] / rate for ours in ("arena-1", "arena-1, unlisted", "arena-1, act alone")
        ]
        print(f"{name:<34}{rate:>10,.0f}" + "".join(f"{ratio:>11,.2f}x" for ratio in times))


if __name__ == "__main__":
    main()
