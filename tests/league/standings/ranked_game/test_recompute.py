"""A stranger computes the published tables anew: from the export, the published heads and the
engine alone."""

import csv
import io
import random
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from engine.cli.main import main
from engine.rating.ranking import COLUMNS
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.demo.season import CLUB, SEASONS
from league.models import AllTime, Club, Ranking, Season
from tests.factories.counted import counted_season
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db
Printed = list[dict[str, str]]


@pytest.fixture
def club(demo: None) -> Club:
    return Club.objects.get(slug=CLUB)


def published(client: Client, club: Club, name: str, slug: str) -> str:
    return client.get(reverse(name, args=[club.slug, slug])).getvalue().decode()


def exported(client: Client, club: Club, tmp_path: Path, slug: str) -> str:
    """A file with the records of a ranking's games."""
    owner = slug if slug == AllTime.SLUG else f"seasons/{slug}"
    response = client.get(f"/api/v1/clubs/{club.slug}/{owner}/games.ndjson")
    file = tmp_path / f"{slug}.ndjson"
    file.write_bytes(b"".join(response.streaming_content))  # type: ignore[attr-defined]
    return str(file)


def as_in(text: str) -> Printed:
    """The rows of a table as CSV in their order, of the columns that the games tell."""
    return [
        {column: row[column] for column in COLUMNS} for row in csv.DictReader(io.StringIO(text))
    ]


def computed(
    capsys: pytest.CaptureFixture[str], file: str, ranking: Ranking, timezone: str, *more: str
) -> Printed:
    """The table that the engine computes of a file by the settings of a ranking."""
    settings = [
        "--scoring",
        ranking.scoring,
        "--tie-breaks",
        ",".join(ranking.tie_breaks),
        "--timezone",
        timezone,
    ]
    assert main(["table", file, *settings, *more, *(["--rated"] if ranking.rated else [])]) == 0
    return as_in(capsys.readouterr().out)


def beside(client: Client, club: Club, tmp_path: Path, slug: str) -> list[str]:
    """What `engine table` is given beside the records: whose handles are, for whom seats count, and
    as what."""
    options = []
    for name in ("handles", "seats", "adjustments"):
        file = tmp_path / f"{name}.csv"
        file.write_text(published(client, club, f"season-{name}", slug), encoding="utf-8")
        options += [f"--{name}", str(file)]
    return options


def heads_file(client: Client, club: Club, tmp_path: Path, slug: str) -> str:
    file = tmp_path / "heads.txt"
    file.write_text(published(client, club, "season-heads", slug), encoding="utf-8")
    return str(file)


def standings(client: Client, club: Club, slug: str) -> list[tuple[int, str, str]]:
    """Rank, handle and deciding tie-break of every row of the API's table, in its order."""
    owner = slug if slug == AllTime.SLUG else f"seasons/{slug}"
    url: str | None = f"/api/v1/clubs/{club.slug}/{owner}/standings/"
    rows: list[tuple[int, str, str]] = []
    while url:
        page = client.get(url).json()
        rows += [
            (row["rank"], row["player"]["handle"], row["decided_by"] or "")
            for row in page["results"]
        ]
        url = page["next"]
    return rows


def row_by_row(rows: Printed) -> list[tuple[int, str, str]]:
    return [(int(row["rank"]), row["handle"], row["decided_by"]) for row in rows]


def test_the_exports_give_the_published_tables_cell_by_cell(
    club: Club, client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of each season, and that of all time, which all public seasons make together."""
    seasons = Season.objects.filter(club=club, ranking__game_count__gt=0).select_related("ranking")
    rankings = {season.slug: season.ranking for season in seasons}
    assert rankings.keys() > {season["slug"] for season in SEASONS}, "and that of the cup"
    for slug, ranking in [*rankings.items(), (AllTime.SLUG, club.all_time.ranking)]:
        file = exported(client, club, tmp_path, slug)
        assert main(["verify", file, "--heads", heads_file(client, club, tmp_path, slug)]) == 0
        capsys.readouterr()
        table = as_in(published(client, club, "season-table", slug))
        rows = computed(capsys, file, ranking, club.timezone, *beside(client, club, tmp_path, slug))
        assert rows == table
        assert row_by_row(rows) == standings(client, club, slug)
        assert len(table) > 5
        assert all(row["rating"] and row["sigma"] for row in table)


@pytest.mark.parametrize(
    "tie_breaks", [["points"], ["wins", "games"], ["points", "wins", "best_game"]]
)
@pytest.mark.parametrize("seed", range(3))
def test_who_shares_a_rank_stands_in_one_order_everywhere(
    client: Client,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    seed: int,
    tie_breaks: list[str],
) -> None:
    """In a season of many ties: that of the public ids, in the export's table, the API's, and what
    anybody computes."""
    chance = random.Random(seed)
    handles = [f"player-{number:02}" for number in range(16)]
    records = [
        bluff_record(
            number,
            seats=chance.sample(handles, chance.choice([2, 2, 3])),
            id=f"duel-{seed}-{number}",
        )
        for number in range(14)
    ]
    season = counted_season(records, scoring="placement", tie_breaks=tie_breaks)
    club, file = season.club, exported(client, season.club, tmp_path, season.slug)
    options = beside(client, club, tmp_path, season.slug)
    rows = row_by_row(computed(capsys, file, season.ranking, club.timezone, *options))
    ids = dict(club.players.values_list("handle", "public_id"))
    assert rows == standings(client, club, season.slug)
    assert rows == row_by_row(as_in(published(client, club, "season-table", season.slug)))
    assert rows == sorted(rows, key=lambda row: (row[0], ids[row[1]]))
    assert len({rank for rank, _, _ in rows}) < len(rows)


def test_who_was_renamed_or_merged_has_one_row_by_the_published_handles(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    season = counted_season(3)
    club, file = season.club, exported(client, season.club, tmp_path, season.slug)
    rows = list(csv.DictReader(io.StringIO(published(client, club, "season-handles", season.slug))))
    assert {(row["player"], row["id"]) for row in rows} == set(
        club.players.values_list("handle", "public_id")
    )
    assert all(row["handle"] == row["player"] for row in rows)

    player = club.players.order_by("handle").first()
    assert player is not None
    player_rename(player=player, name="Zoë", handle="zoë, the first", actor=Actor())
    options = beside(client, club, tmp_path, season.slug)
    table = as_in(published(client, club, "season-table", season.slug))
    file = exported(client, club, tmp_path, season.slug)
    assert computed(capsys, file, season.ranking, club.timezone) != table
    assert computed(capsys, file, season.ranking, club.timezone, *options) == table
    assert "zoë, the first" in {row["handle"] for row in table}


def test_a_game_that_was_left_out_of_an_export_is_missed(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    season = counted_season(3)
    file = exported(client, season.club, tmp_path, season.slug)
    lines = Path(file).read_bytes().splitlines(keepends=True)
    Path(file).write_bytes(b"".join(lines[1:]))
    assert (
        main(["verify", file, "--heads", heads_file(client, season.club, tmp_path, season.slug)])
        == 1
    )
    assert '"code": "game_missing"' in capsys.readouterr().out.splitlines()[-1]
