"""Read the file of arbiters' adjustments to games: ranks in a ruled order, and penalty points."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from engine.cells import text_of
from engine.cli.csv_file import Row, bad_record, is_positive, read_csv
from engine.illegal import Illegal, quote
from engine.messages import say
from engine.scoring.finished_game import FinishedGame, as_ruled
from engine.scoring.points import MOST_PENALTY, Scoring, is_ranking

COLUMNS: Final = ["game", "seat", "rank", "penalty"]


class SeatAdjustment(NamedTuple):
    """The adjustment of a seat.

    `rank` is its rank in the ruled order, None if there is none.
    """

    rank: int | None
    penalty: int


SeatAdjustments: TypeAlias = Mapping[str, Mapping[int, SeatAdjustment]]
"""Adjustments by the id of a game's record and the number of a seat, from 1."""


def read_adjustments(file: str) -> SeatAdjustments | Illegal:
    """Return the adjustments in a CSV file.

    It is in UTF-8 and has the columns `game`, `seat`, `rank` and `penalty`. Without a `rank` no
    order was ruled; without a `penalty` no points are taken off. Error: `bad_record`, with the
    line, for anything else. Raise OSError if the file can't be read.
    """
    return read_csv(file, _read)


def _read(rows: Iterator[Row]) -> SeatAdjustments | Illegal:
    adjustments: dict[str, dict[int, SeatAdjustment]] = {}
    head = next(rows, Row(1, [])).cells
    if head != COLUMNS:
        return bad_record(say("the first line must be {columns}", columns=",".join(COLUMNS)))
    for line, cells in rows:
        if len(cells) != len(COLUMNS):
            return bad_record(
                say("line {line} must have {count} columns", line=line, count=len(COLUMNS))
            )
        game, seat, rank, penalty = map(text_of, cells)
        if not is_positive(seat):
            return bad_record(
                say("line {line}: {seat} isn't a seat number", line=line, seat=quote(seat))
            )
        if rank and not is_positive(rank):
            return bad_record(say("line {line}: {rank} isn't a rank", line=line, rank=quote(rank)))
        if penalty and not is_positive(penalty):
            return bad_record(
                say(
                    "line {line}: {penalty} isn't from 1 to {most} points",
                    line=line,
                    penalty=quote(penalty),
                    most=MOST_PENALTY,
                )
            )
        game_adjustments = adjustments.setdefault(game, {})
        if int(seat) in game_adjustments:
            return bad_record(
                say("line {line} names a seat of {game} again", line=line, game=quote(game))
            )
        game_adjustments[int(seat)] = SeatAdjustment(int(rank) if rank else None, int(penalty or 0))
    return adjustments


def adjusted(
    game: FinishedGame, scoring: Scoring, adjustments: SeatAdjustments
) -> FinishedGame | Illegal:
    """Return the game with its adjustments.

    Error: `bad_record` for a seat that the game lacks, and for an order that isn't a ranking of all
    seats.
    """
    game_adjustments = adjustments.get(game.record_id)
    if not game_adjustments:
        return game
    numbers = range(1, len(game.players) + 1)
    if any(number not in numbers for number in game_adjustments):
        message = say(
            "{game} has {count} seats", game=quote(game.record_id), count=len(game.players)
        )
        return bad_record(message, "adjustments")

    unchanged = SeatAdjustment(rank=None, penalty=0)
    seats = [game_adjustments.get(number, unchanged) for number in numbers]
    counted = game._replace(penalties=tuple([seat.penalty for seat in seats]))
    ranks = [seat.rank for seat in seats if seat.rank is not None]
    if not ranks:
        return counted
    if len(ranks) < len(seats) or not is_ranking(ranks):
        message = say("the order set for {game} must rank each seat", game=quote(game.record_id))
        return bad_record(message, "adjustments")
    return as_ruled(counted, scoring, tuple(ranks))
