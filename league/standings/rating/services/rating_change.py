"""Storing how games changed ratings. One late game changes tens of thousands of rows, so they
travel in the database's binary format, which keeps a float exact to the last bit.

Source: PostgreSQL's manual, COPY, «Binary Format», and `array_send`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.db import connection

from engine.rating.history import History

HEAD: Final = b"PGCOPY\n\xff\r\n\0" + bytes(8)
"""The start of a binary copy: the signature, no flags, no extension."""
END: Final = b"\xff\xff"
FLOAT: Final = 701
"""PostgreSQL's OID of the type float8."""
FIGURES: Final = 4
"""Numbers for each seat: mu and sigma before the game, and after it."""
KEYS: Final = 2 + 2 * (4 + 4) + 4
"""Bytes of a row before its array: the number of columns, the two ids with their sizes, and the
size of the array."""


class RatedGame(NamedTuple):
    """A finished game in a ranking: its players and their ranks in seat order."""

    game_id: int
    players: Sequence[int]
    ranks: Sequence[int]


def changes_store(
    ranking_id: int,
    games: Sequence[RatedGame],
    history: History[int],
    stored: Mapping[int, bytes] | None,
) -> int:
    """Store the rating changes of games that differ from the stored ones; return the number of such
    games. `stored`: the stored arrays by game id, as the database sends them; None if they weren't
    read, empty if none are stored."""
    rows = _rows(ranking_id, games, history)
    changed = list(rows)
    if stored is not None:
        changed = [game for game, row in rows.items() if stored.get(game) != row[KEYS:]]
    if not changed:
        return 0
    with connection.cursor() as cursor:
        may_replace = stored is None or stored
        if may_replace:
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
    """Return the rows of games in binary COPY format, by game id."""
    import numpy as np  # heavy: only the job that rates needs it

    sizes = np.array([len(game.players) for game in games])
    first_rows = np.cumsum(sizes) - sizes
    columns = np.array([history.mu_before, history.sigma_before, history.mu, history.sigma])
    rows: dict[int, bytes] = {}
    for seats in set(sizes.tolist()):
        numbers = np.flatnonzero(sizes == seats)
        ids = [games[number].game_id for number in numbers.tolist()]
        table = np.zeros(len(ids), _numpy_row_layout(seats))
        table["columns"] = 3
        table["ranking_size"] = 4
        table["ranking"] = ranking_id
        table["game_size"] = 4
        table["game"] = ids
        table["seats_size"] = table.dtype.itemsize - KEYS
        # dimensions, no nulls, type; size and first index of each dimension
        table["array"] = [2, 0, FLOAT, seats, 1, FIGURES, 1]
        table["seats"]["size"] = 8
        seat_columns = columns[:, first_rows[numbers, None] + np.arange(seats)]
        table["seats"]["figure"] = seat_columns.transpose(1, 2, 0)

        content = table.tobytes()
        size = table.dtype.itemsize
        for number, game in enumerate(ids):
            rows[game] = content[number * size : (number + 1) * size]
    return rows


def _numpy_row_layout(seats: int) -> list[Any]:
    return [
        ("columns", ">i2"),
        ("ranking_size", ">i4"),
        ("ranking", ">i4"),
        ("game_size", ">i4"),
        ("game", ">i4"),
        ("seats_size", ">i4"),
        ("array", ">i4", 7),
        ("seats", [("size", ">i4"), ("figure", ">f8")], (seats, FIGURES)),
    ]
