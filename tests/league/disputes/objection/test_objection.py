"""Objections by the API: raised for the own seat or as who rules, listed, and ended."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from django.test import Client

from games.models import Game
from league.core.key.services.key import key_create
from league.events.helper.services import helper_add
from league.models import Event, Objection, ObjectionEnd, Role, User
from league.standings.ranking.services.counting import ranking_count
from tests.factories import events
from tests.factories.league import UserFactory
from tests.league.core.frame.api.programs import bearer, code_of, get, member_key

pytestmark = pytest.mark.django_db
WORD: Final = "The last die was a star."


def secret_of(game: Game, user: User) -> str:
    return key_create(club=game.season_game.season.club, user=user, label="phone")[1]


def post(client: Client, path: str, secret: str, **body: Any) -> Any:
    return client.post(
        f"/api/v1/{path}", json.dumps(body), content_type="application/json", headers=bearer(secret)
    )


def contest(client: Client, game: Game, secret: str, **body: Any) -> Any:
    return post(client, f"games/{game.public_id}/objections/", secret, **{"word": WORD, **body})


def test_a_seat_objects_and_every_answer_says_provisional(
    client: Client, played: Game, sitters: list[User]
) -> None:
    season = played.season_game.season
    ranking_count(ranking_id=season.ranking_id)
    before = get(f"/games/{played.public_id}/").json()
    assert before["provisional"] is False
    raised = contest(client, played, secret_of(played, sitters[1]))
    assert raised.status_code == 200
    objection = raised.json()
    assert (objection["seat"], objection["word"], objection["role"], objection["way"]) == (
        1,
        WORD,
        "player",
        None,
    )
    assert get(f"/games/{played.public_id}/").json() == before | {"provisional": True}
    rows = get(f"/clubs/{season.club.slug}/games/").json()["results"]
    assert sorted(row["provisional"] for row in rows) == [False, True]
    ended = post(
        client, f"objections/{objection['id']}/end/", secret_of(played, sitters[1]), way="withdrawn"
    ).json()
    assert (ended["way"], ended["reason"]) == ("withdrawn", "")
    after = get(f"/games/{played.public_id}/").json()
    *receipts, newest = after.pop("receipts")
    assert receipts == before.pop("receipts")
    assert "objection closed" in newest
    assert after == before


def test_refusals_have_codes(client: Client, played: Game, sitters: list[User]) -> None:
    mine, other = secret_of(played, sitters[0]), secret_of(played, sitters[1])
    assert code_of(contest(client, played, mine, seat=1)) == (403, "not_your_seat")
    organiser, _ = member_key(played.season_game.season.club, Role.ORGANISER)
    assert code_of(contest(client, played, organiser)) == (403, "not_your_seat")
    assert code_of(contest(client, played, organiser, seat=9)) == (422, "no_seat")
    assert code_of(contest(client, played, mine, word="")) == (400, "bad_value")
    assert contest(client, played, organiser, seat=0).json()["role"] == "organiser"
    assert code_of(contest(client, played, mine)) == (422, "objected")
    end = f"objections/{Objection.objects.get().public_id}/end/"
    assert code_of(post(client, end, other, way="withdrawn")) == (403, "not_your_seat")
    assert code_of(post(client, end, organiser, way="stands")) == (400, "bad_value")
    assert not ObjectionEnd.objects.exists()
    assert post(client, end, organiser, way="withdrawn").json()["way"] == "withdrawn"
    assert code_of(post(client, end, mine, way="withdrawn")) == (422, "ended")


def test_arbiters_and_organisers_read_what_waits(
    client: Client, played: Game, sitters: list[User]
) -> None:
    slug = played.season_game.season.club.slug
    contest(client, played, secret_of(played, sitters[2]))
    arbiter, _ = member_key(played.season_game.season.club, Role.ARBITER)
    scorer, _ = member_key(played.season_game.season.club, Role.SCORER)
    path = f"/api/v1/clubs/{slug}/objections/"
    (row,) = client.get(path, headers=bearer(arbiter)).json()["results"]
    assert (row["game"], row["player"]["handle"]) == (
        f"/api/v1/games/{played.public_id}/",
        played.seats.get(number=2).handle,
    )
    assert client.get(path, headers=bearer(scorer)).status_code == 403
    assert client.get(path).status_code == 401


def test_those_of_one_event_are_read_by_who_rules_there(
    client: Client, played: Game, sitters: list[User]
) -> None:
    club = played.season_game.season.club
    night = Event.objects.get()
    path = f"/api/v1/clubs/{club.slug}/events/{night.slug}/objections/"
    arbiter, scorer = (bearer(member_key(club, role)[0]) for role in (Role.ARBITER, Role.SCORER))
    empty = client.get(path, headers=arbiter)
    assert empty.json()["results"] == []
    contest(client, played, secret_of(played, sitters[2]))
    (row,) = client.get(path, headers=arbiter | {"If-None-Match": empty["ETag"]}).json()["results"]
    assert row["seat"] == 2
    other = events.event(night.season, slug="another-night")
    assert client.get(path.replace(night.slug, other.slug), headers=arbiter).json()["results"] == []
    assert client.get(path, headers=scorer).status_code == 403
    assert client.get(path).status_code == 401
    helper = UserFactory.create()
    helper_add(event=night, user=helper, role=Role.ARBITER, actor=events.ACTOR)
    client.force_login(helper)
    assert len(client.get(path).json()["results"]) == 1
