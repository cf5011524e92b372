"""Cards of public pages: what they say, for whom they are, and when they are drawn anew."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from league.core.frame.card import Line, SharedCard, card_png
from league.core.log.services import Actor
from league.models import Club, Event, Player, Season, Visibility
from league.site.erasure.services.erasure import player_erase
from league.standings.standing.queries.standing import table_part
from tests.factories import events
from tests.factories.counted import counted_season, rename
from tests.factories.league import ClubFactory, MembershipFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    """A public season of a listed club, with a night that is announced."""
    club = ClubFactory.create(slug="keller", name="Keller")
    made = counted_season(3, club=club, slug="herbst", name="Herbst")
    events.event(made, "abend", name="Abend", venue="Hinterzimmer")
    return made


@pytest.fixture
def addresses(season: Season) -> dict[str, str]:
    """The addresses of a card of each kind."""
    return {
        "season": reverse("season-card", args=["keller", "herbst"]),
        "event": reverse("event-card", args=["keller", "abend"]),
        "game": reverse("game-card", args=[Game.objects.earliest("pk").public_id]),
        "player": reverse("player-card", args=[Player.objects.get(handle="anna").public_id]),
    }


def statuses(client: Client, addresses: dict[str, str]) -> set[int]:
    return {client.get(address).status_code for address in addresses.values()}


def test_a_ranking_has_its_first_three(
    client: Client, season: Season, addresses: dict[str, str]
) -> None:
    table = table_part(season.ranking)
    lines = [Line(row.rank, row.name, f"{row.points} points") for row in table.rows[:3]]
    card = card_png(SharedCard("Keller", "Herbst", lines, f"{table.found} players"))
    answer = client.get(addresses["season"])
    assert answer["Content-Type"] == "image/png"
    assert answer.content == card


def test_an_event_says_when_and_where_in_the_clubs_language(
    client: Client, addresses: dict[str, str]
) -> None:
    Club.objects.update(language="de", timezone="Europe/Berlin")
    card = card_png(SharedCard("Keller", "Abend", [], "3. Dezember 2099 · Hinterzimmer"))
    assert client.get(addresses["event"], headers={"accept-language": "nl"}).content == card


def test_it_isnt_sent_again_to_who_has_it(client: Client, addresses: dict[str, str]) -> None:
    for address in addresses.values():
        etag = client.get(address)["ETag"]
        assert (
            client.get(address, headers={"if-none-match": etag}).status_code
            == HTTPStatus.NOT_MODIFIED
        )


def test_it_is_the_same_for_whoever_asks(
    client: Client, season: Season, addresses: dict[str, str]
) -> None:
    before = {name: client.get(address).content for name, address in addresses.items()}
    client.force_login(MembershipFactory.create(club=season.club).user)
    assert {name: client.get(address).content for name, address in addresses.items()} == before


@pytest.mark.parametrize("visibility", [Visibility.MEMBERS, Visibility.LINK])
def test_what_a_stranger_may_not_see_has_none_not_even_for_members(
    client: Client, season: Season, addresses: dict[str, str], visibility: str
) -> None:
    assert statuses(client, addresses) == {HTTPStatus.OK}
    Season.objects.update(visibility=visibility)
    assert statuses(client, addresses) == {HTTPStatus.NOT_FOUND}
    client.force_login(MembershipFactory.create(club=season.club).user)
    assert statuses(client, addresses) == {HTTPStatus.NOT_FOUND}
    season.refresh_from_db()
    assert (
        client.get(f"{addresses['season']}?key={season.link_token}").status_code
        == HTTPStatus.NOT_FOUND
    )


def test_a_club_that_isnt_listed_has_none(client: Client, addresses: dict[str, str]) -> None:
    Club.objects.update(listed=False)
    assert statuses(client, addresses) == {HTTPStatus.NOT_FOUND}


def test_a_draft_has_none(client: Client, addresses: dict[str, str]) -> None:
    Event.objects.update(status=Event.Status.DRAFT)
    assert client.get(addresses["event"]).status_code == HTTPStatus.NOT_FOUND


def test_a_person_who_was_erased_is_gone_from_each(
    client: Client, addresses: dict[str, str], settings: Any, tmp_path: Any
) -> None:
    settings.ERASURES_FILE = tmp_path / "erased.txt"
    del addresses["event"]
    before = {name: client.get(address) for name, address in addresses.items()}
    anna = Player.objects.get(handle="anna")
    player_erase(player=anna, actor=Actor())
    for name, address in addresses.items():
        answer = client.get(address, headers={"if-none-match": before[name]["ETag"]})
        if answer.status_code == HTTPStatus.NOT_FOUND:
            continue
        assert answer.status_code == HTTPStatus.OK, name
        assert answer.content != before[name].content, name


def test_a_new_name_is_on_the_next_card(
    client: Client, season: Season, addresses: dict[str, str]
) -> None:
    before = client.get(addresses["player"]).content
    rename(season, "anna", "Annegret")
    season.ranking.version += 1
    season.ranking.save()
    assert client.get(addresses["player"]).content != before


def test_the_pages_name_their_cards_and_others_name_none(client: Client, season: Season) -> None:
    page = reverse("season", args=["keller", "herbst"])
    html = client.get(page).content.decode()
    assert (
        '<meta property="og:image" content="http://localhost:8000/clubs/keller/herbst/card.png">'
        in html
    )
    assert '<link rel="canonical" href="http://localhost:8000/clubs/keller/herbst/">' in html
    assert 'data-share="http://localhost:8000/clubs/keller/herbst/"' in html
    Season.objects.update(visibility=Visibility.MEMBERS)
    client.force_login(MembershipFactory.create(club=season.club).user)
    html = client.get(page).content.decode()
    assert "og:image" not in html
    assert "data-share" not in html


def test_a_page_of_a_list_is_an_address_of_its_own_and_what_leads_there_isnt(
    client: Client, season: Season
) -> None:
    page = reverse("season", args=["keller", "herbst"])
    html = client.get(f"{page}?page=2&sort=points&q=anna").content.decode()
    assert '<link rel="canonical" href="http://localhost:8000/clubs/keller/herbst/?page=2">' in html
