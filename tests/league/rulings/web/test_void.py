"""Voiding a game in the browser: what that changes, the confirmation with a reason, the marks, and restoring it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from games.models import Game, Void
from league.log.services import Actor
from league.models import Club, Player, Role, Season, Table, TableScore
from league.rulings.services.correction import game_correct
from league.tables.services.void import game_void_add
from tests.factories import events
from tests.factories.counted import add_games, count
from tests.factories.league import MembershipFactory, SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.tables.test_result import published

pytestmark = pytest.mark.django_db
MARK = '<span class="pill pill-star">'
REASON = "It was a practice game."


@pytest.fixture
def season(club: Club) -> Season:
    made: Season = SeasonFactory.create(club=club, slug="autumn")
    add_games(made, [bluff_record(seed) for seed in range(3)])
    return made


@pytest.fixture
def game(season: Season) -> Game:
    return Game.objects.get(external_id="game-1")


@pytest.fixture
def arbiter(client: Client, club: Club) -> Client:
    client.force_login(MembershipFactory.create(club=club, role=Role.ARBITER).user)
    return client


def address(game: Game, name: str = "game") -> str:
    return reverse(name, args=[game.public_id])


def shown(response: Any) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_a_game_goes_over_the_preview_to_its_mark_and_back(arbiter: Client, season: Season, game: Game) -> None:
    assert address(game, "game-void") in shown(arbiter.get(address(game)))
    html = shown(arbiter.get(address(game, "game-void")))
    assert "What it changes" in html
    assert html.count("anna") == 1
    assert not Void.objects.exists()
    response = arbiter.post(address(game, "game-void"), {"reason": REASON})
    assert (response.status_code, response["Location"]) == (302, address(game))
    html = shown(arbiter.get(address(game)))
    assert "This game is void: it counts for nothing." in html
    assert "by an arbiter" in html
    assert REASON in html
    assert address(game, "game-correct") not in html
    assert address(game, "game-restore") in html
    count(season)
    anna = Player.objects.get(club=season.club, handle="anna")
    for name, *place in (("season-games", season.club.slug, season.slug), ("player", anna.public_id)):
        assert MARK in shown(arbiter.get(reverse(name, args=place))), name
    html = shown(arbiter.get(address(game, "game-restore")))
    assert "as if it had never been void" in html
    arbiter.post(address(game, "game-restore"), {"reason": "It was none."})
    html = shown(arbiter.get(address(game)))
    assert "This game is void" not in html
    assert "It was none." in html, "what was said of it stays readable"


def test_sent_twice_it_is_done_once(arbiter: Client, game: Game) -> None:
    for _ in range(2):
        assert arbiter.post(address(game, "game-void"), {"reason": REASON})["Location"] == address(game)
    assert Void.objects.count() == 1
    assert arbiter.get(address(game, "game-void"))["Location"] == address(game)


def test_a_reason_is_needed(arbiter: Client, game: Game) -> None:
    assert "field is required" in shown(arbiter.post(address(game, "game-void"), {"reason": " "}))
    assert not Void.objects.exists()


def test_of_a_corrected_game_the_newest_revision_is_the_one(arbiter: Client, game: Game) -> None:
    newer = game_correct(game=game, line=line(bluff_record(9, id="game-1")), reason="Mixed up.")
    assert arbiter.post(address(game, "game-void"), {"reason": REASON})["Location"] == address(newer)
    assert not Void.objects.exists()


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SCORER])
def test_who_may_not_correct_may_not_void(client: Client, club: Club, game: Game, role: Role) -> None:
    client.force_login(MembershipFactory.create(club=club, role=role).user)
    assert address(game, "game-void") not in shown(client.get(address(game)))
    for name in ("game-void", "game-restore"):
        assert client.get(address(game, name)).status_code == 404


def test_the_queries_of_a_game_page_grow_by_one_for_a_void(
    arbiter: Client, game: Game, django_assert_num_queries: Queries
) -> None:
    other = Game.objects.get(external_id="game-2")
    for _ in range(2):
        arbiter.get(address(other))
    with django_assert_num_queries(8):
        arbiter.get(address(other))
    game_void_add(game=game, actor=Actor(reason=REASON))
    count(game.season_game.season)
    with django_assert_num_queries(9):
        arbiter.get(address(game))


def test_a_table_says_which_of_its_games_is_void(arbiter: Client, club: Club) -> None:
    season: Season = SeasonFactory.create(club=club, slug="evenings", scoring="placement")
    stage = published(season)
    events.play(stage.stage_rounds.get())
    table = Table.objects.filter(stage_round__stage=stage).earliest("pk")
    game = Game.objects.get(table_game__table=table)
    assert "The table is unfinished until it is played again." in shown(arbiter.get(address(game, "game-void")))
    game_void_add(game=game, actor=Actor(reason=REASON))
    for page in (
        reverse("table", args=[table.public_id]),
        reverse("stage-round", args=[season.club.slug, stage.event.slug, stage.number, 1]),
    ):
        html = shown(arbiter.get(page))
        assert address(game) in html, page
        assert MARK in html, page


def test_taking_a_round_back_offers_to_void_its_games(client: Client, club: Club) -> None:
    client.force_login(MembershipFactory.create(club=club, role=Role.ORGANISER).user)
    stage = published(SeasonFactory.create(club=club, slug="evenings", scoring="placement"))
    page = reverse("desk-round-take-back", args=[club.slug, stage.event.slug, stage.number, 1])
    assert "Void these games" not in shown(client.get(page))
    events.play(stage.stage_rounds.get())
    first, *others = Game.objects.order_by("pk")
    html = shown(client.get(page))
    assert all(f'value="{game.public_id}"' in html for game in (first, *others))
    response = client.post(page, {"reason": "Wrong seats.", "void": [first.public_id]})
    assert response.status_code == 302
    assert [void.game for void in Void.objects.all()] == [first]
    assert not TableScore.objects.filter(game=first).exists()
    assert stage.stage_rounds.get().status == "taken_back"
