"""Read the file of seats that count for another player (substitutes) or for nobody (guests)."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from engine.cells import text_of
from engine.cli.csv_file import ENCODING, Row, csv_rows, is_positive
from engine.illegal import Illegal, Refused, quote
from engine.messages import Message, say
from engine.scoring.finished_game import FinishedGame

COLUMNS: Final = ["game", "seat", "counts_for"]

Seats: TypeAlias = Mapping[str, Mapping[int, str | None]]
"""The players that seats count for: the current handle, None for nobody, by the id of a game's
record and the number of the seat, from 1.
"""


def read_seats(file: str) -> Seats | Illegal:
    """Return the seats in a CSV file.

    It is in UTF-8 and has the columns `game`, `seat` and `counts_for`. `bad_record`, with the line,
    for anything else. OSError if the file can't be read.
    """
    try:
        with open(file, encoding=ENCODING, errors="replace", newline="") as stream:
            return _read(csv_rows(stream))
    except Refused as refused:
        return refused.illegal


def _read(rows: Iterator[Row]) -> Seats | Illegal:
    seats: dict[str, dict[int, str | None]] = {}
    head = next(rows, Row(1, []))
    if head.cells != COLUMNS:
        return _bad(say("the first line must be {columns}", columns=",".join(COLUMNS)))
    for line, cells in rows:
        if len(cells) != len(COLUMNS):
            return _bad(say("line {line} must have {count} columns", line=line, count=len(COLUMNS)))
        game, seat, player = map(text_of, cells)
        if not is_positive(seat):
            return _bad(
                say("line {line}: {seat} is no number of a seat", line=line, seat=quote(seat))
            )
        of_game = seats.setdefault(game, {})
        if int(seat) in of_game:
            return _bad(
                say("line {line} names a seat of {game} again", line=line, game=quote(game))
            )
        of_game[int(seat)] = player or None
    return seats


def _bad(message: Message, path: str | None = None) -> Illegal:
    return Illegal("bad_record", message, path=path)


def counting_for(game: FinishedGame, seats: Seats) -> FinishedGame | Illegal:
    """Return the game with the players its seats count for; `bad_record` for a seat it lacks."""
    of_game = seats.get(game.record_id, {})
    if any(number > len(game.players) for number in of_game):
        message = say(
            "{game} has {count} seats", game=quote(game.record_id), count=len(game.players)
        )
        return _bad(message, "seats")
    counts_for = [
        of_game.get(number, player) for number, player in enumerate(game.players, start=1)
    ]
    return game._replace(counts_for=tuple(counts_for))
