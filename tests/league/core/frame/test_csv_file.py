"""CSV files open right in the reader's spreadsheet, and stay the same for programs."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.events.entry.domain.entry_file import decoded, read_entries
from league.models import Club, Role, Season
from tests.factories import events
from tests.factories.counted import counted_season, rename
from tests.factories.league import MembershipFactory, PlayerFactory

pytestmark = pytest.mark.django_db
BOM = b"\xef\xbb\xbf"
NAMES = ["Ärmel, Zoë", "=cmd|' /C calc'!A0", "+49", "O’Brien; Pat", "-1", "@x"]


@pytest.fixture
def table() -> str:
    season = counted_season(6)
    rename(season, "anna", "=HYPERLINK(1)")
    return reverse("season-table", args=[season.club.slug, season.slug])


def content_of(client: Client, address: str, language: str = "") -> bytes:
    headers = {"Accept-Language": language} if language else {}
    answer: Any = client.get(address, headers=headers)
    assert answer.status_code == 200
    return bytes(answer.getvalue())


def test_programs_get_columns_commas_and_points(client: Client, table: str) -> None:
    content = content_of(client, table)
    assert content.startswith(b"rank,change,handle,name,games,wins,points,points_per_game")


@pytest.mark.parametrize(
    ("language", "head", "delimiter"),
    [
        ("de-DE,de;q=0.9,en;q=0.5", "Platz", ";"),
        ("nl", "Plaats", ";"),
        ("en-GB", "Rank", ","),
        ("fr-FR", "Rank", ","),
    ],
)
def test_people_get_what_their_spreadsheet_opens(
    client: Client, table: str, language: str, head: str, delimiter: str
) -> None:
    content = content_of(client, table, language)
    assert content.startswith(BOM)
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=delimiter))
    assert rows[0][0] == head
    assert {len(row) for row in rows} == {17}
    sign = "," if delimiter == ";" else "."
    assert all(sign in row[7] for row in rows[1:])
    assert "'=HYPERLINK(1)" in [row[3] for row in rows]


def test_the_address_may_name_the_language(client: Client, table: str) -> None:
    assert content_of(client, f"{table}?lang=de", "en") == content_of(client, table, "de")
    assert content_of(client, f"{table}?lang=de").startswith(BOM)
    assert content_of(client, f"{table}?lang=xx") == content_of(client, table)


def organiser(club: Club) -> Client:
    client = Client()
    client.force_login(MembershipFactory.create(club=club, role=Role.ORGANISER).user)
    return client


@pytest.mark.parametrize("language", ["", "en", "de", "nl"])
def test_a_list_of_entries_comes_back_in_every_language(season: Season, language: str) -> None:
    night = events.event(season, "night")
    players = [
        PlayerFactory.create(club=season.club, handle=f"h{number}", name=name)
        for number, name in enumerate(NAMES)
    ]
    events.enter(night, players, check_in=False)
    address = f"/clubs/{season.club.slug}/desk/events/night/entries/entries.csv"
    content = content_of(organiser(season.club), address, language)
    rows = read_entries(decoded(content)).rows
    assert [row.handle for row in rows] == [player.handle for player in players]
    assert [row.name for row in rows] == [name.strip() for name in NAMES]


def test_cells_that_a_spreadsheet_would_compute_are_texts(season: Season) -> None:
    night = events.event(season, "night")
    players = [
        PlayerFactory.create(club=season.club, handle=f"h{n}", name=name)
        for n, name in enumerate(NAMES)
    ]
    events.enter(night, players, check_in=False)
    address = f"/clubs/{season.club.slug}/desk/events/night/entries/entries.csv"
    text = content_of(organiser(season.club), address, "de").decode("utf-8-sig")
    cells = [cell for row in csv.reader(io.StringIO(text), delimiter=";") for cell in row]
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "@", "\t", "-")]


def test_fees_have_the_comma_of_the_language(season: Season) -> None:
    night = events.event(season, "night", fee=550)
    events.enter(night, [PlayerFactory.create(club=season.club)], check_in=False)
    address = f"/clubs/{season.club.slug}/desk/events/night/fees/fees.csv"
    german = content_of(organiser(season.club), address, "de").decode("utf-8-sig")
    assert german.startswith("Nummer;")
    assert content_of(organiser(season.club), address).startswith(b"number,handle,name,")
