"""Migrations that write: what they leave behind is as if the service had written it."""

import json
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection, transaction
from pytest_django import Settings

from league.core import sql
from league.core.club.actions import ClubAction
from league.models import Appearance, LogEntry
from league.up.roles import connected_as
from tests.architecture.checkout import ROOT
from tests.factories.counted import counted_season
from tests.factories.records import bluff_record
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db


def test_the_log_states_which_seats_came_without_salt() -> None:
    names = [{"commitment": "ab" * 32}, {"salt": "cd" * 16}, {"commitment": "ef" * 32}]
    season = counted_season([bluff_record(1, seats=("karla", "rosa", "ben"), names=names), bluff_record(2)])
    counted_season([bluff_record(3)])
    with connection.schema_editor(atomic=False) as editor:
        import_module("league.migrations.0006_stated").state(apps, editor)
    entry = LogEntry.objects.get(action=ClubAction.STATED)
    sealed = LogEntry.objects.filter(payload__contains="committed").exclude(pk=entry.pk).get()
    assert entry.club == season.club
    assert json.loads(entry.payload) == {"committed": {sealed.subject: [0, 2]}}
    assert list(club_differences(season.club_id)) == []


INDEXES = "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'league_appearance' ORDER BY indexname"
GONE = "SELECT attname FROM pg_attribute WHERE attrelid = 'league_appearance'::regclass AND attisdropped"


@pytest.mark.django_db(transaction=True)
def test_seats_in_rankings_stay_as_they_are_in_a_table_that_never_had_the_columns(settings: Settings) -> None:
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


def digests_of_migrations() -> dict[str, str]:
    files = [file for app in ("league", "games") for file in (ROOT / app / "migrations").glob("[!_]*.py")]
    return {str(file.relative_to(ROOT)): sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.mark.parametrize("released", sorted((ROOT / "tests" / "data").glob("*/migrations.txt")), ids=str)
def test_a_migration_that_was_released_stays_as_it_is(released: Path) -> None:
    lines = [line.split() for line in released.read_text().splitlines()]
    assert lines
    assert {file: digest for digest, file in lines}.items() <= digests_of_migrations().items()
