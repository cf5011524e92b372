"""The file of what arbiters have adjusted in games: the ranks of seats in an order that was set,
and penalty points."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.cells import text_of
from engine.cli.csv_file import ENCODING, Row, csv_rows
from engine.illegal import Illegal, Refused, quote
from engine.messages import Message, say
from engine.scoring.finished_game import FinishedGame, as_ruled
from engine.scoring.points import MOST_PENALTY, Scoring, is_ranking

COLUMNS: Final = ["game", "seat", "rank", "penalty"]
FIGURES: Final = 3
"""Figures that a number in the file has at most."""


class SeatAdjustment(NamedTuple):
    """What was adjusted at a seat: its rank in the order that was set, None where none was, and its
    penalty."""

    rank: int | None
    penalty: int


SeatAdjustments: TypeAlias = Mapping[str, Mapping[int, SeatAdjustment]]
"""By the id of a game's record and the number of a seat, from 1, what was adjusted there."""


def read_adjustments(file: str) -> SeatAdjustments | Illegal:
    """Read what was adjusted at seats from CSV in UTF-8 with the columns `game`, `seat`, `rank` and
    `penalty`.

    An empty `rank`: no order was set. An empty `penalty`: no points are taken off. `bad_record`,
    with the line, for anything else. OSError if it can't be read."""
    try:
        with open(file, encoding=ENCODING, errors="replace", newline="") as stream:
            return _read(csv_rows(stream))
    except Refused as refused:
        return refused.illegal


def _read(rows: Iterator[Row]) -> SeatAdjustments | Illegal:
    adjustments: dict[str, dict[int, SeatAdjustment]] = {}
    _, head = next(rows, Row(1, []))
    if head != COLUMNS:
        return _bad(say("the first line must be {columns}", columns=",".join(COLUMNS)))
    for line, cells in rows:
        if len(cells) != len(COLUMNS):
            return _bad(say("line {line} must have {count} columns", line=line, count=len(COLUMNS)))
        game, seat, rank, penalty = map(text_of, cells)
        if not _is_number(seat):
            return _bad(
                say("line {line}: {seat} is no number of a seat", line=line, seat=quote(seat))
            )
        if rank and not _is_number(rank):
            return _bad(say("line {line}: {rank} is no rank", line=line, rank=quote(rank)))
        if penalty and not _is_number(penalty):
            return _bad(
                say(
                    "line {line}: {penalty} isn't from 1 to {most} points",
                    line=line,
                    penalty=quote(penalty),
                    most=MOST_PENALTY,
                )
            )
        if int(seat) in adjustments.setdefault(game, {}):
            return _bad(
                say("line {line} names a seat of {game} again", line=line, game=quote(game))
            )
        adjustments[game][int(seat)] = SeatAdjustment(
            int(rank) if rank else None, int(penalty or 0)
        )
    return adjustments


def _is_number(text: str) -> bool:
    """Return True for a whole number from 1 on, of a few figures."""
    return text.isascii() and text.isdigit() and len(text) <= FIGURES and int(text) > 0


def adjusted(
    game: FinishedGame, scoring: Scoring, adjustments: SeatAdjustments
) -> FinishedGame | Illegal:
    """The game as it counts with its adjustments.

    `bad_record` for a seat that it hasn't, and for an order that leaves a seat out or has no such
    ranks."""
    of_game = adjustments.get(game.record_id)
    if not of_game:
        return game
    if any(number > len(game.players) for number in of_game):
        message = say(
            "{game} has {count} seats", game=quote(game.record_id), count=len(game.players)
        )
        return _bad(message, "adjustments")
    seats = [
        of_game.get(number, SeatAdjustment(None, 0)) for number in range(1, len(game.players) + 1)
    ]
    counted = game._replace(penalties=tuple([seat.penalty for seat in seats]))
    ranks = [seat.rank for seat in seats if seat.rank is not None]
    if not ranks:
        return counted
    if not _is_order(ranks, len(seats)):
        return _bad(
            say("the order set for {game} must rank each seat", game=quote(game.record_id)),
            "adjustments",
        )
    return as_ruled(counted, scoring, tuple(ranks))


def _is_order(ranks: Sequence[int], seats: int) -> bool:
    return len(ranks) == seats and is_ranking(ranks)


def _bad(message: Message, path: str | None = None) -> Illegal:
    return Illegal("bad_record", message, path=path)
