"""Read the file of seats that count for another player (substitutes) or for nobody (guests)."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from engine.cells import text_of
from engine.cli.csv_file import Row, bad_record, is_positive, read_csv
from engine.illegal import Illegal, quote
from engine.messages import say
from engine.scoring.finished_game import FinishedGame

COLUMNS: Final = ["game", "seat", "counts_for"]

Seats: TypeAlias = Mapping[str, Mapping[int, str | None]]
"""The players that seats count for: the current handle, None for nobody, by the id of a game's
record and the number of the seat, from 1.
"""


def read_seats(file: str) -> Seats | Illegal:
    """Return the seats in a CSV file.

    It is in UTF-8 and has the columns `game`, `seat` and `counts_for`. Error: `bad_record`, with
    the line, for anything else. Raise OSError if the file can't be read.
    """
    return read_csv(file, _read)


def _read(rows: Iterator[Row]) -> Seats | Illegal:
    seats: dict[str, dict[int, str | None]] = {}
    head = next(rows, Row(1, [])).cells
    if head != COLUMNS:
        return bad_record(say("the first line must be {columns}", columns=",".join(COLUMNS)))
    for line, cells in rows:
        if len(cells) != len(COLUMNS):
            return bad_record(
                say("line {line} must have {count} columns", line=line, count=len(COLUMNS))
            )
        game, seat, player = map(text_of, cells)
        if not is_positive(seat):
            return bad_record(
                say("line {line}: {seat} isn't a seat number", line=line, seat=quote(seat))
            )
        game_seats = seats.setdefault(game, {})
        if int(seat) in game_seats:
            return bad_record(
                say("line {line} names a seat of {game} again", line=line, game=quote(game))
            )
        game_seats[int(seat)] = player or None
    return seats


def counting_for(game: FinishedGame, seats: Seats) -> FinishedGame | Illegal:
    """Return the game with the players for whom its seats count: those in `seats`, for all other
    seats their own players.

    Error: `bad_record` if `seats` has a seat that the game lacks."""
    game_seats = seats.get(game.record_id, {})
    if any(number > len(game.players) for number in game_seats):
        message = say(
            "{game} has {count} seats", game=quote(game.record_id), count=len(game.players)
        )
        return bad_record(message, "seats")
    counts_for = [
        game_seats.get(number, player) for number, player in enumerate(game.players, start=1)
    ]
    return game._replace(counts_for=tuple(counts_for))
