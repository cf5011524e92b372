"""A whole dispute by program, with the pages' permissions."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from django.test import Client

from games.models import Game
from games.queries.game import sealed_record
from league.models import Role, Ruling, User
from tests.factories.proposals import turned
from tests.league.core.frame.api.programs import bearer, code_of, get, member_key
from tests.league.disputes.objection.test_objection import contest, post, secret_of

pytestmark = pytest.mark.django_db
RULING: Final = {
    "findings": "Two players heard the call.",
    "rule": "B6",
    "reason": "A call stands.",
}


def rule(client: Client, game: Game, secret: str, verb: str = "stands", **body: Any) -> Any:
    return post(
        client, f"games/{game.public_id}/rulings/", secret, **{"verb": verb, **RULING, **body}
    )


def record_of(game: Game) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(turned(game))
    return record


def test_objected_heard_ruled_appealed_and_decided(
    client: Client, played: Game, sitters: list[User]
) -> None:
    club = played.season_game.season.club
    arbiters = [member_key(club, Role.ARBITER)[0] for _ in range(3)]
    contest(client, played, secret_of(played, sitters[1]))
    heard = post(client, f"games/{played.public_id}/hearings/", arbiters[0], word="Who called?")
    assert heard.json()["number"] == 1
    preview = post(
        client, f"games/{played.public_id}/rulings/preview/", arbiters[0], verb="voided"
    ).json()
    assert preview["rankings"]
    made = rule(client, played, arbiters[0], "corrected", record=record_of(played)).json()
    assert (made["number"], made["verb"], made["standard"], made["rule"]) == (
        1,
        "corrected",
        "likely",
        "B6",
    )
    assert made["outcome"] != made["game"]
    appeal = post(
        client,
        f"rulings/{made['id']}/appeal/",
        secret_of(played, sitters[0]),
        word="It was not so.",
    ).json()
    assert (appeal["seat"], appeal["ended_at"], appeal["decision"]) == (0, None, None)
    newest = Game.objects.get(replaces=played)
    assert get(f"/games/{newest.public_id}/").json()["provisional"] is True
    drafts = f"appeals/{appeal['id']}/drafts/"
    draft = post(client, drafts, arbiters[1], verb="stands", **RULING).json()
    assert draft["decision"]["verb"] == "stands"
    agree = f"appeals/drafts/{draft['id']}/agree/"
    assert code_of(post(client, agree, arbiters[1])) == (422, "second_needed")
    assert code_of(post(client, agree, arbiters[0])) == (422, "ruled_before")
    final = post(client, agree, arbiters[2]).json()
    assert final["number"] == 2
    assert get(f"/games/{newest.public_id}/").json()["provisional"] is False
    rows = get(f"/clubs/{club.slug}/rulings/").json()["results"]
    assert [row["number"] for row in rows] == [2, 1]
    assert get(f"/rulings/{made['id']}/").json() == made


def test_refusals_have_codes(client: Client, played: Game, sitters: list[User]) -> None:
    club = played.season_game.season.club
    arbiter, scorer = (member_key(club, role)[0] for role in (Role.ARBITER, Role.SCORER))
    assert rule(client, played, scorer).status_code == 403
    assert code_of(rule(client, played, arbiter)) == (422, "not_disputed")
    contest(client, played, secret_of(played, sitters[1]))
    assert code_of(rule(client, played, arbiter, rule="X1")) == (400, "bad_value")
    assert code_of(rule(client, played, arbiter, "warned")) == (422, "field_needed")
    assert code_of(rule(client, played, arbiter, "warned", seat=40)) == (422, "no_seat")
    assert code_of(rule(client, played, arbiter, "corrected", record={"a": 1}))[0] == 422
    assert code_of(post(client, f"games/{played.public_id}/void/", arbiter, reason="Mine.")) == (
        422,
        "ruling_needed",
    )
    corrections = f"games/{played.public_id}/corrections/"
    refused = post(client, corrections, arbiter, record=record_of(played), reason="Mine.")
    assert code_of(refused) == (422, "ruling_needed")
    assert not Ruling.objects.exists()


def test_what_nobody_disputes_is_corrected_without_a_ruling(client: Client, played: Game) -> None:
    arbiter, _ = member_key(played.season_game.season.club, Role.ARBITER)
    corrections = f"games/{played.public_id}/corrections/"
    preview = post(client, f"{corrections}preview/", arbiter, record=record_of(played)).json()
    assert preview["rankings"]
    corrected = post(client, corrections, arbiter, record=record_of(played), reason="Mixed up.")
    assert corrected.status_code == 201
    newest = Game.objects.get(replaces=played)
    assert corrected["Location"] == f"/api/v1/games/{newest.public_id}/"
    assert sealed_record(newest)[0].outcome != sealed_record(played)[0].outcome


def test_rulings_on_games_that_nobody_may_see_are_not_there(
    client: Client, played: Game, sitters: list[User]
) -> None:
    club = played.season_game.season.club
    arbiter, _ = member_key(club, Role.ARBITER)
    contest(client, played, secret_of(played, sitters[1]))
    made = rule(client, played, arbiter).json()
    played.season_game.season.visibility = "members"
    played.season_game.season.save()
    assert get(f"/clubs/{club.slug}/rulings/").json()["results"] == []
    assert get(f"/rulings/{made['id']}/").status_code == 404
    assert client.get(f"/api/v1/rulings/{made['id']}/", headers=bearer(arbiter)).json() == made
