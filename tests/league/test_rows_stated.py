"""The migration from logs that are replayed to logs that state rows: once, and only what the logs
say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any, LiteralString

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import StateApps

from league.core.club.actions import ClubAction
from league.core.log.ledger import ledger_differences
from league.core.log.services import Journal
from league.models import Club, Event, LogEntry
from tests.database import TRIGGERS_OFF, connect_as_owner
from tests.factories.league import ClubFactory
from tests.league.site.audit.differences import club_differences
from tests.league.site.audit.test_ledger import whole_club

pytestmark = pytest.mark.django_db(transaction=True)
MIGRATION = import_module("league.migrations.0047_rows_stated")
BEFORE = [("league", "0002_squashed_0046_name_keys"), ("games", "0001_squashed_0008_kept_beside")]


@pytest.fixture(scope="module")
def old_apps(django_db_setup: None, django_db_blocker: Any) -> StateApps:
    """The models as they were before the migration."""
    with django_db_blocker.unblock():
        return MigrationExecutor(connection).loader.project_state(BEFORE).apps


@pytest.fixture(autouse=True)
def _old_schema(transactional_db: None) -> Iterator[None]:
    """The column that the migration drops is there, and every log is one that tells all."""
    table = "ALTER TABLE league_loghead"
    with connect_as_owner() as owner:
        owner.execute(f"{table} ADD stated boolean NOT NULL DEFAULT true")
    yield
    with connect_as_owner() as owner:
        owner.execute(f"{table} DROP stated")


@pytest.fixture
def clubs(monkeypatch: pytest.MonkeyPatch) -> tuple[Club, Club]:
    """A club with a row of everything that its log tells, and another one; their entries state no
    rows yet."""
    with monkeypatch.context() as patch:
        for method in ("record", "record_removal", "record_cells"):
            patch.setattr(Journal, method, lambda journal, *rows, **columns: None)
        return whole_club(), ClubFactory.create()


@pytest.fixture
def club(clubs: tuple[Club, Club]) -> Club:
    return clubs[0]


def migrate(apps: StateApps) -> None:
    with connection.schema_editor(atomic=False) as editor:
        MIGRATION.state(apps, editor)


def test_an_untouched_log_is_stated_once_and_says_the_same(club: Club, old_apps: StateApps) -> None:
    position = LogEntry.objects.filter(club=club).latest("position").position
    before = list(LogEntry.objects.filter(club=club).values_list("payload", "digest"))
    migrate(old_apps)
    first = json.loads(LogEntry.objects.get(club=club, position=position + 1).payload)
    assert (first["first"], first["verified"]) == (True, position)
    assert [str(difference) for difference in club_differences(club.pk)] == []
    assert (
        list(
            LogEntry.objects.filter(club=club, position__lte=position).values_list(
                "payload", "digest"
            )
        )
        == before
    )
    entries = LogEntry.objects.filter(club=club).count()
    migrate(old_apps)
    assert LogEntry.objects.filter(club=club).count() == entries, "once"


def test_a_changed_cell_stops_the_migration_and_is_listed_after_all_others_are_stated(
    clubs: tuple[Club, Club], old_apps: StateApps
) -> None:
    club, other = clubs
    event = Event.objects.filter(club=club).earliest("pk")
    with connect_as_owner(TRIGGERS_OFF) as owner:
        owner.execute("UPDATE league_event SET fee = 900 WHERE id = %s", [event.pk])
    with pytest.raises(MIGRATION.LogDiffers) as refused:
        migrate(old_apps)
    (line,) = str(refused.value).splitlines()[1:]
    assert line == (
        f"  club {club.slug}, event {event.public_id}, fee: 900 is stored, the log says {event.fee}"
    )
    assert not stated(club)
    assert stated(other)
    Event.objects.filter(pk=event.pk).update(fee=event.fee)
    migrate(old_apps)
    assert stated(club)
    assert LogEntry.objects.filter(club=other, action=ClubAction.STATED).count() == len(
        stated(other)
    )


CREATED: LiteralString = "UPDATE league_logentry SET {} WHERE action = 'event.created'"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (CREATED.format("payload = replace(payload, '500', '900')"), "digest"),
        (CREATED.format("""names = jsonb_set(names, '{name,1}', '"X"')"""), "name"),
        ("UPDATE league_loghead SET position = position + 1", "end"),
        ("DELETE FROM league_membership", "row"),
    ],
)
def test_a_changed_log_stops_the_migration(
    club: Club, old_apps: StateApps, change: LiteralString, line: str
) -> None:
    with connect_as_owner(TRIGGERS_OFF) as owner:
        owner.execute(change)
    with pytest.raises(MIGRATION.LogDiffers, match=f"club {club.slug}, .*{line}:"):
        migrate(old_apps)
    assert not stated(club)


def test_a_log_that_began_before_it_told_all_is_stated_as_it_stands(
    club: Club, old_apps: StateApps
) -> None:
    with connect_as_owner() as owner:
        owner.execute("UPDATE league_loghead SET stated = false")
        owner.execute("UPDATE league_event SET fee = 900 WHERE fee = 500")
    migrate(old_apps)
    assert json.loads(stated(club)[0])["verified"] is None
    assert list(ledger_differences(club.pk)) == []


def stated(club: Club) -> list[str]:
    """The payloads of the entries that state rows of a club."""
    entries = LogEntry.objects.filter(club=club, action=ClubAction.STATED).order_by("position")
    return list(entries.values_list("payload", flat=True))
