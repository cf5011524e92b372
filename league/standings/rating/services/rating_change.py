"""Storing what games did to ratings: tens of thousands of rows after one late game, so they travel
as the database's own bytes, in which a float is the same to the last bit.

Source of their form: PostgreSQL's manual, COPY, «Binary Format», and `array_send`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.db import connection

from engine.rating.history import History

HEAD: Final = b"PGCOPY\n\xff\r\n\0" + bytes(8)
"""The beginning of a binary copy: the signature, no flags, no extension."""
END: Final = b"\xff\xff"
FLOAT: Final = 701
"""The database's number of its type for floats of eight bytes."""
FIGURES: Final = 4
"""Of each seat: mu and sigma before the game, and after it."""
KEYS: Final = 2 + 2 * (4 + 4) + 4
"""Bytes of a row before its figures: the number of columns, the sizes of the ids and the ids, the
size of the array."""


class RatedGame(NamedTuple):
    """A game that is over, in a ranking: its players and their ranks in seat order."""

    game_id: int
    players: Sequence[int]
    ranks: Sequence[int]


def changes_store(
    ranking_id: int,
    games: Sequence[RatedGame],
    history: History[int],
    stored: Mapping[int, bytes] | None,
) -> int:
    """Store what games did to the ratings, where it is another than what is `stored`: arrays as the
    database sends them, by the game's id; None: that isn't known. Returns of how many games it was
    another."""
    rows = _rows(ranking_id, games, history)
    changed = [
        game for game, row in rows.items() if stored is None or stored.get(game) != row[KEYS:]
    ]
    if not changed:
        return 0
    with connection.cursor() as cursor:
        if stored is None or stored:
            cursor.execute(
                "DELETE FROM league_ratingchange WHERE ranking_id = %s AND game_id = ANY(%s)",
                [ranking_id, changed],
            )
        with cursor.copy(
            "COPY league_ratingchange (ranking_id, game_id, seats) FROM STDIN (FORMAT binary)"
        ) as copy:
            copy.write(b"".join([HEAD, *[rows[game] for game in changed], END]))
    return len(changed)


def _rows(ranking_id: int, games: Sequence[RatedGame], history: History[int]) -> dict[int, bytes]:
    """The rows of games as a binary copy takes them, by the game's id."""
    import numpy as np  # for the job that rates

    sizes = np.array([len(game.players) for game in games])
    first_rows = np.cumsum(sizes) - sizes
    columns = np.array([history.mu_before, history.sigma_before, history.mu, history.sigma])
    rows: dict[int, bytes] = {}
    for seats in set(sizes.tolist()):
        numbers = np.flatnonzero(sizes == seats)
        ids = [games[number].game_id for number in numbers.tolist()]
        layout = [
            *[
                ("columns", ">i2"),
                ("ranking_size", ">i4"),
                ("ranking", ">i4"),
                ("game_size", ">i4"),
                ("game", ">i4"),
            ],
            *[
                ("seats_size", ">i4"),
                ("array", ">i4", 7),
                ("seats", [("size", ">i4"), ("figure", ">f8")], (seats, FIGURES)),
            ],
        ]
        table = np.zeros(len(ids), layout)
        table["columns"], table["ranking_size"], table["game_size"] = 3, 4, 4
        table["ranking"], table["game"] = ranking_id, ids
        table["seats_size"] = table.dtype.itemsize - KEYS
        table["array"] = [
            2,
            0,
            FLOAT,
            seats,
            1,
            FIGURES,
            1,
        ]  # dimensions, no nulls, type; size and first index of each
        table["seats"]["size"] = 8
        table["seats"]["figure"] = columns[
            :, first_rows[numbers, None] + np.arange(seats)
        ].transpose(1, 2, 0)
        content, size = table.tobytes(), table.dtype.itemsize
        rows |= {
            game: content[number * size : (number + 1) * size] for number, game in enumerate(ids)
        }
    return rows
