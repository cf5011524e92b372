"""Seasons to measure: real games of tables drawn at random, and copies of them where there are to
be many."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import date, datetime
from itertools import count
from typing import Final

from django.conf import settings
from django.db import connection

from league.core.club.services import club_create
from league.core.log.services import Actor
from league.models import Season
from league.records.file.services import record_import
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import season_create
from league.up.roles import connected_as
from tests.factories.records import bluff_record, line

numbers = count(1)
dice = random.Random(1)


def new_season(players: int) -> Season:
    """A season of a new club in which so many players, named by `handle`, have played and been
    counted; four a table.

    With few players they meet again, until there are 100 games.
    """
    season = empty_season("season")
    for seat in range(0, players, 4):
        play(season, range(seat, seat + 4))
    for _ in range(100 - players // 4):
        play(season, dice.sample(range(players), 4))
    ranking_count(ranking_id=season.ranking_id)
    return season


def empty_season(slug: str) -> Season:
    """A season of a new club without a game."""
    name = f"bench-{next(numbers)}"
    club = club_create(actor=Actor(), slug=name, name=name)
    return season_create(
        actor=Actor(),
        club=club,
        slug=slug,
        name="Season",
        starts_on=date(2026, 9, 3),
        notes="rounds",
    )


def handle(player: int) -> str:
    """How the records name a player."""
    return f"player-{player:04}"


def play(season: Season, players: Iterable[int], played_at: datetime | None = None) -> None:
    """A game as an import brings it: sealed, waiting to be counted. Without a time it is later than
    all before it."""
    number = next(numbers)
    handles = [handle(player) for player in players]
    record = bluff_record(
        number, seats=handles, event=f"evening-{number // 40}", table=str(number % 10)
    )
    if played_at:
        record["played_at"] = played_at.isoformat()
    imported = record_import(season=season, line=line(record))
    assert imported.error is None, imported.error


COPIES: Final = """
    CREATE TEMPORARY TABLE copied AS SELECT game.id, game.public_id,
        max(game.id) OVER () + row_number() OVER (ORDER BY nth, game.id) AS copy_id,
        head.position + row_number() OVER (ORDER BY nth, game.id) AS position,
        translate(substr(md5(random()::text), 1, 10), 'ae01', 'kvwx') AS copy_public_id,
        game.external_id || '.' || count(*) OVER () || '.' || nth AS external_id,
        game.played_at - nth * interval '1 year' AS played_at
    FROM league_season season
    JOIN league_loghead head ON head.club_id = season.club_id
    JOIN league_seasongame member ON member.season_id = season.id
    JOIN games_game game ON game.id = member.game_id
    CROSS JOIN generate_series(1, %(copies)s) AS nth WHERE season.id = %(season)s
"""
COPY: Final = """
    INSERT INTO {table} ({columns}) SELECT {values}
    FROM copied JOIN {table} original ON original.{key} = copied.{of}
"""
OF_COPY: Final = {
    **dict.fromkeys(("id", "game_id"), "copied.copy_id"),
    **dict.fromkeys(("public_id", "subject"), "copied.copy_public_id"),
    **dict.fromkeys(("external_id", "natural_id"), "copied.external_id"),
    "position": "copied.position",
    "played_at": "copied.played_at",
}
"""The columns of which a copy has its own values; all others are the original's."""
FACTS: Final = ("games_seat", "games_round", "league_seasongame")
COUNTED: Final = ("league_rankedgame", "league_appearance", "league_ratingchange")


def copy_games(season: Season, copies: int, *, counted: bool) -> None:
    """Copy every game of a season so many times, with seats, rounds and entries in the club's log,
    under ids of their own and in the years before.

    The owner of the tables writes them, with the triggers off. A copy can be replayed as well as
    its original; only its digests are those of the original's header. `counted`: the rows of the
    ranking's games are copied, too, and the readers of the log pass over the new entries. The
    standings and ratings then still tell of the first games alone: what one more result costs
    doesn't depend on what they say."""
    with connected_as(settings.DATABASE_OWNER_URL), connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(COPIES, {"season": season.pk, "copies": copies})
        cursor.execute("ANALYZE copied")
        cursor.execute(_copy("games_game", "id", "id"))
        for table in FACTS + COUNTED * counted:
            cursor.execute(_copy(table, "game_id", "id"))
        cursor.execute(_copy("league_logentry", "subject", "public_id"))
        ends = [("league_loghead", ""), *[("league_reader", "AND name LIKE 'count/%%'")] * counted]
        for table, which in ends:
            statement = (
                f"UPDATE {table} SET position = (SELECT max(position) FROM copied) WHERE club_id "
                f"= %s {which}"
            )
            cursor.execute(statement, [season.club_id])
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence('games_game', 'id'), max(id)) FROM games_game"
        )
        cursor.execute("VACUUM ANALYZE")


def _copy(table: str, key: str, of: str) -> str:
    """The statement that copies the rows of a table that belong to the games, found by `key` as
    `of` of the game."""
    with connection.cursor() as cursor:
        names = [
            column.name for column in connection.introspection.get_table_description(cursor, table)
        ]
    values = [OF_COPY.get(name, f'original."{name}"') for name in names]
    columns = ", ".join([f'"{name}"' for name in names])
    return COPY.format(table=table, key=key, of=of, columns=columns, values=", ".join(values))
