"""Migrations that write: what they leave behind is as if the service had written it."""

import json
import re
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from league.core import sql
from league.core.club.actions import ClubAction
from league.management.commands.migrate import BEFORE_ROOMS, record_squashed_rooms
from league.models import Appearance, LogEntry
from league.up.roles import connected_as
from tests.architecture.checkout import ROOT
from tests.factories.counted import counted_season
from tests.factories.records import bluff_record
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db


def test_the_log_states_which_seats_came_without_salt() -> None:
    names = [{"commitment": "ab" * 32}, {"salt": "cd" * 16}, {"commitment": "ef" * 32}]
    season = counted_season(
        [bluff_record(1, seats=("karla", "rosa", "ben"), names=names), bluff_record(2)]
    )
    counted_season([bluff_record(3)])
    with connection.schema_editor(atomic=False) as editor:
        import_module("league.migrations.0006_stated").state(apps, editor)
    entry = LogEntry.objects.get(action=ClubAction.STATED)
    sealed = LogEntry.objects.filter(payload__contains="committed").exclude(pk=entry.pk).get()
    assert entry.club == season.club
    assert json.loads(entry.payload) == {"committed": {sealed.subject: [0, 2]}}
    assert list(club_differences(season.club_id)) == []


INDEXES = (
    "SELECT indexname, indexdef FROM pg_indexes"
    " WHERE tablename = 'league_appearance' ORDER BY indexname"
)
GONE = (
    "SELECT attname FROM pg_attribute"
    " WHERE attrelid = 'league_appearance'::regclass AND attisdropped"
)


@pytest.mark.django_db(transaction=True)
def test_seats_in_rankings_stay_as_they_are_in_a_table_that_never_had_the_columns(
    settings: Settings,
) -> None:
    counted_season([bluff_record(number) for number in range(3)])
    with connected_as(settings.DATABASE_OWNER_URL), transaction.atomic():
        before = [list(Appearance.objects.order_by("pk").values()), sql.rows(INDEXES)]
        with connection.schema_editor() as editor:
            editor.execute("ALTER TABLE league_appearance ADD gone int")
            editor.execute("ALTER TABLE league_appearance DROP gone")
            assert sql.rows(GONE)
            import_module("league.migrations.0040_smaller_seats").store_anew(apps, editor)
        assert all(before)
        assert [list(Appearance.objects.order_by("pk").values()), sql.rows(INDEXES)] == before
        assert sql.rows(GONE) == []
        transaction.set_rollback(True)


def numbered(app: str, first: int, last: int) -> list[tuple[str, str]]:
    """The migrations of an app that squashed ones replace, from a number to another one."""
    files = sorted((ROOT / app / "migrations").glob("[0-9]*.py"))
    names = [file.stem for file in files if "_squashed_" not in file.stem]
    return [(app, name) for name in names if first <= int(name[:4]) <= last]


USER = ("league", "0001_user")
GAMES_SQUASHED = ("games", "0001_squashed_0008_kept_beside")
LEAGUE_SQUASHED = ("league", "0002_squashed_0046_name_keys")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("applied", "left"),
    [
        pytest.param([], [USER, GAMES_SQUASHED, LEAGUE_SQUASHED], id="empty"),
        pytest.param(
            [USER, *numbered("games", 1, 1), *BEFORE_ROOMS],
            [*numbered("games", 2, 8), *numbered("league", 3, 46)],
            id="before the rooms",
        ),
        pytest.param(
            [*numbered("games", 1, 6), *numbered("league", 1, 30)],
            [*numbered("games", 7, 8), *numbered("league", 31, 46)],
            id="in the middle",
        ),
        pytest.param([*numbered("games", 1, 8), *numbered("league", 1, 46)], [], id="at the end"),
    ],
)
def test_squashed_migrations_are_for_an_empty_database_alone(
    settings: Settings, applied: list[tuple[str, str]], left: list[tuple[str, str]]
) -> None:
    replaced = {*numbered("games", 1, 8), *numbered("league", 1, 46)}
    with connected_as(settings.DATABASE_OWNER_URL), transaction.atomic():
        recorder = MigrationRecorder(connection)
        recorder.migration_qs.filter(app__in=["games", "league"]).delete()
        for migration in applied:
            recorder.record_applied(*migration)
        record_squashed_rooms()
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        names = [(migration.app_label, migration.name) for migration, _ in plan]
        assert {
            name for name in names if name in replaced | {GAMES_SQUASHED, LEAGUE_SQUASHED}
        } == set(left)
        transaction.set_rollback(True)


MODULE = re.compile(rb"^(?:from league|import ).*\n|\bleague(?:\.\w+)*\.(\w+)", re.MULTILINE)


def digests_of_migrations() -> dict[str, str]:
    """The SHA-256 of each migration, without the places of what it imports: files may move."""
    files = [
        file for app in ("league", "games") for file in (ROOT / app / "migrations").glob("[!_]*.py")
    ]
    return {
        str(file.relative_to(ROOT)): sha256(MODULE.sub(rb"\1", file.read_bytes())).hexdigest()
        for file in files
    }


@pytest.mark.parametrize(
    "released", sorted((ROOT / "tests" / "data").glob("*/migrations.txt")), ids=str
)
def test_a_migration_that_was_released_stays_as_it_is(released: Path) -> None:
    lines = [line.split() for line in released.read_text().splitlines()]
    assert lines
    assert {file: digest for digest, file in lines}.items() <= digests_of_migrations().items()
