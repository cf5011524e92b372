"""The file that says for whom seats count: a substitute's for somebody else, a guest's for
nobody."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from engine.cells import text_of
from engine.cli.csv_file import ENCODING, Row, csv_rows
from engine.illegal import Illegal, Refused, quote
from engine.messages import say
from engine.scoring.finished_game import FinishedGame

COLUMNS: Final = ["game", "seat", "counts_for"]
LARGEST: Final = 3
"""Figures that the number of a seat has at most."""

Seats: TypeAlias = Mapping[str, Mapping[int, str | None]]
"""By the id of a game's record and the number of a seat, from 1, the handle of the player for whom
it counts today; None: for nobody."""


def read_seats(file: str) -> Seats | Illegal:
    """Read for whom seats count from CSV in UTF-8 with the columns `game`, `seat` and `counts_for`.

    `bad_record`, with the line, for anything else. OSError if it can't be read.
    """
    try:
        with open(file, encoding=ENCODING, errors="replace", newline="") as stream:
            return _read(csv_rows(stream))
    except Refused as refused:
        return refused.illegal


def _read(rows: Iterator[Row]) -> Seats | Illegal:
    seats: dict[str, dict[int, str | None]] = {}
    _, head = next(rows, Row(1, []))
    if head != COLUMNS:
        return Illegal(
            "bad_record", say("the first line must be {columns}", columns=",".join(COLUMNS))
        )
    for line, cells in rows:
        if len(cells) != len(COLUMNS):
            return Illegal(
                "bad_record",
                say("line {line} must have {count} columns", line=line, count=len(COLUMNS)),
            )
        game, seat, player = map(text_of, cells)
        if not (seat.isascii() and seat.isdigit() and len(seat) <= LARGEST and int(seat)):
            return Illegal(
                "bad_record",
                say("line {line}: {seat} is no number of a seat", line=line, seat=quote(seat)),
            )
        if int(seat) in seats.setdefault(game, {}):
            return Illegal(
                "bad_record",
                say("line {line} names a seat of {game} again", line=line, game=quote(game)),
            )
        seats[game][int(seat)] = player or None
    return seats


def counting_for(game: FinishedGame, seats: Seats) -> FinishedGame | Illegal:
    """The game with those for whom its seats count; `bad_record` for a seat that it hasn't."""
    stand_ins = seats.get(game.record_id, {})
    if any(number > len(game.players) for number in stand_ins):
        return Illegal(
            "bad_record",
            say("{game} has {count} seats", game=quote(game.record_id), count=len(game.players)),
            path="seats",
        )
    counts_for = [
        stand_ins.get(number, player) for number, player in enumerate(game.players, start=1)
    ]
    return game._replace(counts_for=tuple(counts_for))
