"""`manage.py migrate`: Django's, as the owner of the tables; then grant the service's role its
rights."""

from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError
from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from league.up.postgresql import SERVER
from league.up.roles import HINT, connected_as, grant_rights, has_one_role

ROOMS = ("league", "0002_rooms")
BEFORE_ROOMS = {
    ("league", "0002_clubs"),
    ("league", "0003_rankings"),
    ("league", "0004_events"),
    ("league", "0005_entry_number"),
}
"""The migrations of development versions before 0.2.0 that `ROOMS` replaces."""


class Command(migrate.Command):
    """Check the server, migrate as the owner, grant the service's role its rights, and check that
    it has no others."""

    def get_check_kwargs(self, options: dict[str, Any]) -> Any:
        """Leave out the check of the service's role in the database: it comes last, when there are
        rights to check."""
        return BaseCommand.get_check_kwargs(self, options)

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate as the owner of the tables, and give the service's role in the database its
        rights. Raise `CommandError` in a real service whose two roles are one."""
        # Static files are collected for a real service, not for a checkout, where one role is enough.
        if has_one_role() and settings.STATIC_COLLECTED:
            raise CommandError(
                f"The owner of the tables migrates, never the service's role. {HINT}"
            )
        databases = [options["database"]]
        with connected_as(settings.DATABASE_OWNER_URL):
            self.check(tags=[SERVER], databases=databases)
            record_squashed_rooms()
            super().handle(*args, **options)
            if not has_one_role() and not options["plan"]:
                grant_rights()
        self.check(tags=[Tags.database], databases=databases)


def record_squashed_rooms() -> None:
    """Record `ROOMS` as applied if the migrations that it replaces are.

    `ROOMS` can't say so by `replaces`, because it is replaced itself: Django 5.2 can't squash a
    squashed migration. Remove this function together with the replaced migrations."""
    recorder = MigrationRecorder(connection)
    applied = set(recorder.applied_migrations())
    if applied >= BEFORE_ROOMS and ROOMS not in applied:
        recorder.record_applied(*ROOMS)
