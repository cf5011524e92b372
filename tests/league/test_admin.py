"""The administration: what it changes stands in the clubs' logs, and facts can't be touched."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from django.contrib import admin
from django.contrib.admin.utils import label_for_field
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games.models import Game
from games.queries.game import game_head
from league.clubs.actions import ClubAction, KeyAction, MemberAction
from league.clubs.services.key import key_create
from league.log.models import LogEntry
from league.models import AllTime, ApiKey, Club, IdempotencyKey, ImportJob, Membership, Player, Role, Season, User
from league.rankings.actions import RankingAction
from league.seasons.actions import SeasonAction
from tests.factories.counted import counted_season
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory, UserFactory


@pytest.fixture
def operator(db: None) -> User:
    return UserFactory.create(is_staff=True, is_superuser=True)


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


@pytest.mark.parametrize("model", [Game, Player, ImportJob, IdempotencyKey])
def test_facts_and_what_has_pages_of_its_own_are_read_only(office: Client, season: Season, model: type[Model]) -> None:
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


@pytest.mark.parametrize("make", [UserFactory.create, ClubFactory.create, SeasonFactory.create])
def test_accounts_clubs_and_seasons_are_never_deleted(office: Client, make: Callable[[], Model]) -> None:
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


def test_roles_are_given_and_taken_and_never_changed(office: Client, operator: User) -> None:
    club, user = ClubFactory.create(), UserFactory.create()
    fields = {"club": club.pk, "user": user.pk, "role": Role.SCORER}
    assert saved(office.post(address(Membership, "add"), fields))
    member = Membership.objects.get()
    assert office.post(address(Membership, "change", member.pk), fields | {"role": Role.ORGANISER}).status_code == 403
    assert saved(office.post(address(Membership, "delete", member.pk), {"post": "yes"}))
    assert not Membership.objects.exists()
    assert logged(club) == [(MemberAction.ADDED, operator), (MemberAction.REMOVED, operator)]


def test_roles_that_are_taken_from_many_at_once_are_logged_one_by_one(office: Client, operator: User) -> None:
    club = ClubFactory.create()
    members = MembershipFactory.create_batch(3, club=club, role=Role.SCORER)
    chosen = {"action": "delete_selected", "_selected_action": [member.pk for member in members], "post": "yes"}
    office.post(address(Membership, "changelist"), chosen)
    assert logged(club)[3:] == [(MemberAction.REMOVED, operator)] * 3


def test_the_last_organiser_stays(office: Client) -> None:
    member = MembershipFactory.create()
    answer = office.post(address(Membership, "delete", member.pk), {"post": "yes"}, follow=True)
    assert "no organiser any more" in answer.content.decode()
    assert Membership.objects.get() == member


def test_a_new_key_is_shown_once_and_works_until_it_is_revoked(office: Client, operator: User) -> None:
    club, user = ClubFactory.create(), UserFactory.create()
    fields = {"label": "Scoreboard", "club": club.pk, "user": user.pk}
    answer = office.post(address(ApiKey, "add"), fields, follow=True)
    key = ApiKey.objects.get()
    secret = next(word for word in answer.content.decode().replace("<", " ").split() if word.startswith("cups_"))
    assert ApiKey.digest_of(secret) == key.digest
    assert office.post(address(ApiKey, "change", key.pk), fields | {"label": "x"}).status_code == 403
    for _ in range(2):
        office.post(address(ApiKey, "changelist"), {"action": "revoke", "_selected_action": [key.pk]})
    key.refresh_from_db()
    assert key.revoked_at
    assert logged(club) == [(KeyAction.CREATED, operator), (KeyAction.REVOKED, operator)]


def season_form(club: Club, **settings: object) -> dict[str, object]:
    return {
        "club": club.pk, "slug": "autumn", "name": "Autumn", "starts_on": "2026-09-01", "ends_on": "", "kind": "bluff",
        "rules": '{"exact": "all"}', "notes": "points", "visibility": "public", "scoring": "cntdice",
        "tie_breaks": "points,wins", "rated": "on",
    } | settings  # fmt: skip


def test_a_season_is_made_and_changed_with_its_ranking(office: Client, operator: User) -> None:
    club = ClubFactory.create()
    assert saved(office.post(address(Season, "add"), season_form(club)))
    season = Season.objects.select_related("ranking").get()
    assert (season.starts_on, season.rules) == (date(2026, 9, 1), {"exact": "all"})
    assert (season.ranking.tie_breaks, season.ranking.rated) == (["points", "wins"], True)
    page = office.get(address(Season, "change", season.pk)).content.decode()
    assert 'value="points,wins"' in page
    change = season_form(club, tie_breaks="wins,points", name="Herbst")
    assert saved(office.post(address(Season, "change", season.pk), change))
    assert saved(office.post(address(Season, "change", season.pk), change))
    season.ranking.refresh_from_db()
    assert (season.ranking.tie_breaks, season.ranking.rebuilt_to) == (["wins", "points"], 0)
    assert logged(club) == [(SeasonAction.CREATED, operator), (SeasonAction.CHANGED, operator)]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"scoring": "totals"}, "be counted by totals"),
        ({"tie_breaks": "points,points"}, "each once"),
        ({"tie_breaks": ""}, "This field is required"),
        ({"ends_on": "2026-08-01"}, "can’t end before it starts"),
        ({"slug": "taken"}, "Another season of the club has this address"),
        ({"rules": '{"exakt": "alle"}'}, "exakt"),
        ({"rules": '{"exact": "alle"}'}, "alle"),
        ({"slug": "all-time"}, "address of another page"),
    ],
)
def test_what_no_season_can_be_is_said_beside_the_form(office: Client, settings: dict[str, str], said: str) -> None:
    club = ClubFactory.create()
    SeasonFactory.create(club=club, slug="taken")
    season = SeasonFactory.create(club=club, slug="autumn")
    form = season_form(club, **settings)
    for page in (address(Season, "add"), address(Season, "change", season.pk)):
        answer = office.post(page, form | ({"slug": "new"} if "slug" not in settings and "add" in page else {}))
        assert answer.status_code == 200
        assert said in answer.content.decode()
    assert Season.objects.count() == 2


def test_a_season_with_games_keeps_its_kind_scoring_and_rules(office: Client, season: Season) -> None:
    page = address(Season, "change", season.pk)
    form = season_form(season.club, slug=season.slug, rules="{}", tie_breaks="points,wins,best_game")
    for settings in (
        {"scoring": "placement"},
        {"kind": "luegen-kniffel", "scoring": "totals"},
        {"rules": '{"dice": 5}'},
    ):
        answer = office.post(page, form | settings)
        assert "This is settled: games are in." in answer.content.decode()
    answer = office.post(page, form | {"name": "Another name"})
    assert saved(answer), answer.context["adminform"].form.errors


def test_tables_are_computed_anew_and_a_ranking_of_all_time_begun(
    office: Client, operator: User, season: Season
) -> None:
    office.post(address(Season, "changelist"), {"action": "rebuild", "_selected_action": [season.pk]})
    chosen = {"action": "begin_all_time", "_selected_action": [season.club.pk]}
    for _ in range(2):
        office.post(address(Club, "changelist"), chosen)
    assert AllTime.objects.get().club == season.club
    assert logged(season.club)[-2:] == [(RankingAction.REBUILT, operator), (RankingAction.CREATED, operator)]


@pytest.mark.parametrize("role", Role)
def test_members_of_clubs_see_nothing_of_it(client: Client, db: None, role: Role) -> None:
    client.force_login(MembershipFactory.create(role=role).user)
    for model in registered():
        assert client.get(address(model, "changelist")).status_code == 302


OURS = [model for model in registered() if model._meta.app_label in ("games", "league")]
SAME = {"Status", "status", "Club", "club", "clubs", "account", "accounts", "Handle", "handle", "Name", "name"}
"""What is called the same in two of our languages."""


@pytest.mark.parametrize("language", ["de", "nl"])
@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.label)
def test_models_and_columns_have_names_in_each_language(model: type[Model], language: str) -> None:
    administered = admin.site._registry[model]

    def names() -> list[str]:
        columns = [str(label_for_field(name, model, administered)) for name in administered.list_display]
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
