"""Games as a ranking counts them, read from records, and their order of play."""

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
"""The time used to sort games without a time: after all others."""


class FinishedGame(NamedTuple):
    """A game as a ranking counts it, in seat order: players by handle, ranks and points.

    `points`: by the ranking's scoring. `counts_for`: the player each seat counts for, None for
    nobody; ratings go to the player who sat there. `penalties`: the points that penalties deduct
    from each seat; empty if there are none.
    """

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
    """Return the game of a valid record as `scoring` counts it; None while the game isn't over.

    `verdict`: of the checker on the record. Error: `bad_record` if the game has no points by that
    scoring, or they aren't known.
    """
    if verdict.rank is None:
        return None
    points = game_points(scoring, verdict.ending)
    if points is None:
        return _no_points(record, scoring)
    return FinishedGame(
        record_id=record.record_id,
        played_at=record.instant,
        players=record.seats,
        rank=verdict.rank,
        points=points,
        counts_for=record.seats,
    )


def _no_points(record: Record, scoring: Scoring) -> Illegal:
    if record.outcome is None:
        return Illegal("bad_record", say("the game gives no points by {scoring}", scoring=scoring))
    return Illegal(
        "bad_record",
        say("only the end of the game is known, not its points by {scoring}", scoring=scoring),
        path="outcome.points",
    )


def as_ruled(game: FinishedGame, scoring: Scoring, order: tuple[int, ...]) -> FinishedGame:
    """Return the game in the order that an arbiter has set, with the points of that order.

    `order`: the rank that the arbiter gave each seat.
    """
    if scoring == Scoring.PLACEMENT:
        return game._replace(rank=order, points=placement(order))
    return game._replace(rank=order, points=points_as_ruled(game.points, game.rank, order))


def in_order_of_play(games: Iterable[FinishedGame]) -> list[FinishedGame]:
    """Return games by time, undated ones last, and by the natural order of their ids."""
    return sorted(games, key=lambda game: (game.played_at or UNDATED, natural(game.record_id)))


def dated_tallies(games: Iterable[FinishedGame], zone: tzinfo) -> dict[str, DatedTally]:
    """Return the tally of each player for whom a seat counts, by handle, with days in `zone`."""
    rows: dict[str, DatedTally] = {}
    for game in games:
        day = day_of(game.played_at, zone)
        penalties = game.penalties or (0,) * len(game.rank)
        seats = zip(game.counts_for, game.rank, game.points, penalties, strict=True)
        for player, rank, points, penalty in seats:
            if player is not None:
                row = rows.get(player, DatedTally())
                rows[player] = row.add(day, tally_of_game(rank, points, penalty))
    return rows
