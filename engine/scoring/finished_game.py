"""Games as a ranking counts them, taken from records, and their order of play."""

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from typing import Final, NamedTuple

from engine.illegal import Illegal
from engine.messages import say
from engine.record.record import Record
from engine.record.verdict import Verdict
from engine.scoring.dated_tally import DatedTally, day_of
from engine.scoring.natural import natural
from engine.scoring.points import Scoring, game_points, placement, points_as_ruled
from engine.scoring.tally import tally_of_game

UNDATED: Final = datetime.max.replace(tzinfo=UTC)
"""Where a game without a time stands in the order of play: after all that have one."""


class FinishedGame(NamedTuple):
    """One game as a ranking counts it: players by handle, ranks and points by its scoring, all in
    seat order.

    `counts_for`: for whom each seat counts, None: for nobody. It is rated for who sat there.
    `penalties`: the points that penalties take off each seat; empty without one."""

    record_id: str
    played_at: datetime | None
    players: tuple[str, ...]
    rank: tuple[int, ...]
    points: tuple[int, ...]
    counts_for: tuple[str | None, ...]
    penalties: tuple[int, ...] = ()


def finished_game(
    record: Record, verdict: Verdict, scoring: Scoring
) -> FinishedGame | Illegal | None:
    """Read from a record that is ok what it brings by `scoring`; None while the game isn't over.

    `bad_record` if the game has no points by that scoring, or doesn't tell them. Rulings B12, B13,
    K13."""
    if verdict.rank is None:
        return None
    points = game_points(scoring, verdict.ending)
    if points is None:
        return _no_points(record, scoring)
    return FinishedGame(
        record.record_id, record.instant, record.seats, verdict.rank, points, record.seats
    )


def _no_points(record: Record, scoring: Scoring) -> Illegal:
    """The fault of a game that is over and tells no points by that scoring."""
    if record.outcome is None:
        return Illegal("bad_record", say("the game brings no points by {scoring}", scoring=scoring))
    return Illegal(
        "bad_record",
        say("only the end of the game is known, and not its points by {scoring}", scoring=scoring),
        path="outcome.points",
    )


def as_ruled(game: FinishedGame, scoring: Scoring, order: tuple[int, ...]) -> FinishedGame:
    """The game with its seats in the order that an arbiter has set, as ranks in seat order, and the
    points of that."""
    points = (
        placement(order)
        if scoring == Scoring.PLACEMENT
        else points_as_ruled(game.points, game.rank, order)
    )
    return game._replace(rank=order, points=points)


def in_order_of_play(games: Iterable[FinishedGame]) -> list[FinishedGame]:
    """By the instant they were played at, undated ones last; those of one instant in the natural
    order of their ids."""
    return sorted(games, key=lambda game: (game.played_at or UNDATED, natural(game.record_id)))


def dated_tallies(games: Iterable[FinishedGame], zone: tzinfo) -> dict[str, DatedTally]:
    """The tallies of all for whom a seat counts, by handle; days of play are those of `zone`."""
    rows: dict[str, DatedTally] = {}
    for game in games:
        day = day_of(game.played_at, zone)
        penalties = game.penalties or (0,) * len(game.rank)
        for player, rank, points, penalty in zip(
            game.counts_for, game.rank, game.points, penalties, strict=True
        ):
            if player is None:
                continue
            rows[player] = rows.get(player, DatedTally()).add(
                day, tally_of_game(rank, points, penalty)
            )
    return rows
