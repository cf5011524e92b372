"""What a game takes in the database, rows and indexes, counted in one ranking, log and playing
style included.

The rows are those of the table and of its TOAST; the maps of free space, 24 kB a table however many
games there are, aren't a game's."""

from __future__ import annotations

from typing import Final

from django.db import connection

from bench.service.league import dice, new_season, play
from league.standings.ranking.services.counting import ranking_count
from league.standings.style.services import styles_read

GAMES: Final = 2_000
PLAYERS: Final = 28

SIZES: Final = """
    SELECT held.relname, index.relname,
        pg_relation_size(COALESCE(index.oid, held.oid)) + CASE WHEN index.oid IS NULL AND held.reltoastrelid > 0
            THEN pg_relation_size(held.reltoastrelid) ELSE 0 END
    FROM pg_class held
    LEFT JOIN LATERAL (
        SELECT indexed.indexrelid AS oid, indexrelid::regclass::text AS relname FROM pg_index indexed
        WHERE indexed.indrelid = held.oid UNION ALL SELECT NULL, NULL
    ) index ON true
    WHERE held.relkind = 'r' AND (held.relname LIKE 'games\\_%' OR held.relname LIKE 'league\\_%')
"""

BESIDE: Final = ("league_logentry", "league_gamestyle", "league_style")
"""What is written about games: the log, which tells of much else, and what their players' bids were
like."""

Part = tuple[str, str | None]
"""The rows of a table (None), or one of its indexes, by name."""


def measure() -> None:
    """Print the bytes a game, by table: its rows, and each of its indexes."""
    season = new_season(PLAYERS)
    begun = sizes()
    for _ in range(GAMES):
        play(season, dice.sample(range(PLAYERS), 4))
    ranking_count(ranking_id=season.ranking_id)
    styles_read(ranking_id=season.ranking_id)
    grown = {part: (size - begun.get(part, 0)) / GAMES for part, size in sizes().items()}
    tables = {
        table: sum(size for (of, _), size in grown.items() if of == table) for table, _ in grown
    }
    print(f"\nBytes that a game of four takes  ({GAMES:,} games)          rows  indexes   in all")
    for table, size in sorted(tables.items(), key=lambda item: -item[1]):
        if size >= 1:
            rows = grown[table, None]
            print(f"  {table:<46} {rows:10,.0f} {size - rows:8,.0f} {size:8,.0f}")
            for (of, index), taken in grown.items():
                if of == table and index is not None and taken >= 1:
                    print(f"      {index:<53} {taken:8,.0f}")
    for title, beside in (("in all", ()), ("without log and style", BESIDE)):
        rows = sum(
            size for (of, index), size in grown.items() if index is None and of not in beside
        )
        whole = sum(size for of, size in tables.items() if of not in beside)
        print(f"  {title:<46} {rows:10,.0f} {whole - rows:8,.0f} {whole:8,.0f}", flush=True)


def sizes() -> dict[Part, int]:
    """The bytes of the rows and of each index of the tables of games and league."""
    with connection.cursor() as cursor:
        cursor.execute(SIZES)
        return {(table, index): size for table, index, size in cursor.fetchall()}
