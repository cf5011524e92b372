"""What a game takes in the database, rows and indexes, counted in one ranking, log and playing style included."""

from __future__ import annotations

from django.db import connection

from bench.service.league import dice, new_season, play
from league.rankings.services.counting import ranking_count
from league.rankings.services.style import styles_read

GAMES = 1_000
PLAYERS = 28


def measure() -> None:
    """Print the bytes a game, by table."""
    before = sizes()
    season = new_season(PLAYERS)
    begun = sizes()
    for _ in range(GAMES):
        play(season, dice.sample(range(PLAYERS), 4))
    ranking_count(ranking_id=season.ranking_id)
    styles_read(ranking_id=season.ranking_id)
    grown = {table: size - begun.get(table, 0) for table, size in sizes().items()}
    print(f"\nBytes that a game of four takes, rows and indexes  ({GAMES:,} games, {len(before)} tables)")
    for table, size in sorted(grown.items(), key=lambda item: -item[1]):
        if size > GAMES:
            print(f"  {table:<28} {size / GAMES:8,.0f}")
    print(f"  {'in all':<28} {sum(grown.values()) / GAMES:8,.0f}", flush=True)


def sizes() -> dict[str, int]:
    """The bytes of each table of games and league, with its indexes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r'"
            " AND (relname LIKE 'games_%' OR relname LIKE 'league_%')"
        )
        return dict(cursor.fetchall())
