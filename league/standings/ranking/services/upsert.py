"""Storing what a ranking keeps of its players, in one statement, and only where it has changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from league.core import sql


def players_store(table: str, ranking_id: int, columns: Sequence[str], rows: Mapping[int, Sequence[object]]) -> int:
    """Store rows by player, each with these columns; returns how many are new or others than before.

    They travel as JSON, in which a column can be a list, and a float is the same to the last bit.
    """
    if not rows:
        return 0
    records = [
        {"ranking_id": ranking_id, "player_id": player, **dict(zip(columns, row, strict=True))}
        for player, row in rows.items()
    ]
    before, after = (", ".join([f"{row}.{column}" for column in columns]) for row in (table, "excluded"))
    return sql.execute(
        f"INSERT INTO {table} SELECT * FROM json_populate_recordset(NULL::{table}, %s::json)"
        f" ON CONFLICT (ranking_id, player_id) DO UPDATE SET ({', '.join(columns)}) = ROW ({after})"
        f" WHERE ({before}) IS DISTINCT FROM ({after})",
        [json.dumps(records, default=str)],
    )
