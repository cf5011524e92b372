"""The schema of the database and the rights of the service's role, brought up to date at each
start."""

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

from league.up.roles import connected_as, grant_rights, one_role


def schema_update() -> bool:
    """Migrate if there is something to migrate, else give the role its rights anew; False: nothing
    to migrate.

    Either way a role that could break the seals is told, or refused (league/up/roles.py).
    """
    with connected_as(settings.DATABASE_OWNER_URL):
        missing = migrations_on_disk() - set(MigrationRecorder(connection).applied_migrations())
        if not missing and not one_role():
            grant_rights()
    if missing:
        call_command("migrate", interactive=False, verbosity=0)
    else:
        database_check()
    return bool(missing)


def database_check() -> None:
    """Refuse a server that is too old, and a role that could break the seals. Raises
    `SystemCheckError`."""
    BaseCommand().check(tags=[Tags.database], databases=[DEFAULT_DB_ALIAS])


def migrations_on_disk() -> set[tuple[str, str]]:
    """App and name of each migration, by the names of the files: to import them all takes as long
    as to start."""
    return {
        (config.label, file.stem)
        for config in apps.get_app_configs()
        if (spec := find_spec(f"{config.name}.migrations")) and spec.submodule_search_locations
        for folder in spec.submodule_search_locations
        for file in Path(folder).glob("[!_]*.py")
    }
