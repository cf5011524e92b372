"""Seasons whose games are counted, as the import and the job leave them."""

import random
from collections.abc import Iterable
from io import BytesIO
from typing import Any

from league.core.log.services import Actor
from league.models import Player, Season, Standing
from league.records.file.services import Imported, Outcome, file_import
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.standings.style.services import styles_read
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line

PLAYERS = ["anna", "ben", "cleo", "dario", "elif", "fritz", "greta"]
TABLES = (("anna", "ben", "cleo"), ("ben", "dario", "anna"), ("cleo", "anna", "dario", "elif"))


def counted_season(records: int | Iterable[dict[str, Any]] = 3, **fields: Any) -> Season:
    """A season with so many counted games of changing players, or with these; `fields` are the
    season's own."""
    season: Season = SeasonFactory.create(**fields)
    if isinstance(records, int):
        records = [
            record | {"id": f"{season.slug}-{record['id']}"} for record in three_tables(records)
        ]
    add_games(season, records)
    return season


def three_tables(count: int, *, first: int = 0) -> list[dict[str, Any]]:
    """So many records, numbered from `first`, of the three tables in turn."""
    return [
        bluff_record(
            seed,
            seats=TABLES[seed % len(TABLES)],
            event=f"night-{1 + seed // 5}",
            table=str(seed % 5 + 1),
        )
        for seed in range(first, first + count)
    ]


def add_games(season: Season, records: Iterable[dict[str, Any]]) -> None:
    """Import the records and count them."""
    bring(season, *records)
    count(season)
    season.refresh_from_db(from_queryset=Season.objects.select_related("club", "ranking"))


def crowd(players: int) -> list[dict[str, Any]]:
    """Games in which everybody of so many players sits: four or five to a table, three games
    each."""
    handles = [f"player-{number:02}" for number in range(players)]
    tables = [handles[start : start + 4] for start in range(0, players, 4)]
    return [bluff_record(seed, seats=tables[seed % len(tables)]) for seed in range(3 * len(tables))]


def rename(season: Season, handle: str, name: str) -> Player:
    """Give a player a display name."""
    player = Player.objects.get(club=season.club, handle=handle)
    player.name = name
    player.save()
    return player


def season_of_games(count: int) -> list[dict[str, Any]]:
    """Records of as many games between changing players, some at the same minute, one without a
    time."""
    dice = random.Random(7)
    records = [
        bluff_record(
            seed,
            seats=dice.sample(PLAYERS, dice.randint(2, 5)),
            level=dice.choice(["dice", "bids", "result"]),
        )
        for seed in range(count)
    ]
    records[3]["played_at"] = records[4]["played_at"]
    del records[5]["played_at"]
    return records


def bring(season: Season, *records: dict[str, Any]) -> None:
    """Import records as everybody does; nobody counts them yet."""
    ends: list[Imported] = []
    file_import(stream=BytesIO(b"".join(map(line, records))), season=season, ended=ends.append)
    assert [(imported.outcome, imported.error) for imported in ends] == [
        (Outcome.CREATED, None)
    ] * len(records)


def count(season: Season) -> None:
    """Count the season's games and read their styles, as the jobs do."""
    ranking_count(ranking_id=season.ranking_id)
    styles_read(ranking_id=season.ranking_id)


def rebuild_all(season: Season) -> None:
    """Rebuild the season's ranking from its facts, with its styles."""
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    ranking_rebuild(ranking_id=season.ranking_id)
    styles_read(ranking_id=season.ranking_id)


def games_by_player() -> dict[str, int]:
    """How many games every row of any table counts, by handle."""
    return dict(Standing.objects.values_list("player__handle", "games"))
