"""The search finds what the viewer may see, and nothing else."""

import re
from urllib.parse import quote

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from league.core.log.services import Actor
from league.core.player.models import words_begin
from league.core.viewer.queries.access import Viewer
from league.models import Player, Visibility
from league.site.erasure.services.erasure import player_erase
from league.site.search import queries as search
from league.standings.player.services import player_merge
from league.standings.ranking.queries import ranking
from tests.factories.counted import counted_season, rename
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db


def searched(client: Client, word: str) -> str:
    response = client.get(f"/search/?q={quote(word)}")
    assert response.status_code == 200
    return response.content.decode()


def names(html: str) -> list[str]:
    """What the links of the results say."""
    return re.findall(r'<a class="whole" href="[^"]*">([^<]*)</a>', html)


def test_the_field_stands_on_every_page_once(client: Client) -> None:
    for page in ("/", "/clubs/", "/search/"):
        assert client.get(page).content.decode().count('action="/search/"') == 1


@pytest.mark.parametrize(
    "word", ["benedikt g", "BENEDIKT", "bénédikt", "  Benedikt  Groß ", "ben", "gro", "groß, B"]
)
def test_a_player_is_found_by_how_words_of_the_name_begin(client: Client, word: str) -> None:
    rename(counted_season(1), "ben", "Bénedikt Groß")
    assert names(searched(client, word)) == ["Bénedikt Groß"]


def test_a_player_is_found_by_the_handle(client: Client) -> None:
    rename(counted_season(1), "anna", "Xanthippe")
    assert names(searched(client, "Ann")) == ["Xanthippe"]


@pytest.mark.parametrize(
    "word", ["zum", "Zumthor", "Ana zum", "luthi", "O’Angelo", "o'ang", "angelo", "müller-"]
)
def test_a_surname_alone_finds_the_player(client: Client, word: str) -> None:
    rename(
        counted_season([bluff_record(0, seats=["anna", "ben"])]),
        "anna",
        "Ana Zumthor-Lüthi (O’Angelo Müller)",
    )
    assert names(searched(client, word)) == ["Ana Zumthor-Lüthi (O’Angelo Müller)"]


@pytest.mark.parametrize("word", ["umthor", "ana lüthix", "-", "'", "ana '"])
def test_only_beginnings_of_words_find_a_player(client: Client, word: str) -> None:
    rename(counted_season([bluff_record(0, seats=["anna", "ben"])]), "anna", "Ana Zumthor")
    assert names(searched(client, word)) == (["Ana Zumthor"] if word == "ana '" else [])


def test_who_was_erased_is_not_found_by_the_name(client: Client) -> None:
    season = counted_season([bluff_record(0, seats=["anna", "ben"])])
    anna = rename(season, "anna", "Ana Zumthor")
    player_erase(player=anna, actor=Actor())
    assert names(searched(client, "zum")) == names(searched(client, "anna")) == []
    assert names(searched(client, anna.pseudonym)) == [anna.pseudonym]


@pytest.mark.parametrize("word", ["%", "_", "\\", "a%", "<b>", "\x00", "'"])
def test_signs_of_patterns_find_nobody(client: Client, word: str) -> None:
    counted_season(1)
    assert names(searched(client, word)) == []


def test_nobody_is_found_says_so(client: Client) -> None:
    counted_season(1)
    html = searched(client, "<zzz>")
    assert "Nobody is called “&lt;zzz&gt;”" in html


def test_a_game_is_found_by_either_id(client: Client) -> None:
    season = counted_season([bluff_record(0) | {"id": "spring/7"}])
    game = season.ranking.ranked_games.get().game
    for word in ("spring/7", game.public_id, game.public_id.upper()):
        html = searched(client, word)
        assert names(html) == ["spring/7"]
        assert reverse("game", args=[game.public_id]) in html
    assert names(searched(client, "spring")) == []


def test_a_season_is_found_by_words_of_its_name_and_its_clubs(client: Client) -> None:
    season = counted_season(1, name="Frühling 2026")
    for word in ("2026 fruh", "Frühling", f"{season.club.name} 2026"):
        assert names(searched(client, word)) == ["Frühling 2026"]


@pytest.mark.parametrize("word", ["night-2", "Night 2"])
def test_an_event_is_found_by_its_name_and_leads_to_its_games(client: Client, word: str) -> None:
    season = counted_season([bluff_record(1, event="night-2"), bluff_record(2, event="night-3")])
    html = searched(client, word)
    assert names(html) == ["night-2"]
    games = reverse("season-games", args=[season.club.slug, season.slug])
    assert f'href="{games}?event=night-2"' in html
    season.visibility = Visibility.MEMBERS
    season.save(update_fields=["visibility"])
    assert names(searched(client, word)) == []


def test_what_may_not_be_seen_is_not_found(client: Client) -> None:
    season = counted_season(
        [bluff_record(0) | {"id": "secret-game"}], visibility=Visibility.MEMBERS, name="Secret"
    )
    words = ("anna", "secret-game", "Secret")
    assert [names(searched(client, word)) for word in words] == [[], [], []]
    client.force_login(UserFactory.create())
    assert [names(searched(client, word)) for word in words] == [[], [], []]
    client.force_login(MembershipFactory.create(club=season.club).user)
    assert [names(searched(client, word)) for word in words] == [
        ["anna"],
        ["secret-game"],
        ["Secret"],
    ]


def test_two_who_are_one_are_found_once(client: Client) -> None:
    counted_season(3)
    elif_, ben = (Player.objects.get(handle=handle) for handle in ("elif", "ben"))
    player_merge(kept_player=ben, merged=elif_, actor=Actor())
    assert names(searched(client, "elif")) == []
    assert names(searched(client, "ben")) == ["ben"]


def test_the_first_are_shown_and_that_there_are_more(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "SHOWN", 2)
    counted_season([bluff_record(0, seats=["anna", "anton", "annika"])])
    html = searched(client, "an")
    assert names(html) == ["anna", "annika"]
    assert "the first 2" in html


@pytest.mark.parametrize("count", [1, 3])
def test_five_queries_however_much_is_found(
    client: Client, count: int, django_assert_num_queries: Queries
) -> None:
    for _ in range(count):
        counted_season(count, name="Anna’s season")
    with django_assert_num_queries(5):
        searched(client, "anna")


def test_a_name_is_looked_for_in_its_index_and_a_wide_beginning_has_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    season = counted_season(1)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert "player_by_search_words" in Player.objects.filter(words_begin("ann zum")).explain()
    for module in (search, ranking):
        monkeypatch.setattr(module, "LOOKED_AT", 2)
    rename(season, "ben", "Anna")
    rename(season, "cleo", "Anna")
    assert len(search.players_called(Viewer(AnonymousUser()), "an").shown) == 2
    assert len(ranking.players_found(season.ranking_id, "an", 9)) == 2
