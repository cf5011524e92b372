"""Lists of names are in the order in which people look for them, and searches find what people
type."""

from __future__ import annotations

from datetime import date
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from league.core.claim.queries import players_unproven
from league.core.log.services import Actor
from league.core.player.queries import player
from league.core.player.queries.player import listed_players, names_meant, players_alike
from league.counting.event_counting.queries import divisions_of
from league.counting.event_counting.services import divisions_set
from league.models import Club, Player, Role, Season, Visibility
from league.site.erasure.services.erasure import player_erase
from league.standings.player.queries.rivals import rivals_of
from tests.factories import events
from tests.factories.counted import counted_season, rename
from tests.factories.league import MembershipFactory, PlayerFactory
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db
ORDER = ["anton", "Ärmel", "Bär", "Ben 2", "Ben 10", "Łukasz", "Ödön", "Zoe"]
TYPED = ["Zoe", "Ärmel", "anton", "Ödön", "Bär", "Ben 2", "Ben 10", "Łukasz"]


def signed_in(club: Club) -> Client:
    client = Client()
    client.force_login(MembershipFactory.create(club=club, role=Role.ORGANISER).user)
    return client


def html_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def night(season: Season) -> str:
    """The address of the desk of an event with these people."""
    row = events.event(season, "night")
    players = [
        PlayerFactory.create(club=season.club, handle=f"h{number}", name=name)
        for number, name in enumerate(TYPED)
    ]
    events.enter(row, players, check_in=False)
    return f"/clubs/{season.club.slug}/desk/events/night/"


def test_check_in_and_its_print_are_sorted_as_people_do(season: Season, night: str) -> None:
    client = signed_in(season.club)
    for page in ("check-in/", "entries/print/"):
        html = html_of(client, night + page)
        places = [
            html.index(f">{name}<") if f">{name}<" in html else html.index(name) for name in ORDER
        ]
        assert places == sorted(places), page


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("armel", "Ärmel"),
        ("odon", "Ödön"),
        ("lukasz", "Łukasz"),
        ("LUKASZ", "Łukasz"),
        ("ben 1", "Ben 10"),
        ("Bar", "Bär"),
    ],
)
def test_check_in_finds_names_without_their_accents(
    season: Season, night: str, word: str, name: str
) -> None:
    client = signed_in(season.club)
    html = html_of(client, f"{night}check-in/?q={quote(word)}")
    assert [other for other in ORDER if other in html] == [name]


def test_who_finds_nobody_is_asked_who_was_meant(season: Season, night: str) -> None:
    client = signed_in(season.club)
    for page in (f"{night}check-in/", reverse("club-players", args=[season.club.slug])):
        html = " ".join(html_of(client, f"{page}?q=Lucasz").split())
        assert f'Did you mean <a href="?q={quote("Łukasz")}">Łukasz</a>?' in html


def test_a_clubs_players_are_sorted_as_people_do(season: Season, night: str) -> None:
    assert [player.name for player in listed_players(season.club) if player.name in ORDER] == ORDER


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("Roza", "Rosa Ñúñez"),
        ("Grta", "Greta"),
        ("Ozturk", "Öztürk"),
        ("Oztürc", "Öztürk"),
        ("O'Brian", "O’Brien"),
    ],
)
def test_the_search_suggests_what_was_meant(client: Client, word: str, name: str) -> None:
    season = counted_season([bluff_record(0, seats=["anna", "ben"])])
    rename(season, "anna", name)
    assert f">{name}<" in html_of(client, f"/search/?q={quote(word)}")


def test_the_search_suggests_seasons_and_events(client: Client) -> None:
    season = counted_season(1, name="Herbstliga")
    events.event(season, "night", name="Kellerabend")
    assert 'href="?q=Herbstliga"' in html_of(client, "/search/?q=Herbstlga")
    assert 'href="?q=Kellerabend"' in html_of(client, "/search/?q=Kelerabend")


