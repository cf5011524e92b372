"""`manage.py verify [--club SLUG]`: compare the facts with their seals, and what follows from them
cell by cell."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.queries.verification import impossible_ends
from league.core.club.models import Club
from league.site.audit.services import club_audit


class Command(BaseCommand):
    """Verify the record and everything that follows from it."""

    help = (
        "Replay all sealed rounds and compare: games with their digests and their log; standings, "
        "ratings, playing styles and what events came to with what they follow from. Prints every "
        "cell that is another, its kind first, and exits with 1 if there is one. A note tells of a "
        "sealed outcome that no game can end with: it counts all the same."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for the club, and for leaving playing styles out."""
        parser.add_argument("--club", help="slug of the club; without it all clubs")
        parser.add_argument(
            "--no-styles", action="store_true", help="leave out playing styles, which take longest"
        )

    def handle(self, *, club: str | None, no_styles: bool, **options: Any) -> None:
        """Verify one club after another. Exit with 1 if there are differences."""
        clubs = Club.objects.order_by("pk")
        if club:
            clubs = clubs.filter(slug=club)
        if club and not clubs:
            raise CommandError(f"There is no club {club}.", returncode=2)
        total = 0
        for club_row in clubs:
            differences = club_audit(club_id=club_row.pk, styles=not no_styles)
            for difference in differences:
                self.stdout.write(f"{club_row.slug}: {difference}")
            for game, fault in impossible_ends(club_row.source):
                name = f"{game.public_id} {game.external_id}"
                self.stdout.write(
                    f"{club_row.slug}: note: game {name} counts as sealed, though {fault.message}"
                )
            total += len(differences)
            self.stdout.write(f"{club_row.slug}: {len(differences) or 'no'} differences.")
        if total:
            message = (
                f"{total} cells don't match the facts. `manage.py rebuild` fixes rankings "
                "and events."
            )
            raise CommandError(message, returncode=1)
