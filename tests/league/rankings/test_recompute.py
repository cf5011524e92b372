"""A stranger computes the published tables anew: from the export, the published heads and the engine alone."""

import csv
import io
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from engine.cli.main import main
from engine.rating.ranking import COLUMNS
from league.clubs.services.player import player_rename
from league.log.services import Actor
from league.models import AllTime, Club, Ranking, Season
from league.site.demo import CLUB, SEASONS
from tests.factories.counted import counted_season

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
    """The rows of a table as CSV, of the columns that the games tell, by rank and handle.

    Who shares a rank stands in no order, and what decided it is said of whoever comes first.
    """
    rows = [{column: row[column] for column in COLUMNS} for row in csv.DictReader(io.StringIO(text))]
    decided: dict[str, str] = {}
    for row in rows:
        decided[row["rank"]] = decided.get(row["rank"], "") or row["decided_by"]
    rows = [row | {"decided_by": decided[row["rank"]]} for row in rows]
    return sorted(rows, key=lambda row: (int(row["rank"]), row["handle"]))


def computed(capsys: pytest.CaptureFixture[str], file: str, ranking: Ranking, timezone: str, *more: str) -> Printed:
    """The table that the engine computes of a file by the settings of a ranking."""
    settings = ["--scoring", ranking.scoring, "--tie-breaks", ",".join(ranking.tie_breaks), "--timezone", timezone]
    assert main(["table", file, *settings, *more, *(["--rated"] if ranking.rated else [])]) == 0
    return as_in(capsys.readouterr().out)


def heads_file(client: Client, club: Club, tmp_path: Path, slug: str) -> str:
    file = tmp_path / "heads.txt"
    file.write_text(published(client, club, "season-heads", slug), encoding="utf-8")
    return str(file)


def place(row: dict[str, str]) -> tuple[int, str]:
    return int(row["rank"]), row["handle"]


def test_the_exports_give_the_published_tables_cell_by_cell(
    club: Club, client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of each season, and that of all time, which all public seasons make together."""
    rankings = {season.slug: season.ranking for season in Season.objects.filter(club=club).select_related("ranking")}
    assert rankings.keys() > {season["slug"] for season in SEASONS}, "and that of the cup"
    for slug, ranking in [*rankings.items(), (AllTime.SLUG, club.all_time.ranking)]:
        file = exported(client, club, tmp_path, slug)
        assert main(["verify", file, "--heads", heads_file(client, club, tmp_path, slug)]) == 0
        capsys.readouterr()
        table = as_in(published(client, club, "season-table", slug))
        # Who shares a rank with somebody stands beside them in no order.
        assert sorted(computed(capsys, file, ranking, club.timezone), key=place) == sorted(table, key=place)
        assert len(table) > 5
        assert all(row["rating"] and row["sigma"] for row in table)


def test_who_was_renamed_or_merged_has_one_row_by_the_published_handles(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    season = counted_season(3)
    club, file = season.club, exported(client, season.club, tmp_path, season.slug)
    handles = tmp_path / "handles.csv"
    handles.write_text(published(client, club, "season-handles", season.slug), encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(handles.read_text(encoding="utf-8"))))
    assert {(row["player"], row["id"]) for row in rows} == set(club.players.values_list("handle", "public_id"))
    assert all(row["handle"] == row["player"] for row in rows)

    player = club.players.order_by("handle").first()
    assert player is not None
    player_rename(player=player, name="Zoë", handle="zoë, the first", actor=Actor())
    handles.write_text(published(client, club, "season-handles", season.slug), encoding="utf-8")
    table = as_in(published(client, club, "season-table", season.slug))
    file = exported(client, club, tmp_path, season.slug)
    assert computed(capsys, file, season.ranking, club.timezone) != table
    assert computed(capsys, file, season.ranking, club.timezone, "--handles", str(handles)) == table
    assert "zoë, the first" in {row["handle"] for row in table}


def test_a_game_that_was_left_out_of_an_export_is_missed(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    season = counted_season(3)
    file = exported(client, season.club, tmp_path, season.slug)
    lines = Path(file).read_bytes().splitlines(keepends=True)
    Path(file).write_bytes(b"".join(lines[1:]))
    assert main(["verify", file, "--heads", heads_file(client, season.club, tmp_path, season.slug)]) == 1
    assert '"code": "game_missing"' in capsys.readouterr().out.splitlines()[-1]
