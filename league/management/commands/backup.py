"""`manage.py backup DIR`: back up the whole database into a folder, for `manage.py restore`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from psycopg import Error

from league.up.dump import DumpError, backup_make, database_running
from league.up.embedded import ServersError
from league.up.supervisor import UpError


class Command(BaseCommand):
    """Back up the database while the service goes on."""

    help = (
        "Dump the database, at one moment, into a folder that is new or empty or contains a "
        "backup, which is replaced. The service can keep running. SECRET_KEY isn't in the backup: "
        "keep it somewhere else."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the folder that the backup is written to."""
        parser.add_argument(
            "folder", type=Path, metavar="DIR", help="where the backup appears when it is complete"
        )

    def handle(self, *, folder: Path, **options: Any) -> None:
        """Dump the database, and print what else has to be kept. Raise `CommandError` with advice
        if that fails."""
        try:
            with database_running():
                backup = backup_make(folder.absolute())
        except (DumpError, ServersError, UpError, OperationalError, Error, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{folder} contains the database of {backup.made_at}, version {backup.version}."
        )
        self.stdout.write(
            f"It needs the SECRET_KEY with the fingerprint {backup.secret_key}: keep that "
            "apart from it."
        )
        self.stdout.write(
            f"Anybody erased from now on is listed in {settings.ERASURES_FILE}: restoring "
            "needs that file, too."
        )
