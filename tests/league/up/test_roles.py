"""The service's role has the rights that the models say, and nothing by which a seal could be
broken."""

from __future__ import annotations

import psycopg
import pytest
from django.apps import apps
from django.core.checks import Error, Warning
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, transaction
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow
from pytest_django import Settings

from games.models import Round
from league.models import Standing
from league.up import roles
from league.up.roles import check_service_role, connected_as, grant_rights, rights, side_doors

SERVICE = connection.settings_dict["USER"]


def role() -> str:
    """Who is connected."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        return str(cursor.fetchone()[0])


@pytest.fixture
def doors(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that owns its tables, as far as the check can see."""
    monkeypatch.setattr(roles, "side_doors", lambda: ["it owns tables"])


@pytest.mark.django_db
def test_tests_run_as_the_service_which_has_no_side_door() -> None:
    assert role() == SERVICE
    assert side_doors() == []


def test_the_owner_has_every_side_door(settings: Settings, transactional_db: None) -> None:
    with connected_as(settings.DATABASE_OWNER_URL):
        assert role() == conninfo_to_dict(settings.DATABASE_OWNER_URL)["user"]
        assert side_doors() == list(roles.SIDE_DOORS)
    assert role() == SERVICE


def test_the_service_can_not_connect_as_the_owner(settings: Settings) -> None:
    owner = conninfo_to_dict(settings.DATABASE_OWNER_URL)["user"]
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(make_conninfo(settings.DATABASE_URL, user=owner, dbname="postgres"))


@pytest.mark.parametrize(
    ("statement", "door"),
    [
        ("GRANT UPDATE ON games_round TO {service}", "it can change facts"),
        ("GRANT UPDATE (body) ON games_round TO PUBLIC", "it can change facts"),
        ("GRANT TRUNCATE ON games_seat TO {service}", "it can delete facts"),
        ("GRANT TRIGGER ON games_game TO PUBLIC", "it can delete facts"),
        ("GRANT CREATE ON SCHEMA public TO {service}", "it can make tables and functions"),
        ("GRANT TEMPORARY ON DATABASE {database} TO PUBLIC", "it can make tables and functions"),
    ],
)
def test_rights_that_came_from_elsewhere_are_found_and_taken(
    owner: psycopg.Connection[TupleRow], settings: Settings, statement: str, door: str
) -> None:
    owner.execute(
        statement.format(database=connection.settings_dict["NAME"], service=SERVICE).encode()
    )
    assert side_doors() == [door]
    with connected_as(settings.DATABASE_OWNER_URL):
        grant_rights()
    assert side_doors() == []


@pytest.mark.django_db
def test_every_table_of_a_model_can_be_read_and_added_to() -> None:
    tables = [model._meta.db_table for model in apps.get_models(include_auto_created=True)]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name FROM unnest(%s::text[]) AS name"
            " WHERE NOT has_table_privilege(name, 'SELECT')"
            " OR NOT has_table_privilege(name, 'INSERT')",
            [tables],
        )
        assert cursor.fetchall() == []


def test_a_new_table_gives_no_rights_by_itself(owner: psycopg.Connection[TupleRow]) -> None:
    owner.execute("CREATE TABLE made_by_hand (id bigint)")
    try:
        with (
            pytest.raises(ProgrammingError, match="permission denied"),
            connection.cursor() as cursor,
        ):
            cursor.execute("SELECT * FROM made_by_hand")
    finally:
        owner.execute("DROP TABLE made_by_hand")


def test_rights_follow_from_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rights(Standing) == "SELECT, INSERT, UPDATE, DELETE"
    assert rights(Round) == "SELECT, INSERT"
    monkeypatch.setattr(Round, "unsealed", ("game", "body"))
    assert rights(Round) == 'SELECT, INSERT, UPDATE ("game_id", "body")'


def test_an_unsealed_field_may_be_written(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    monkeypatch.setattr(Round, "unsealed", ("body",))
    try:
        with connected_as(settings.DATABASE_OWNER_URL):
            grant_rights()
        with pytest.raises(ProgrammingError) as refused:
            Round.objects.update(digest=b"")
        assert isinstance(refused.value.__cause__, errors.InsufficientPrivilege)
        assert side_doors() == []
        with connection.cursor() as cursor:
            cursor.execute("SELECT has_column_privilege('games_round', 'body', 'UPDATE')")
            assert cursor.fetchone()[0]
    finally:
        monkeypatch.undo()
        with connected_as(settings.DATABASE_OWNER_URL):
            grant_rights()


@pytest.mark.django_db
@pytest.mark.usefixtures("doors")
def test_a_role_that_could_break_seals_is_a_warning_in_a_checkout(settings: Settings) -> None:
    settings.STATIC_COLLECTED = False
    (message,) = check_service_role(databases=["default"])
    assert isinstance(message, Warning)
    assert f"{SERVICE} could break the seals: it owns tables" in message.msg
    assert "DATABASE_OWNER_URL" in str(message.hint)


@pytest.mark.django_db
@pytest.mark.usefixtures("doors")
def test_it_is_an_error_of_a_service(settings: Settings) -> None:
    settings.STATIC_COLLECTED = True
    assert isinstance(check_service_role(databases=["default"])[0], Error)


@pytest.mark.usefixtures("doors")
def test_without_a_database_nothing_is_asked() -> None:
    assert check_service_role(databases=None) == []


def test_a_service_with_one_role_is_not_migrated(settings: Settings) -> None:
    settings.STATIC_COLLECTED, settings.DATABASE_OWNER_URL = True, settings.DATABASE_URL
    with pytest.raises(CommandError, match="DATABASE_OWNER_URL"):
        call_command("migrate", verbosity=0)


def test_a_checkout_with_one_role_is_migrated_and_told(
    settings: Settings, transactional_db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    one = settings.DATABASE_OWNER_URL
    settings.DATABASE_URL = one
    with connected_as(one):
        call_command("migrate", verbosity=0)
    assert "could break the seals" in capsys.readouterr().err


def test_migrating_again_changes_nothing(
    transactional_db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("migrate", verbosity=0)
    assert capsys.readouterr() == ("", "")
    assert side_doors() == []
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        Round.objects.all().delete()
