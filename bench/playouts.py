"""Full random playouts: whole games of two seats from the roll to the last die, counted in moves.

Counted in moves because the games differ: in textarena's `LiarsDice-v0` a challenge costs one die,
in Bluff the difference, so a game of Bluff is shorter. Both roll their own dice and choose among
legal moves at random."""

from __future__ import annotations

import random

import textarena

from bench.measure import Contest, run
from engine.bluff.game import Game
from engine.bluff.move import CHALLENGE
from engine.bluff.ruleset import Ruleset
from engine.bluff.track import FACES

MOVES = 4_000
RULES = Ruleset()


def play_ours(seed: int = 1) -> None:
    """Whole games until enough moves are made."""
    dice = random.Random(seed)
    moves = 0
    while moves < MOVES:
        game = Game(RULES, 2, 0)
        while not game.over:
            played = game.roll(["".join(dice.choices(FACES, k=owned)) for owned in game.owned])
            while played.challenger < 0:
                bids = played.legal_bids()
                choice = dice.randrange(len(bids) + played.may_challenge())
                played.apply(bids[choice] if choice < len(bids) else CHALLENGE)
                moves += 1
            game.finish(played, played.count())


def play_theirs(seed: int = 1) -> None:
    """Whole games until enough moves are made; its bids raise the number, the face or both."""
    dice = random.Random(seed)
    moves = 0
    while moves < MOVES:
        env = textarena.make("LiarsDice-v0-raw")
        env.reset(num_players=2, seed=seed)
        done = False
        while not done:
            env.get_observation()
            bid = env.state.game_state["current_bid"]
            low, face = bid["quantity"], max(bid["face_value"], 1)
            bids = [
                (n, f)
                for n in range(max(low, 1), 11)
                for f in range(face, 7)
                if n > low or f > bid["face_value"]
            ]
            choice = dice.randrange(len(bids) + bool(low))
            done, _ = env.step(
                "[Bid: {}, {}]".format(*bids[choice]) if choice < len(bids) else "[Call]"
            )
            moves += 1


def contest() -> Contest:
    """Both until they have made as many moves."""
    return Contest(
        "Full random playouts, two seats",
        "moves",
        MOVES,
        {"Cups Up": play_ours, "textarena LiarsDice-v0": play_theirs},
    )


def measure() -> None:
    """Print how many games each side plays out in a second of CPU time."""
    run(contest())
