"""Indexes: each is asked for by something that no other one serves, and one more on the big tables
is a choice."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import pytest
from django.apps import apps
from django.db import connection

pytestmark = pytest.mark.django_db


class Index(NamedTuple):
    """An index over `columns`. `keys`: each with what it is compared by; `rows`: the condition of a
    partial one.

    A comparison by pattern of a text in collation C is the usual comparison.
    """

    table: str
    name: str
    unique: bool
    rows: str
    keys: list[str]
    columns: str


STATEMENT = """
    SELECT indrelid::regclass::text, indexrelid::regclass::text, indisunique,
        COALESCE(pg_get_expr(indpred, indrelid), ''),
        ARRAY(
            SELECT pg_get_indexdef(indexrelid, place, true) || ' ' || CASE
                WHEN collname = 'C' THEN 'C' ELSE opcname || ' ' || COALESCE(collname, '') END
            FROM generate_series(1, indnkeyatts) place
            JOIN pg_opclass ON pg_opclass.oid = indclass[place - 1]
            LEFT JOIN pg_collation ON pg_collation.oid = indcollation[place - 1]
            ORDER BY place
        ),
        (SELECT string_agg(pg_get_indexdef(indexrelid, place, true), ', ' ORDER BY place)
            FROM generate_series(1, indnkeyatts) place)
    FROM pg_index WHERE indrelid::regclass::text = ANY(%s) ORDER BY 1, 2
"""
BIG = {
    "games_game": ["id", "public_id", "replaces_id", "source, external_id, revision"],
    "games_round": ["game_id, number"],
    "games_seat": ["game_id, number"],
    "league_appearance": [
        "counts_for_id, ranking_id",
        "player_id, ranking_id",
        "ranking_id",
        "ranking_id, counts_for_id",
        "ranking_id, game_id, seat",
    ],
    "league_gamestyle": ["game_id"],
    "league_logentry": ['club_id, "position"', "club_id, subject"],
    "league_rankedgame": [
        "ranking_id",
        "ranking_id, event, played_at, natural_id",
        "ranking_id, game_id",
        "ranking_id, played_at, natural_id",
    ],
    "league_seasongame": ["game_id", "season_id"],
}
"""The tables that grow with every game, and the columns of their indexes.

Those by ranking alone hold only the few games of which nothing but the end is known, and the few
seats that count for somebody else; that by subject only the few entries that say who takes part in
a stage. """


def indexes() -> list[Index]:
    """All indexes of our own tables; those between accounts and Django's groups are Django's."""
    tables = [
        model._meta.db_table
        for app in ("games", "league")
        for model in apps.get_app_config(app).get_models()
    ]
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT, [tables])
        return [Index(*row) for row in cursor.fetchall()]


def is_served(index: Index, other: Index) -> bool:
    """Whether another index finds, and holds, all that this one does."""
    return (
        index.table == other.table
        and index.rows == other.rows
        and (not index.unique or (other.unique and index.keys == other.keys))
        and index.keys == other.keys[: len(index.keys)]
    )


def test_no_index_is_the_beginning_of_another() -> None:
    needless = [f"{a.name} by {b.name}" for a, b in permutations(indexes(), 2) if is_served(a, b)]
    assert needless == []


def test_the_tables_that_grow_with_every_game_have_these_indexes_and_no_more() -> None:
    columns: dict[str, list[str]] = {table: [] for table in BIG}
    for index in indexes():
        if index.table in BIG:
            columns[index.table].append(index.columns)
    assert {table: sorted(keys) for table, keys in columns.items()} == BIG
