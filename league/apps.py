"""App configuration of league."""

from importlib import import_module
from typing import Final

from django.apps import AppConfig
from django.utils.translation import gettext_lazy

ROOMS_THAT_ACT: Final = (
    *("clubs", "rankings", "seasons", "records", "events", "entries", "stages", "tables", "sheets", "hall"),
    *("counting", "evening", "notices", "rulings"),
)
"""Rooms with actions that stand in the log, in the order of the rooms."""
ROOMS_THAT_LISTEN: Final = ("events", "entries", "stages", "tables", "placings", "hall", "rulings", "site")
"""Rooms with receivers of signals."""


class LeagueConfig(AppConfig):
    """People, clubs, seasons, standings and ratings."""

    name = "league"
    verbose_name = gettext_lazy("League")
    default_auto_field = "django.db.models.AutoField"
    """Ids of four bytes: a game has some sixty of them in its rows and indexes, and 2 ** 31 games are enough."""

    def ready(self) -> None:
        """Register the check of the service's role, Celery's application as the one that jobs belong to, what rooms do,
        and what they do when those below them change."""
        import_module("league.up.roles")
        import_module("league.celery_app")
        for room in ROOMS_THAT_ACT:
            import_module(f"league.{room}.actions")
        for room in ROOMS_THAT_LISTEN:
            import_module(f"league.{room}.receivers")