def test_a_table_suggests_its_own_players_alone(client: Client) -> None:
    season = counted_season([bluff_record(0, seats=["anna", "ben"])])
    rename(season, "anna", "Rosa")
    PlayerFactory.create(club=season.club, handle="other", name="Rozi")
    html = html_of(client, f"/clubs/{season.club.slug}/{season.slug}/?q=Roza")
    assert 'href="?q=Rosa"' in html
    assert "Rozi" not in html


def test_nothing_is_suggested_that_may_not_be_seen(client: Client) -> None:
    season = counted_season(
        [bluff_record(0, seats=["anna", "ben"])], visibility=Visibility.MEMBERS, name="Herbstliga"
    )
    rename(season, "anna", "Rosalinde")
    events.event(season, "night", name="Kellerabend")
    for word in ("Rosalinda", "Herbstlga", "Kelerabend"):
        assert "Did you mean" not in html_of(client, f"/search/?q={word}")
    client.force_login(MembershipFactory.create(club=season.club).user)
    assert 'href="?q=Rosalinde"' in html_of(client, "/search/?q=Rosalinda")


def test_who_was_erased_is_not_suggested(client: Client) -> None:
    season = counted_season([bluff_record(0, seats=["anna", "ben"])])
    anna = rename(season, "anna", "Rosalinde")
    player_erase(player=anna, actor=Actor())
    assert "Did you mean" not in html_of(client, "/search/?q=Rosalinda")
    anna.refresh_from_db()
    assert "rosalinde" not in f"{anna.name_key} {anna.search_text}"


def test_those_who_share_the_most_letters_are_looked_at(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Anna", "Gretel", "Greta", "Ingrid", "Bert"):
        PlayerFactory.create(club=season.club, handle=name, name=name)
    monkeypatch.setattr(player, "MOST_ALIKE", 2)
    people = Player.objects.filter(club=season.club)
    assert {person.name for person in players_alike(people, "grta")} == {"Greta", "Gretel"}
    assert names_meant(people, "grta") == ["Greta"]


def test_the_api_lists_players_as_people_sort_them(client: Client) -> None:
    season = counted_season([bluff_record(0, seats=["anna", "ben", "cleo"])])
    for handle, name in (("anna", "Zoe"), ("ben", "Ärmel"), ("cleo", "anton")):
        rename(season, handle, name)
    rows = client.get(f"/api/v1/clubs/{season.club.slug}/players/").json()
    rows = rows if isinstance(rows, list) else rows["results"]
    assert [row["name"] for row in rows] == ["anton", "Ärmel", "Zoe"]


def test_rivals_met_equally_often_are_sorted_as_people_do() -> None:
    season = counted_season([bluff_record(0, seats=["anna", "ben", "cleo", "dora"])])
    for handle, name in (("ben", "Zoe"), ("cleo", "Ärmel"), ("dora", "anton")):
        rename(season, handle, name)
    anna = Player.objects.get(handle="anna")
    names = [rival.name for rival in rivals_of(anna, [season.ranking_id])]
    assert names == ["anton", "Ärmel", "Zoe"]


def test_players_of_a_division_who_share_a_place_are_sorted_as_people_do(season: Season) -> None:
    players = [
        PlayerFactory.create(club=season.club, handle=f"h{number}", name=name)
        for number, name in enumerate(TYPED)
    ]
    divisions_set(
        season=season,
        actor=Actor(),
        divisions=[("Stars", 0, 0)],
        players={player.public_id: 1 for player in players},
    )
    (division,) = divisions_of(season)
    assert [name for _, name, _ in division.players] == ORDER


def test_players_who_can_get_a_claim_code_are_sorted_as_people_do(club: Club) -> None:
    for number, name in enumerate(TYPED):
        PlayerFactory.create(club=club, handle=f"h{number}", name=name)
    assert [player.name for player in players_unproven(club)] == ORDER


def test_seasons_of_one_day_are_sorted_as_people_do(client: Client) -> None:
    club = counted_season(1).club
    for slug, name in (("x", "Liga 10"), ("y", "Liga 9")):
        counted_season(0, club=club, slug=slug, name=name, starts_on=date(2020, 1, 1))
    html = html_of(client, f"/clubs/{club.slug}/")
    assert html.index("Liga 9") < html.index("Liga 10")
