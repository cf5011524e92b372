"""`manage.py rebuild --season SLUG`: compute a season's table and ratings anew from the facts."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.rankings.models import Season
from league.rankings.services.season import SeasonBusy, season_rebuild


class Command(BaseCommand):
    """Compute standings and ratings anew."""

    help = "Compute a season's standings and ratings anew from its sealed games. The result is what was there before."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which season."""
        parser.add_argument("--season", required=True, help="slug of the season")
        parser.add_argument("--club", help="slug of the club, where two clubs have a season of that slug")

    def handle(self, *, season: str, club: str | None, **options: Any) -> None:
        """Rebuild one season."""
        seasons = Season.objects.filter(slug=season, **({"club__slug": club} if club else {}))
        try:
            found = seasons.get()
        except Season.DoesNotExist:
            raise CommandError(f"There is no season {season}.") from None
        except Season.MultipleObjectsReturned:
            raise CommandError(f"Several clubs have a season {season}: name one with --club.") from None
        try:
            season_rebuild(season_id=found.pk)
        except SeasonBusy:
            raise CommandError("The season is being counted at the moment. Try again in some seconds.") from None
        self.stdout.write(f"{found.name} is rebuilt: {found.standings.count()} players.")
