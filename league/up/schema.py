"""Updating the schema of the database, and the rights of the service's role, at each start."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.recorder import MigrationRecorder

from league.up.roles import connected_as, grant_rights, has_one_role


def schema_update() -> bool:
    """Migrate if necessary, otherwise grant the service's role its rights again. Return True if
    something was migrated.

    In both cases a role that could break the seals is reported or refused (league/up/roles.py).
    """
    with connected_as(settings.DATABASE_OWNER_URL):
        missing = migrations_on_disk() - set(MigrationRecorder(connection).applied_migrations())
        if not missing and not has_one_role():
            grant_rights()
    if missing:
        call_command("migrate", interactive=False, verbosity=0)
    else:
        database_check()
    return bool(missing)


def database_check() -> None:
    """Raise `SystemCheckError` if the server is too old, or the service's role could break the
    seals."""
    BaseCommand().check(tags=[Tags.database], databases=[DEFAULT_DB_ALIAS])


def migrations_on_disk() -> set[tuple[str, str]]:
    """Return app and name of each migration. They are read from the names of files: importing the
    migrations would take as long as the whole start."""
    migrations: set[tuple[str, str]] = set()
    for config in apps.get_app_configs():
        spec = find_spec(f"{config.name}.migrations")
        locations = spec.submodule_search_locations if spec else None
        for folder in locations or []:
            migrations.update((config.label, file.stem) for file in Path(folder).glob("[!_]*.py"))
    return migrations
