"""Keys and sessions: who is let in, who is asked for a key, who is turned away."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game
from league.models import ApiKey, Club, Membership, Role, Season, User
from tests.factories.league import ClubFactory
from tests.factories.records import bluff_record, line
from tests.league.core.frame.api.programs import bearer, code_of, get, member_key

GAMES = "/api/v1/clubs/stern/games/?season=autumn"


def enter(**headers: str) -> tuple[int, str]:
    response = Client().post(
        GAMES, line(bluff_record(1)), content_type="application/json", headers=headers
    )
    return (201, "") if response.status_code == 201 else code_of(response)


def test_a_key_of_a_scorer_enters_games(season: Season, secret: str, scorer: User) -> None:
    assert enter(**bearer(secret)) == (201, "")
    assert Game.objects.get().entered_by == scorer


def test_who_says_nothing_is_asked_for_a_key(season: Season) -> None:
    response = Client().post(GAMES, line(bluff_record(1)), content_type="application/json")
    assert code_of(response) == (401, "not_authenticated")
    assert response["WWW-Authenticate"] == 'Bearer realm="Cups Up"'


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer cups_", "bearer x y", "Bearer \xe9", "Bearer cups_" + "a" * 9000]
)
def test_a_bad_key_is_refused_even_where_none_is_needed(season: Season, header: str) -> None:
    assert code_of(get("/clubs/", Authorization=header)) == (401, "authentication_failed")
    assert enter(Authorization=header) == (401, "authentication_failed")


def test_another_scheme_is_no_key(season: Season) -> None:
    assert get("/clubs/", Authorization="Basic dTpw").status_code == 200


def test_a_revoked_key_and_one_of_a_closed_account_are_refused(season: Season) -> None:
    revoked, key = member_key(season.club)
    ApiKey.objects.filter(pk=key.pk).update(revoked_at=timezone.now())
    closed, key = member_key(season.club)
    User.objects.filter(pk=key.user.pk).update(is_active=False)
    assert enter(**bearer(revoked)) == enter(**bearer(closed)) == (401, "authentication_failed")


def test_players_of_the_club_may_not_enter_games(season: Season) -> None:
    secret, _ = member_key(season.club, Role.PLAYER)
    assert enter(**bearer(secret)) == (403, "permission_denied")


def test_a_key_is_good_for_its_own_club_only(season: Season) -> None:
    _, key = member_key(season.club, Role.ORGANISER)
    elsewhere, _ = member_key(ClubFactory.create(), Role.ORGANISER, user=key.user)
    assert enter(**bearer(elsewhere)) == (403, "wrong_club")


def test_a_key_loses_what_its_account_loses(season: Season, secret: str, scorer: User) -> None:
    Membership.objects.filter(user=scorer).delete()
    assert enter(**bearer(secret)) == (403, "permission_denied")


def test_use_is_noted_at_most_once_a_minute(season: Season, secret: str) -> None:
    get("/clubs/", **bearer(secret))
    first = ApiKey.objects.get().last_used_at
    assert first
    with CaptureQueriesContext(connection) as captured:
        get("/clubs/", **bearer(secret))
    assert not [query for query in captured if query["sql"].startswith("UPDATE")]
    ApiKey.objects.update(last_used_at=first - timedelta(seconds=61))
    get("/clubs/", **bearer(secret))
    used = ApiKey.objects.get().last_used_at
    assert used
    assert used >= first


def test_a_session_enters_games_with_the_csrf_token_only(
    season: Season, club: Club, scorer: User
) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(scorer)
    body = line(bluff_record(1))
    refused = browser.post(GAMES, body, content_type="application/json")
    assert code_of(refused) == (403, "permission_denied")
    browser.cookies["csrftoken"] = "c" * 32
    answer = browser.post(
        GAMES, body, content_type="application/json", headers={"X-CSRFToken": "c" * 32}
    )
    assert answer.status_code == 201
