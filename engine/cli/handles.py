"""The file that says whose each handle is: the players of a ranking may have had others when games
were entered."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.cells import text_of
from engine.cli.csv_file import ENCODING, Row, csv_rows
from engine.illegal import Illegal, Refused, quote
from engine.messages import say
from engine.scoring.finished_game import FinishedGame

COLUMNS: Final = ["handle", "player", "id"]
WITHOUT_ID: Final = COLUMNS[:2]
"""The columns of a file that was published before it told ids."""


class Handles(NamedTuple):
    """Of each handle that records tell the handle of its player today (`players`), and of each of
    these the id of the player (`ids`), by which those who share a rank are ordered. Handles that
    aren't there are their own, and have no id."""

    players: Mapping[str, str]
    ids: Mapping[str, str]


NO_HANDLES: Final = Handles({}, {})


def read_handles(file: str) -> Handles | Illegal:
    """Read whose handles are from CSV in UTF-8 with the columns `handle` and `player`, and perhaps
    `id`.

    `bad_record`, with the line, for anything else. OSError if it can't be read.
    """
    try:
        with open(file, encoding=ENCODING, errors="replace", newline="") as stream:
            return _read(csv_rows(stream))
    except Refused as refused:
        return refused.illegal


def _read(rows: Iterator[Row]) -> Handles | Illegal:
    players: dict[str, str] = {}
    ids: dict[str, str] = {}
    _, head = next(rows, Row(1, []))
    if head not in (COLUMNS, WITHOUT_ID):
        return Illegal(
            "bad_record", say("the first line must be {columns}", columns=",".join(COLUMNS))
        )
    for line, cells in rows:
        if len(cells) != len(head):
            return Illegal(
                "bad_record",
                say("line {line} must have {count} columns", line=line, count=len(head)),
            )
        handle, player, *player_id = map(text_of, cells)
        same = players.setdefault(handle, player) == player
        if not same or (player_id and ids.setdefault(player, player_id[0]) != player_id[0]):
            return Illegal(
                "bad_record",
                say("line {line} says something else of {handle}", line=line, handle=quote(handle)),
            )
    return Handles(players, ids)


def of_players(game: FinishedGame, players: Mapping[str, str]) -> FinishedGame | Illegal:
    """The game with today's handles of its players; `conflict` if one would sit there twice."""
    seats: Sequence[str] = [players.get(handle, handle) for handle in game.players]
    twice = next((player for player in seats if seats.count(player) > 1), None)
    if twice is not None:
        return Illegal(
            "conflict", say("{player} would sit there twice", player=quote(twice)), path="seats"
        )
    return game._replace(players=tuple(seats), counts_for=tuple(seats))
