"""Checked replay of stored rounds: two seats, five dice each, from random play.

Ours are replayed from the stored bytes, OpenSpiel's (`liars_dice`, C++) from its action numbers
with its legality check before each action. Its game has 60 bids for ten dice; our random play keeps
to the 55 bids of the track up to ten, so that rounds are about as long."""

from __future__ import annotations

import random
from collections.abc import Callable

import pyspiel

from bench.measure import Contest, run
from engine.bluff.game import Game
from engine.bluff.hand import sort_hand
from engine.bluff.move import CHALLENGE
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import BID, FACES
from engine.record.bluff.bulk import settle_stored
from engine.record.bluff.compact import pack_round
from engine.record.bluff.round import RoundRecord
from engine.record.bluff.round_start import round_start

LAST_BID = BID["10x5"]
RULES = Ruleset()


def our_rounds(count: int, seed: int = 1) -> list[bytes]:
    """Random rounds in stored form."""
    dice = random.Random(seed)
    rounds = []
    for _ in range(count):
        game = Game(RULES, 2, 0)
        hands = [sort_hand("".join(dice.choices(FACES, k=5))) for _ in range(2)]
        played = game.roll(hands)
        moves: list[int] = []
        while not moves or moves[-1] != CHALLENGE:
            bids = range(played.bid + 1, LAST_BID + 1)
            choice = dice.randrange(len(bids) + played.may_challenge())
            moves.append(bids[choice] if choice < len(bids) else CHALLENGE)
            played.apply(moves[-1])
        rounds.append(
            pack_round(RoundRecord("dealt", hands=tuple(hands), moves=tuple(moves)), game.owned)
        )
    return rounds


def their_rounds(game: pyspiel.Game, count: int, seed: int = 1) -> list[list[int]]:
    """Random rounds as OpenSpiel's actions, its dice included."""
    dice = random.Random(seed)
    rounds = []
    for _ in range(count):
        state = game.new_initial_state()
        actions = []
        while not state.is_terminal():
            actions.append(dice.choice(state.legal_actions()))
            state.apply_action(actions[-1])
        rounds.append(actions)
    return rounds


def replay_ours(rounds: list[bytes]) -> None:
    """Check and settle each round."""
    for data in rounds:
        if settle_stored(round_start(RULES, (5, 5), 0), data) is None:
            raise AssertionError("a legal round was refused")


def replay_ours_in_bulk(rounds: list[bytes]) -> None:
    """Check and settle each round, all from one position that is made once."""
    start = round_start(RULES, (5, 5), 0)
    for data in rounds:
        if settle_stored(start, data) is None:
            raise AssertionError("a legal round was refused")


def replay_theirs(game: pyspiel.Game, rounds: list[list[int]]) -> None:
    """Check and apply each action by its own fastest call, which raises at an illegal one."""
    for actions in rounds:
        state = game.new_initial_state()
        for action in actions:
            state.apply_action_with_legality_check(action)
        state.returns()


def contest(title: str, ours: Callable[[list[bytes]], None], different: int, times: int) -> Contest:
    """Both with as many rounds: so many different ones, each so many times."""
    liars_dice = pyspiel.load_game("liars_dice(numdice=5)")
    stored, actions = our_rounds(different) * times, their_rounds(liars_dice, different) * times
    return Contest(
        title,
        "rounds",
        different * times,
        {
            "Cups Up, from the stored bytes": lambda: ours(stored),
            "OpenSpiel liars_dice, legality checked": lambda: replay_theirs(liars_dice, actions),
        },
    )


def checked_replay() -> Contest:
    """Each round by itself, as a game is played."""
    return contest("Checked replay of stored rounds", replay_ours, different=20_000, times=1)


def bulk_verification() -> Contest:
    """As a whole database is re-verified: without an object for each of our rounds."""
    return contest("Bulk re-verification", replay_ours_in_bulk, different=100_000, times=10)


def measure() -> None:
    """Print how fast games are replayed one by one with every check, and how fast in bulk."""
    run(checked_replay())
    run(bulk_verification(), turns=3)
