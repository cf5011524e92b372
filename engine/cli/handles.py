"""The file that says whose each handle is: the players of a ranking may have had others when games were entered."""

import csv
from collections.abc import Mapping, Sequence
from typing import Final

from engine.cells import text_of
from engine.illegal import Illegal, quote
from engine.messages import say
from engine.scoring.finished_game import FinishedGame

COLUMNS: Final = ["handle", "player"]


def read_handles(file: str) -> dict[str, str] | Illegal:
    """By handle as records tell it, the handle of its player today; handles that aren't there are their own.

    The file is CSV in UTF-8 with the columns `handle` and `player`. `bad_record`, with the line, for anything else.
    OSError if it can't be read.
    """
    players: dict[str, str] = {}
    with open(file, encoding="utf-8", errors="replace", newline="") as stream:
        rows = csv.reader(stream)
        if next(rows, None) != COLUMNS:
            return Illegal("bad_record", say("the first line must be {columns}", columns=",".join(COLUMNS)))
        for row in rows:
            if len(row) != len(COLUMNS):
                return Illegal("bad_record", say("line {line} must have two columns", line=rows.line_num))
            handle, player = map(text_of, row)
            if players.setdefault(handle, player) != player:
                message = say("line {line} says something else of {handle}", line=rows.line_num, handle=quote(handle))
                return Illegal("bad_record", message)
    return players


def of_players(game: FinishedGame, players: Mapping[str, str]) -> FinishedGame | Illegal:
    """The game with today's handles of its players; `conflict` if one would sit there twice."""
    seats: Sequence[str] = [players.get(handle, handle) for handle in game.players]
    twice = next((player for player in seats if seats.count(player) > 1), None)
    if twice is not None:
        return Illegal("conflict", say("{player} would sit there twice", player=quote(twice)), path="seats")
    return game._replace(players=tuple(seats))
