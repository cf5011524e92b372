"""Whole games of automatic players, and matches of many such games."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import NamedTuple

from engine.bluff.game import Game
from engine.bluff.ruleset import Ruleset
from engine.players.player import AutomaticPlayer
from engine.players.roster import player
from engine.players.seat import play_round, roll
from engine.record.bluff.kind import BLUFF
from engine.record.bluff.round import RoundRecord
from engine.record.record import Record, Result


class Entrant(NamedTuple):
    """Who plays a match: a handle of its own, the player's name in `PLAYERS` and its strength."""

    handle: str
    name: str
    strength: float = 1.0


class Played(NamedTuple):
    """One game of a match. `rank` and `cntdice` are in the order of the match's entrants, not of the seats."""

    record: Record
    rank: tuple[int, ...]
    cntdice: tuple[int, ...]


def play_game(
    players: Sequence[AutomaticPlayer], rules: Ruleset, rng: Random, opener: int = 0
) -> tuple[Game, list[RoundRecord]]:
    """A game over, and its rounds at the level `dealt`; `rng` rolls the dice. Rulings B5 to B14 (R, S, B)."""
    game = Game(rules, len(players), opener)
    rounds: list[RoundRecord] = []
    while not game.over:
        hands = tuple([roll(dice, rng) for dice in game.owned])
        played = game.roll(hands)
        moves = play_round(players, played, rng)
        game.finish(played, played.count())
        rounds.append(RoundRecord("dealt", hands=hands, moves=tuple(moves)))
    return game, rounds


def play_match(entrants: Sequence[Entrant], games: int, seed: int, rules: Ruleset) -> Iterator[Played]:
    """So many games, each the same whenever it is played with this seed.

    The seats are drawn; then everybody moves on by one seat a game until all have opened, as seat 0 does. The ids of
    the records differ between matches of different entrants, seed or rules.
    """
    order = list(range(len(entrants)))
    draw = Random(f"{seed} seats")
    match = sha256(repr((entrants, seed, rules)).encode()).hexdigest()[:12]
    for number in range(games):
        turn = number % len(order)
        if turn == 0:
            draw.shuffle(order)
        seating = order[turn:] + order[:turn]
        yield _play_one(entrants, seating, f"{seed} {number + 1}", f"play-{match}-{number + 1}", rules)


def _play_one(entrants: Sequence[Entrant], seating: Sequence[int], seed: str, name: str, rules: Ruleset) -> Played:
    """One game, recorded as `name`, in which entrant `seating[seat]` sits at `seat`."""
    seats = [entrants[i] for i in seating]
    players = [player(who.name, f"{seed} {who.handle}", who.strength) for who in seats]
    game, rounds = play_game(players, rules, Random(seed))
    rank, cntdice = game.rank(), game.cntdice()
    assert rank is not None
    assert cntdice is not None
    record = Record(
        record_id=name,
        kind=BLUFF,
        rules=rules,
        seats=tuple([who.handle for who in seats]),
        opener=0,
        season=None,
        event=None,
        table=None,
        played_at=None,
        rounds=tuple(rounds),
        result=Result(rank, game.points()),
    )
    at = [seating.index(i) for i in range(len(seating))]
    return Played(record, tuple([rank[seat] for seat in at]), tuple([cntdice[seat] for seat in at]))
