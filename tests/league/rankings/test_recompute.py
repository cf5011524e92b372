"""A stranger computes the published tables anew: from the export, the published heads and the engine alone."""

import csv
import io
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from engine.cli.main import main
from engine.rating.ranking import COLUMNS
from league.models import AllTime, Club, Ranking, Season
from league.rankings.queries.listing import season_records
from league.rankings.services.counting import ranking_count
from league.site.demo import CLUB, SEASONS, demo_create, demo_import
from tests.factories.counted import counted_season

pytestmark = pytest.mark.django_db
Table = list[dict[str, str]]


@pytest.fixture
def club() -> Club:
    """The demo's club, all its rankings counted."""
    demo_create()
    demo_import()
    for ranking_id in Ranking.objects.values_list("pk", flat=True):
        ranking_count(ranking_id=ranking_id)
    return Club.objects.get(slug=CLUB)


def published(client: Client, club: Club, name: str, slug: str) -> str:
    return client.get(reverse(name, args=[club.slug, slug])).content.decode()


def exported(tmp_path: Path, *seasons: Season) -> list[str]:
    """Files with the records of the seasons."""
    files = []
    for season in seasons:
        file = tmp_path / f"{season.slug}.jsonl"
        file.write_bytes(b"".join(season_records(season)))
        files.append(str(file))
    return files


def as_in(text: str) -> Table:
    """The rows of a table as CSV, of the columns that the games tell."""
    return [{column: row[column] for column in COLUMNS} for row in csv.DictReader(io.StringIO(text))]


def computed(capsys: pytest.CaptureFixture[str], files: list[str], ranking: Ranking, timezone: str) -> Table:
    """The table that the engine computes of the files by the settings of a ranking."""
    settings = ["--scoring", ranking.scoring, "--tie-breaks", ",".join(ranking.tie_breaks), "--timezone", timezone]
    assert main(["table", *files, *settings, *(["--rated"] if ranking.rated else [])]) == 0
    return as_in(capsys.readouterr().out)


def heads_file(client: Client, club: Club, tmp_path: Path, slug: str) -> str:
    file = tmp_path / "heads.txt"
    file.write_text(published(client, club, "season-heads", slug), encoding="utf-8")
    return str(file)


def test_the_exports_give_the_published_tables_cell_by_cell(
    club: Club, client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of each season, and that of all time, which all public seasons make together."""
    seasons = list(Season.objects.filter(club=club).select_related("ranking"))
    rankings = [(season.slug, season.ranking, exported(tmp_path, season)) for season in seasons]
    rankings.append((AllTime.SLUG, club.all_time.ranking, exported(tmp_path, *seasons)))
    assert {slug for slug, _, _ in rankings} == {*(season["slug"] for season in SEASONS), AllTime.SLUG}
    for slug, ranking, files in rankings:
        assert main(["verify", *files, "--heads", heads_file(client, club, tmp_path, slug)]) == 0
        capsys.readouterr()
        table = as_in(published(client, club, "season-table", slug))
        assert computed(capsys, files, ranking, club.timezone) == table
        assert len(table) > 5
        assert all(row["rating"] and row["sigma"] for row in table)


def test_a_game_that_was_left_out_of_an_export_is_missed(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    season = counted_season(3)
    (file,) = exported(tmp_path, season)
    lines = Path(file).read_bytes().splitlines(keepends=True)
    Path(file).write_bytes(b"".join(lines[1:]))
    assert main(["verify", file, "--heads", heads_file(client, season.club, tmp_path, season.slug)]) == 1
    assert '"code": "game_missing"' in capsys.readouterr().out.splitlines()[-1]
