"""`manage.py import_games FILE --club SLUG --season SLUG`: import game records, plain or gzip."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from league.records.file.services import Imported, Report, file_import, file_preview
from league.standings.season.models import Season


class Command(BaseCommand):
    """Import game records into a season."""

    help = (
        "Import game records (JSON Lines, plain or gzip) into a season, by portions: good games go "
        "in, bad ones are reported with line, code, round, move and message. Importing a file "
        "again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file, its season, and the options for strictness and a dry run."""
        parser.add_argument("file", help="the file, or - for standard input")
        parser.add_argument("--club", required=True, help="slug of the club")
        parser.add_argument("--season", required=True, help="slug of the season")
        parser.add_argument(
            "--all-or-nothing", action="store_true", help="import nothing if one game is bad"
        )
        parser.add_argument(
            "--known-players-only", action="store_true", help="refuse games of unknown players"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would happen, and change nothing"
        )

    def handle(self, *, file: str, club: str, season: str, **options: Any) -> None:
        """Import the file into the season. Exit with 1 if a game was bad."""
        season_row = (
            Season.objects.select_related("club").filter(club__slug=club, slug=season).first()
        )
        if season_row is None:
            raise CommandError(f"There is no season {season} in a club {club}.", returncode=2)
        if file == "-":
            report = self.run(sys.stdin.buffer, None, season_row, options)
        else:
            try:
                with Path(file).open("rb") as stream:
                    report = self.run(stream, Path(file).stat().st_size, season_row, options)
            except OSError as error:
                raise CommandError(
                    f"{file} can't be read: {error.strerror}", returncode=2
                ) from error
        self.summary(report, dry_run=options["dry_run"])
        if report.bad:
            raise CommandError(f"{report.bad} of {report.read} games were bad.", returncode=1)

    def run(
        self, stream: BinaryIO, size: int | None, season: Season, options: dict[str, Any]
    ) -> Report:
        """Import the games in the stream, or preview the import, with a progress bar if standard
        error is a terminal."""
        with tqdm(total=size, unit="B", unit_scale=True, disable=None) as bar:

            def progress() -> None:
                if size is not None:
                    bar.update(stream.tell() - bar.n)

            def print_error(imported: Imported) -> None:
                if imported.error:
                    bar.write(error_line(imported), file=sys.stderr)

            import_or_preview = file_preview if options["dry_run"] else file_import
            return import_or_preview(
                stream=stream,
                season=season,
                create_players=not options["known_players_only"],
                all_or_nothing=options["all_or_nothing"],
                progress=progress,
                ended=print_error,
            )

    def summary(self, report: Report, *, dry_run: bool) -> None:
        """Print a line about the import of the whole file."""
        if report.refused:
            self.stdout.write(
                "Nothing was imported: the file was to go in as a whole or not at all."
            )
            return
        outcome = "would be imported" if dry_run else "imported"
        players = f", {len(report.new_players)} new players" if report.new_players else ""
        self.stdout.write(
            f"{report.created} games {outcome}{players}, {report.unchanged} were there already, "
            f"{report.bad} bad."
        )


def error_line(imported: Imported) -> str:
    """Return a line about a bad game: its line in the file, the error and its place."""
    bad = imported.bad_json()
    place = "".join(
        f", {key} {bad[key]}" for key in ("round", "turn", "move", "path") if key in bad
    )
    return f"line {bad['line']}: {bad['code']} ({bad['id'] or 'no id'}{place}): {bad['message']}"
