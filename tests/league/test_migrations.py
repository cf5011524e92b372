"""Migrations that write: what they leave behind is as if the service had written it."""

import json
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection

from league.clubs.actions import ClubAction
from league.models import LogEntry
from tests.architecture.checkout import ROOT
from tests.factories.counted import counted_season
from tests.factories.records import bluff_record
from tests.league.audits.differences import club_differences

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


def digests_of_migrations() -> dict[str, str]:
    files = [file for app in ("league", "games") for file in (ROOT / app / "migrations").glob("[!_]*.py")]
    return {str(file.relative_to(ROOT)): sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.mark.parametrize("released", sorted((ROOT / "tests" / "data").glob("*/migrations.txt")), ids=str)
def test_a_migration_that_was_released_stays_as_it_is(released: Path) -> None:
    lines = [line.split() for line in released.read_text().splitlines()]
    assert lines
    assert {file: digest for digest, file in lines}.items() <= digests_of_migrations().items()
