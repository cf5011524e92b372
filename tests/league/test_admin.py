"""The administration: what it changes stands in the clubs' logs, and facts can't be touched."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.contrib import admin
from django.contrib.admin.utils import label_for_field
from django.contrib.auth.models import Permission
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games.models import Game
from games.queries.game import game_head
from league.core.club.actions import ClubAction
from league.core.key.actions import KeyAction
from league.core.key.services.key import key_create
from league.core.log.models import LogEntry
from league.models import (
    ApiKey,
    Club,
    IdempotencyKey,
    ImportJob,
    Membership,
    Player,
    Role,
    Season,
    User,
)
from tests.factories.counted import counted_season
from tests.factories.league import ClubFactory, MembershipFactory, OperatorFactory, UserFactory


@pytest.fixture
def operator(db: None) -> User:
    return OperatorFactory.create()


@pytest.fixture
def office(client: Client, operator: User) -> Client:
    """The browser of an operator."""
    client.force_login(operator)
    return client


@pytest.fixture
def season(db: None) -> Season:
    return counted_season()


def address(model: type[Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


def saved(answer: object) -> bool:
    """Whether a form went through: it leads back to the list."""
    return getattr(answer, "status_code", None) == 302


def logged(club: Club) -> list[tuple[str, User | None]]:
    """What stands in a club's log after its beginning, and who did it."""
    entries = LogEntry.objects.filter(club=club).select_related("actor").order_by("position")
    return [(entry.action, entry.actor) for entry in entries if entry.action != ClubAction.CREATED]


def registered() -> list[type[Model]]:
    return sorted(admin.site._registry, key=lambda model: model._meta.label)


@pytest.mark.parametrize("model", registered(), ids=lambda model: model._meta.label)
def test_every_list_opens(office: Client, season: Season, model: type[Model]) -> None:
    assert office.get(address(model, "changelist")).status_code == 200


def test_models_with_keys_of_several_columns_arent_registered() -> None:
    for model in registered():
        assert len(model._meta.pk_fields) == 1, model


@pytest.mark.parametrize("model", [Game, Player, Membership, Season, ImportJob, IdempotencyKey])
def test_facts_and_what_has_pages_of_its_own_are_read_only(
    office: Client, season: Season, model: type[Model]
) -> None:
    assert office.get(address(model, "add")).status_code == 403
    row = model._default_manager.first()
    if row is None:
        return
    page = office.get(address(model, "change", row.pk))
    assert page.status_code == 200
    assert b'name="_save"' not in page.content
    assert office.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert office.post(address(model, "change", row.pk), {"source": "x"}).status_code == 403
    assert model._default_manager.filter(pk=row.pk).exists()


@pytest.mark.parametrize("make", [UserFactory.create, ClubFactory.create])
def test_accounts_and_clubs_are_never_deleted(office: Client, make: Callable[[], Model]) -> None:
    row = make()
    assert office.post(address(type(row), "delete", row.pk), {"post": "yes"}).status_code == 403


def test_a_game_shows_its_head(office: Client, season: Season) -> None:
    game = Game.objects.all()[0]
    assert game_head(game).hex() in office.get(address(Game, "change", game.pk)).content.decode()


CLUB = {
    "slug": "stern",
    "name": "Zum Stern",
    "about": "",
    "timezone": "Europe/Berlin",
    "language": "de",
    "currency": "EUR",
}


def test_a_new_club_begins_its_log(office: Client, operator: User) -> None:
    assert saved(office.post(address(Club, "add"), CLUB))
    entry = LogEntry.objects.get(club__slug="stern")
    assert (entry.position, entry.action, entry.actor) == (1, ClubAction.CREATED, operator)


def test_a_changed_club_is_logged_and_a_bad_one_refused(office: Client, operator: User) -> None:
    club = ClubFactory.create(**CLUB)
    change = address(Club, "change", club.pk)
    assert not saved(office.post(change, CLUB | {"timezone": "Mars/Olympus"}))
    assert saved(office.post(change, CLUB | {"name": "Zum Goldenen Stern"}))
    assert saved(office.post(change, CLUB | {"name": "Zum Goldenen Stern"}))
    assert logged(club) == [(ClubAction.CHANGED, operator)]
    club.refresh_from_db()
    assert club.name == "Zum Goldenen Stern"


