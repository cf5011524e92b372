"""`manage.py correct_game FILE --club SLUG --reason TEXT`: replace a game by a corrected record."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.illegal import Illegal, Refused
from engine.record.record import read
from games.models import Game
from league.core.club.models import Club
from league.disputes.correction.services import game_correct


class Command(BaseCommand):
    """Record a correction."""

    help = (
        "Replace a game by the corrected record of it, which has the same id. The first record "
        "stays readable and no longer counts; table and ratings are updated automatically."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the record, the club and the reason."""
        parser.add_argument(
            "file", help="a file with the one corrected record, or - for standard input"
        )
        parser.add_argument("--club", required=True, help="slug of the club")
        parser.add_argument("--reason", required=True, help="why; the game's page shows it")

    def handle(self, *, file: str, club: str, reason: str, **options: Any) -> None:
        """Replace the newest revision of the record's game by the corrected record."""
        try:
            line = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}", returncode=2) from error
        record = read(line)
        if isinstance(record, Illegal):
            raise CommandError(f"{record.code}: {record.message}")
        club_row = Club.objects.filter(slug=club).first()
        if club_row is None:
            raise CommandError(f"There is no club {club}.")
        newest = (
            Game.objects.filter(source=club_row.source, external_id=record.record_id)
            .order_by("-revision")
            .first()
        )
        if newest is None:
            raise CommandError(f"The club has no game {record.record_id}: import it.")
        try:
            corrected = game_correct(game=newest, line=line, reason=reason)
        except Refused as refused:
            raise CommandError(f"{refused.illegal.code}: {refused.illegal.message}") from refused
        self.stdout.write(
            f"{corrected} counts from now on; revision {newest.revision} stays readable."
        )
