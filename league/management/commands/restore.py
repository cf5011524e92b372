"""`manage.py restore DIR`: restore a backup into an empty database, repeat later erasures, and
verify."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from psycopg import Error
from redis.exceptions import RedisError

from league.core.erasures_file import erasures_read
from league.core.locks import Busy
from league.site.erasure.services.erasure_list import erasures_repeat
from league.up.dump import (
    ERASURES,
    Backup,
    DumpError,
    backup_read,
    backup_restore,
    database_running,
    fingerprint,
)
from league.up.embedded import ServersError
from league.up.parts import all_parts_forget
from league.up.supervisor import UpError

SAME_KEY = "SECRET_KEY is the one that the backup was made with: everybody stays signed in."
FORMER_KEY = (
    "The backup was made with a key of SECRET_KEY_FALLBACKS: everybody stays signed in, and links "
    "in emails work. Devices that were added for notices are lost, unless VAPID_PRIVATE_KEY is "
    "the one from before."
)
OTHER_KEY = (
    "The backup was made with another SECRET_KEY (fingerprint {before}, and this one's is "
    "{after}). Set that one, or write it into SECRET_KEY_FALLBACKS. Without it everybody signs in "
    "again, links in emails that were sent don't work, and devices that were added for notices "
    "are lost, unless VAPID_PRIVATE_KEY is the one from before. Games, passwords, keys of "
    "programs, digests and seals don't follow from it."
)


class Command(BaseCommand):
    """Restore a backup, repeat erasures, verify."""

    help = (
        "Load a backup into an empty database: its tables, their rights, and what this version "
        "changes of the schema. Then players and guests who were erased since are erased again, by "
        "erased.txt beside the dump and by ERASURES_FILE. At the end `verify` says whether "
        "everything is as the facts give it, and its exit code is this one's."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the folder with the backup."""
        parser.add_argument(
            "folder", type=Path, metavar="DIR", help="a folder that `manage.py backup` has made"
        )

    def handle(self, *, folder: Path, **options: Any) -> None:
        """Restore and verify. Raise `CommandError` with advice if that fails, or if there are
        differences."""
        try:
            backup = backup_read(folder)
            with database_running():
                self._restore(folder, backup)
        except Busy as error:
            raise CommandError(
                (
                    "Somebody else is using the database. Stop the service, then start again "
                    "with an empty one."
                ),
                returncode=2,
            ) from error
        except (DumpError, ServersError, UpError, OperationalError, Error, OSError) as error:
            raise CommandError(str(error), returncode=2) from error

    def _restore(self, folder: Path, backup: Backup) -> None:
        self.stdout.write(
            f"The database of {backup.made_at}, version {backup.version}, is restored …"
        )
        was_older = backup_restore(folder, backup)
        self.stdout.write(
            "It is restored, and was brought up to this version."
            if was_older
            else "It is restored."
        )
        all_parts_forget()
        self._erase_again(folder)
        self._empty_cache()
        self.stdout.write(key_sentence(backup))
        call_command("verify", stdout=self.stdout)

    def _empty_cache(self) -> None:
        try:
            cache.clear()
        except (RedisError, OSError):
            self.stdout.write(
                "Redis isn't answering. If it still contains anything, empty it: FLUSHDB."
            )

    def _erase_again(self, folder: Path) -> None:
        files = [folder / ERASURES, settings.ERASURES_FILE]
        if not any(file.exists() for file in files):
            self.stdout.write(
                f"Neither {files[0]} nor {files[1]} says who was erased since, so "
                "nobody is erased again."
            )
            return
        count = erasures_repeat(words=erasures_read(*files))
        self.stdout.write(
            f"{count} players, guests and accounts that were erased since are erased again."
        )


def key_sentence(backup: Backup) -> str:
    """Return a sentence on the SECRET_KEY that the backup was made with, and on the losses without
    it."""
    if fingerprint(settings.SECRET_KEY) == backup.secret_key:
        return SAME_KEY
    if backup.secret_key in map(fingerprint, settings.SECRET_KEY_FALLBACKS):
        return FORMER_KEY
    return OTHER_KEY.format(before=backup.secret_key, after=fingerprint(settings.SECRET_KEY))
