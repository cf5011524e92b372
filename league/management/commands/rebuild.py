"""`manage.py rebuild --club SLUG [--season SLUG]`: compute rankings anew from the sealed rounds."""

from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from time import sleep
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.locks import Busy
from league.log.services import Actor
from league.rankings.queries.ranking import rankings_named
from league.rankings.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.rankings.services.style import styles_read

TRIES = 30
PAUSE = 1.0  # seconds


class Command(BaseCommand):
    """Compute standings, ratings and playing styles anew."""

    help = "Compute rankings anew from their sealed games. The result is what was there before, unless it was wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say whose rankings are computed anew."""
        parser.add_argument("--club", required=True, help="slug of the club")
        parser.add_argument("--season", help="slug of the season; without it all rankings of the club")

    def handle(self, *, club: str, season: str | None, **options: Any) -> None:
        """Rebuild one ranking after the other."""
        rankings = rankings_named(club, season)
        if not rankings:
            raise CommandError("There is no such ranking.")
        for name, ranking in rankings:
            self._patiently(partial(ranking_rebuild_ask, ranking=ranking, actor=Actor()))
            self._patiently(partial(ranking_rebuild, ranking_id=ranking.pk))
            self._patiently(partial(styles_read, ranking_id=ranking.pk))
            self.stdout.write(f"{name} is rebuilt: {ranking.standings.count()} players.")

    def _patiently(self, work: Callable[[], object]) -> None:
        """Do it as soon as no job of the service is at the ranking."""
        for _ in range(TRIES):
            try:
                work()
                return
            except Busy:
                sleep(PAUSE)
        raise CommandError("The ranking is being worked on all the time. Try again later.")
