"""No season is closed while a seat objects to one of its games: the organiser is told which games
wait, and where."""

from __future__ import annotations

import json
from datetime import date
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse

from engine.illegal import Refused
from games.models import Game
from league.core.log.services import Actor
from league.counting.event_counting.services import divisions_set
from league.counting.promotion.domain import MOST_NAMED, DisputedGame, close_refused
from league.counting.promotion.services import season_close
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.models import Event, Objection, Role, Season
from league.stages.result.services.void import game_void_add
from tests.factories import events
from tests.league.core.frame.api.programs import bearer, code_of, member_key
from tests.league.disputes.ruling.rulings import let_stand

pytestmark = pytest.mark.django_db
NEXT: Final[dict[str, Any]] = {"slug": "winter", "name": "Winter", "starts_on": date(2027, 1, 7)}
WHY: Final = Actor(reason="It was a five.")


@pytest.fixture
def game(season: Season) -> Game:
    """A game of a season with two divisions, to which nobody objects yet."""
    players = events.players(season.club, 4)
    event = events.event(season, status=Event.Status.RUNNING)
    events.enter(event, players)
    events.play(events.drawn(events.stage(event, sizes=[4], rounds=1)))
    divided = {player.public_id: 1 + number // 2 for number, player in enumerate(players)}
    divisions_set(
        season=season,
        actor=events.ACTOR,
        divisions=[("Stars", 0, 0), ("Cups", 0, 0)],
        players=divided,
    )
    return Game.objects.select_related("season_game__season__club").get()


def contest(game: Game, seat: int = 0) -> Objection:
    return objection_raise(game=game, seat=seat, word="It was a four.", actor=Actor())


def close(season: Season) -> Season:
    return season_close(season=season, actor=events.ACTOR, **NEXT)


def test_it_is_refused_with_the_games_that_wait_and_nothing_is_made(
    season: Season, game: Game
) -> None:
    contest(game)
    with pytest.raises(Refused) as refused:
        close(season)
    assert refused.value.illegal.code == "results_provisional"
    assert f"Night-1 (/games/{game.public_id}/)" in refused.value.illegal.message
    assert not Season.objects.filter(slug="winter").exists()


def test_the_season_is_closed_once_somebody_has_ruled(season: Season, game: Game) -> None:
    first, second = contest(game), contest(game, 1)
    objection_withdraw(objection=first, actor=Actor())
    with pytest.raises(Refused):
        close(season)
    let_stand(second, actor=WHY)
    assert close(season).slug == "winter"


def test_a_voided_game_is_in_nobody_s_way(season: Season, game: Game) -> None:
    contest(game)
    game_void_add(game=game, actor=WHY)
    assert close(season).slug == "winter"


def test_a_game_of_another_season_is_in_nobody_s_way(season: Season, game: Game) -> None:
    following = close(season)
    contest(game)
    made = season_close(
        season=following, actor=events.ACTOR, **NEXT | {"slug": "spring", "name": "Spring"}
    )
    assert made.slug == "spring"


def test_what_is_disputed_after_the_close_changes_nothing_of_it(season: Season, game: Game) -> None:
    following = close(season)
    contest(game)
    assert close(season) == following


def test_a_refusal_names_the_first_games_and_says_that_there_are_more() -> None:
    games = [DisputedGame("bcdfghjkmn", f"Night-{number}", "1") for number in range(MOST_NAMED + 1)]
    message = close_refused(games).message
    assert message.endswith(f"Night-{MOST_NAMED - 1} (/games/bcdfghjkmn/), …")
    assert "…" not in close_refused(games[:MOST_NAMED]).message


def test_the_page_leads_to_the_games_and_has_no_button(
    season: Season, game: Game, desk: Client
) -> None:
    address = reverse("desk-season-close", args=[season.club.slug, season.slug])
    assert "Begin the next season" in desk.get(address).content.decode()
    contest(game)
    html = " ".join(desk.get(address).content.decode().split())
    assert "1 game is waiting for a ruling" in html
    assert f'href="/games/{game.public_id}/case/"' in html
    assert f'href="{reverse("desk-objections", args=[season.club.slug])}"' in html
    assert "Begin the next season" not in html


def test_a_page_that_was_open_before_closes_nothing(
    season: Season, game: Game, desk: Client
) -> None:
    contest(game)
    address = reverse("desk-season-close", args=[season.club.slug, season.slug])
    answer = desk.post(address, NEXT)
    assert answer.status_code == 200
    assert "1 game is waiting for a ruling" in " ".join(answer.content.decode().split())
    assert not Season.objects.filter(slug="winter").exists()


def test_programs_see_what_is_in_the_way_and_are_refused(
    season: Season, game: Game, client: Client
) -> None:
    key = bearer(member_key(season.club, Role.ORGANISER)[0])
    address = f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/close/"
    before = client.get(address, headers=key).json()
    assert (before["disputed"], before["fault"]) == ([], None)
    contest(game)
    after = client.get(address, headers=key).json()
    assert after["disputed"] == [f"/api/v1/games/{game.public_id}/"]
    assert game.public_id in after["fault"]
    body = json.dumps(NEXT | {"starts_on": "2027-01-07"})
    answer = client.post(address, body, content_type="application/json", headers=key)
    assert code_of(answer) == (422, "results_provisional")
