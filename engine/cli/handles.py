"""Read the file of handles: a player may have had another one when a game was entered."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine.cells import text_of
from engine.cli.csv_file import Row, bad_record, read_csv
from engine.illegal import Illegal, quote
from engine.messages import say
from engine.scoring.finished_game import FinishedGame

COLUMNS: Final = ["handle", "player", "id"]
WITHOUT_ID: Final = COLUMNS[:2]
"""The columns of files published before there were ids."""


class Handles(NamedTuple):
    """The handles in records, with the players who have them today.

    `players` maps each handle in the records to its player's current handle, and `ids` maps current
    handles to the ids of players, which order those who share a rank. A handle that isn't listed is
    its own current one, and has no id.
    """

    players: Mapping[str, str]
    ids: Mapping[str, str]


NO_HANDLES: Final = Handles({}, {})


def read_handles(file: str) -> Handles | Illegal:
    """Return the handles in a CSV file.

    It is in UTF-8 and has the columns `handle`, `player` and perhaps `id`. Error: `bad_record`,
    with the line, for anything else. Raise OSError if the file can't be read.
    """
    return read_csv(file, _read)


def _read(rows: Iterator[Row]) -> Handles | Illegal:
    players: dict[str, str] = {}
    ids: dict[str, str] = {}
    head = next(rows, Row(1, [])).cells
    if head not in (COLUMNS, WITHOUT_ID):
        return bad_record(say("the first line must be {columns}", columns=",".join(COLUMNS)))
    for line, cells in rows:
        if len(cells) != len(head):
            return bad_record(
                say("line {line} must have {count} columns", line=line, count=len(head))
            )
        handle, player, *player_id = map(text_of, cells)
        contradicts = players.setdefault(handle, player) != player
        if player_id and not contradicts:
            contradicts = ids.setdefault(player, player_id[0]) != player_id[0]
        if contradicts:
            return bad_record(
                say(
                    "line {line} contradicts an earlier line about {handle}",
                    line=line,
                    handle=quote(handle),
                )
            )
    return Handles(players, ids)


def with_current_handles(
    game: FinishedGame, current_handles: Mapping[str, str]
) -> FinishedGame | Illegal:
    """Return the game with the handles that its players have today; each seat counts for its
    player.

    `current_handles` maps each handle in records to the current one of its player; a handle that it
    lacks is current. Error: `conflict` if a player would have two seats."""
    players = tuple([current_handles.get(handle, handle) for handle in game.players])
    for player in players:
        if players.count(player) > 1:
            return Illegal(
                "conflict",
                say("{player} would sit there twice", player=quote(player)),
                path="seats",
            )
    return game._replace(players=players, counts_for=players)
