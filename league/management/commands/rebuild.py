"""`manage.py rebuild --club SLUG [--season SLUG]`: compute rankings and events from the sealed
facts."""

from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from time import sleep
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, CommandError

from league.core.locks import Busy
from league.core.log.services import Actor
from league.counting.event_rebuild.services import NotRebuilt, event_rebuild
from league.events.event.queries.event import events_named
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.standings.season.queries.season import rankings_named
from league.standings.style.services import styles_read

TRIES = 30
PAUSE = 1.0  # seconds
WAIT = "10s"
"""How long each try waits: a job holds a ranking for one batch of games at most."""

Result = TypeVar("Result")


class Command(BaseCommand):
    """Compute standings, ratings, playing styles and events' results again."""

    help = (
        "Recompute rankings and events from their sealed games, draws and log. Nothing changes "
        "unless something was wrong."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the club and the season."""
        parser.add_argument("--club", required=True, help="slug of the club")
        parser.add_argument(
            "--season", help="slug of the season; without it all rankings and events of the club"
        )

    def handle(self, *, club: str, season: str | None, **options: Any) -> None:
        """Rebuild the rankings, then the events."""
        rankings = rankings_named(club, season)
        if not rankings:
            raise CommandError("There is no such ranking.")
        for name, ranking in rankings:
            self._retry_while_busy(partial(ranking_rebuild_ask, ranking=ranking, actor=Actor()))
            self._retry_while_busy(partial(ranking_rebuild, ranking_id=ranking.pk, wait=WAIT))
            self._retry_while_busy(partial(styles_read, ranking_id=ranking.pk))
            self.stdout.write(f"{name} is rebuilt: {ranking.standings.count()} players.")
        failed = [
            name
            for name, event_id in events_named(club, season)
            if not self._rebuild_event(name, event_id)
        ]
        if failed:
            raise CommandError(f"Not rebuilt: {', '.join(failed)}.")

    def _rebuild_event(self, name: str, event_id: int) -> bool:
        try:
            rebuilt = self._retry_while_busy(
                partial(event_rebuild, event_id=event_id, actor=Actor())
            )
        except NotRebuilt as error:
            self.stderr.write(f"{name} can't be rebuilt: {error}.")
            return False
        self.stdout.write(
            f"{name} is rebuilt: {rebuilt.tables} tables, {rebuilt.games} games, {rebuilt.wrong} "
            "rows were wrong;"
            f" read up to entry {rebuilt.position} of the log."
        )
        return True

    def _retry_while_busy(self, work: Callable[[], Result]) -> Result:
        for _ in range(TRIES):
            try:
                return work()
            except Busy:
                sleep(PAUSE)
        raise CommandError("It is being worked on all the time. Try again later.")