def test_a_key_in_wrong_hands_is_revoked(office: Client, operator: User) -> None:
    club, user = ClubFactory.create(), UserFactory.create()
    key, _ = key_create(club=club, user=user, label="Scoreboard")
    for _ in range(2):
        office.post(
            address(ApiKey, "changelist"), {"action": "revoke", "_selected_action": [key.pk]}
        )
    key.refresh_from_db()
    assert key.revoked_at
    assert logged(club) == [(KeyAction.CREATED, user), (KeyAction.REVOKED, operator)]


def test_who_may_only_look_at_keys_revokes_none(client: Client, db: None) -> None:
    looker = OperatorFactory.create(is_superuser=False)
    looker.user_permissions.add(Permission.objects.get(codename="view_apikey"))
    key, _ = key_create(club=ClubFactory.create(), user=looker, label="Scoreboard")
    client.force_login(looker)
    assert "Scoreboard" in client.get(address(ApiKey, "changelist")).content.decode()
    client.post(address(ApiKey, "changelist"), {"action": "revoke", "_selected_action": [key.pk]})
    key.refresh_from_db()
    assert key.revoked_at is None


@pytest.mark.parametrize("page", ["desk", "desk-members", "desk-keys", "desk-season-new"])
def test_the_desk_of_a_club_is_open_to_an_operator(office: Client, page: str) -> None:
    """What the administration shows and doesn't change is changed there."""
    assert office.get(reverse(page, args=[ClubFactory.create().slug])).status_code == 200


@pytest.mark.parametrize("role", Role)
def test_members_of_clubs_see_nothing_of_it(client: Client, db: None, role: Role) -> None:
    client.force_login(MembershipFactory.create(role=role).user)
    for model in registered():
        assert client.get(address(model, "changelist")).status_code == 302


OURS = [model for model in registered() if model._meta.app_label in ("games", "league")]
SAME = {
    "Status",
    "status",
    "Club",
    "club",
    "clubs",
    "account",
    "accounts",
    "Handle",
    "handle",
    "Name",
    "name",
}
"""What is called the same in two of our languages."""


@pytest.mark.parametrize("language", ["de", "nl"])
@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label)
def test_models_and_columns_have_names_in_each_language(model: type[Model], language: str) -> None:
    administered = admin.site._registry[model]

    def names() -> list[str]:
        columns = [
            str(label_for_field(name, model, administered)) for name in administered.list_display
        ]
        return [str(model._meta.verbose_name), str(model._meta.verbose_name_plural), *columns]

    with override("en"):
        english = names()
    with override(language):
        translated = names()
    same = {name for name, other in zip(english, translated, strict=True) if name == other}
    assert not same - SAME


def test_times_are_those_of_the_operators_club(office: Client, operator: User) -> None:
    club = ClubFactory.create(timezone="Asia/Tokyo")
    key_create(club=club, user=operator, label="tablet")
    ApiKey.objects.update(last_used_at=datetime(2026, 9, 1, 20, 30, tzinfo=UTC))
    page = address(ApiKey, "changelist")
    assert "20:30" in office.get(page).content.decode()
    MembershipFactory.create(club=club, user=operator)
    assert "05:30" in office.get(page).content.decode()


def test_its_pages_run_scripts_of_this_host_alone(office: Client) -> None:
    policy = dict(
        part.split(" ", 1) for part in office.get("/admin/")["Content-Security-Policy"].split("; ")
    )
    assert policy["script-src"] == "'self' 'unsafe-eval'"
    assert policy["style-src"] == "'self' 'unsafe-inline'"
    assert (policy["default-src"], policy["object-src"]) == ("'self'", "'none'")
    assert "unsafe" not in office.get("/service/")["Content-Security-Policy"]
