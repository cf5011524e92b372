"""The administration: everything that exists can be looked at, and facts can't be touched."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from games.models import Game, Outbox, Round, Seat
from league.models import ApiKey, Appearance, Rating, RatingChange, Season, SeasonGame, Standing, Style, User
from tests.factories.counted import counted_season
from tests.factories.league import ClubFactory, UserFactory

READ_ONLY = [Game, Outbox, SeasonGame, Appearance, Standing, Rating, RatingChange, Style]


@pytest.fixture
def administrator(client: Client, db: None) -> Client:
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    return client


@pytest.fixture
def season(db: None) -> Season:
    return counted_season()


def models() -> list[str]:
    return sorted(f"{model._meta.app_label}_{model._meta.model_name}" for model in admin.site._registry)


@pytest.mark.parametrize("name", models())
def test_every_list_opens(administrator: Client, season: Season, name: str) -> None:
    assert administrator.get(reverse(f"admin:{name}_changelist")).status_code == 200


@pytest.mark.parametrize("model", READ_ONLY)
def test_facts_and_what_follows_from_them_are_read_only(
    administrator: Client, season: Season, model: type[Game]
) -> None:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    row = model.objects.first()
    assert row
    page = administrator.get(reverse(f"{name}_change", args=[row.pk]))
    assert page.status_code == 200
    assert b'name="_save"' not in page.content
    assert administrator.get(reverse(f"{name}_add")).status_code == 403
    assert administrator.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert administrator.post(reverse(f"{name}_change", args=[row.pk]), {"source": "x"}).status_code == 403
    assert model.objects.filter(pk=row.pk).exists()


def test_seats_and_rounds_are_shown_with_their_game_only(administrator: Client, season: Season) -> None:
    game = Game.objects.first()
    assert game
    page = administrator.get(reverse("admin:games_game_change", args=[game.pk])).content.decode()
    assert bytes(game.head).hex() in page
    assert not {Seat, Round} & set(admin.site._registry)


def test_a_new_key_is_shown_once_and_works_until_it_is_revoked(administrator: Client) -> None:
    club, user = ClubFactory.create(), User.objects.get()
    answer = administrator.post(
        reverse("admin:league_apitoken_add"), {"label": "Scoreboard", "club": club.pk, "user": user.pk}, follow=True
    )
    token = ApiKey.objects.get()
    secret = next(word for word in answer.content.decode().replace("<", " ").split() if word.startswith("cups_"))
    assert ApiKey.digest_of(secret) == token.digest
    administrator.post(
        reverse("admin:league_apitoken_changelist"), {"action": "revoke", "_selected_action": [token.pk]}
    )
    token.refresh_from_db()
    assert token.revoked_at


def test_a_season_with_games_keeps_its_kind_and_scoring(administrator: Client, season: Season) -> None:
    page = administrator.get(reverse("admin:league_season_change", args=[season.pk])).content.decode()
    assert 'name="name"' in page
    assert 'name="scoring"' not in page
    assert 'name="kind"' not in page


def test_others_see_nothing_of_it(client: Client, db: None) -> None:
    client.force_login(UserFactory.create())
    assert client.get(reverse("admin:games_game_changelist")).status_code == 302
