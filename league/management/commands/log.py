"""`manage.py log --club SLUG [--verify]`: print a club's log as JSON Lines, or verify it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.core.log.models import LogHead
from league.core.log.queries import log_chunks
from league.core.log.verification import log_differences


class Command(BaseCommand):
    """Print or verify the log of a club."""

    help = (
        "Print the log of a club as JSON Lines, or verify its chain of digests from the first "
        "entry on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for the club, and for verifying its log."""
        parser.add_argument("--club", required=True, help="slug of the club")
        parser.add_argument(
            "--verify",
            action="store_true",
            help="print what is false of the log; exit with 1 if it is",
        )

    def handle(self, *, club: str, verify: bool, **options: Any) -> None:
        """Print the log's entries; with `--verify` print its differences instead, and exit with 1
        if there are any."""
        head = LogHead.objects.select_related("club").filter(club__slug=club).first()
        if head is None:
            raise CommandError(f"There is no club {club}.", returncode=2)
        if not verify:
            for chunk in log_chunks(head.club_id):
                self.stdout.write(chunk.decode(), ending="")
            return
        differences = list(log_differences(head.club_id, head.club.public_id))
        for difference in differences:
            self.stdout.write(str(difference))
        if differences:
            raise CommandError(
                f"The log of {club} doesn't hold: {len(differences)} differences.", returncode=1
            )
        self.stdout.write(
            f"All {head.position} entries hold. The log ends with digest "
            f"{bytes(head.digest).hex()}."
        )
