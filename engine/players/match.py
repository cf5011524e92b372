"""Matches: many whole games of the same automatic players."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from engine.players.roster import PLAYERS, player
from engine.record.bluff.kind import BLUFF
from engine.record.kind import AnyKind
from engine.record.record import Record, Result


class Entrant(NamedTuple):
    """A player of a match: a unique handle, the player's name in the roster, and its strength."""

    handle: str
    name: str
    strength: float = 1.0


class Played(NamedTuple):
    """A game of a match.

    `rank` and `score` (dice scores or totals, see the roster) are in the order of the match's
    entrants, not of the seats.
    """

    record: Record
    rank: tuple[int, ...]
    score: tuple[int, ...]


def play_match(
    entrants: Sequence[Entrant], games: int, seed: int, rules: Any, kind: AnyKind = BLUFF
) -> Iterator[Played]:
    """Yield the games of a match; with the same seed they are the same.

    `rules`: a ruleset of the kind. The seats are drawn; then all players move by one seat after
    each game until each has sat in seat 0, which opens. Matches of different entrants, seed or
    rules give their records different ids.
    """
    order = list(range(len(entrants)))
    seat_lots = Random(f"{seed} seats")
    match_id = sha256(repr((entrants, seed, rules)).encode()).hexdigest()[:12]
    for number in range(games):
        shift = number % len(order)
        if shift == 0:
            seat_lots.shuffle(order)
        seating = order[shift:] + order[:shift]
        game_seed = f"{seed} {number + 1}"
        record_id = f"play-{match_id}-{number + 1}"
        yield _play_one(entrants, seating, game_seed, record_id, rules, kind)


def _play_one(
    entrants: Sequence[Entrant],
    seating: Sequence[int],
    seed: str,
    record_id: str,
    rules: Any,
    kind: AnyKind,
) -> Played:
    seats = [entrants[i] for i in seating]
    players = [
        player(entrant.name, f"{seed} {entrant.handle}", entrant.strength, kind)
        for entrant in seats
    ]
    game, rounds = PLAYERS[kind].play_game(players, rules, Random(seed))
    ending = kind.ending(game)
    assert ending.rank is not None
    record = Record(
        record_id=record_id,
        kind=kind,
        rules=rules,
        seats=tuple([entrant.handle for entrant in seats]),
        opener=0,
        season=None,
        event=None,
        table=None,
        played_at=None,
        rounds=tuple(rounds),
        result=Result(ending.rank, ending.points),
    )
    seat_of = [seating.index(i) for i in range(len(seating))]
    score = getattr(ending, PLAYERS[kind].score)
    return Played(
        record=record,
        rank=tuple([ending.rank[seat] for seat in seat_of]),
        score=tuple([score[seat] for seat in seat_of]),
    )
