"""The schema is brought up to date where it isn't, and costs a start next to nothing where it
is."""

import pytest
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from league.up import schema
from league.up.roles import connected_as, side_doors
from league.up.schema import migrations_on_disk, schema_update


def test_the_files_name_the_migrations_that_django_would_load() -> None:
    assert migrations_on_disk() == set(MigrationLoader(None).disk_migrations)


@pytest.mark.django_db(transaction=True)
def test_nothing_is_migrated_where_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert schema_update() is False
    assert side_doors() == []
    called: list[str] = []
    monkeypatch.setattr(schema, "call_command", lambda name, **options: called.append(name))
    monkeypatch.setattr(schema, "migrations_on_disk", lambda: {("league", "9999_to_come")})
    assert schema_update() is True
    assert called == ["migrate"]


@pytest.mark.django_db(transaction=True)
def test_the_rights_are_given_anew_at_each_start() -> None:
    with connected_as(settings.DATABASE_OWNER_URL), connection.cursor() as cursor:
        cursor.execute("REVOKE SELECT ON league_club FROM PUBLIC, cupsup")
    schema_update()
    assert MigrationRecorder(connection).applied_migrations()
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_table_privilege('league_club', 'SELECT')")
        assert cursor.fetchone() == (True,)
