"""App configuration of league."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class LeagueConfig(AppConfig):
    """People, clubs, seasons, standings and ratings."""

    name = "league"
    verbose_name = gettext_lazy("League")
    default_auto_field = "django.db.models.AutoField"
    """Ids of four bytes: a game has some sixty of them in its rows and indexes, and 2 ** 31 games are enough."""

    def ready(self) -> None:
        """Register the check of the service's role, and make Celery's application the one that jobs belong to."""
        import_module("league.up.roles")
        import_module("league.celery_app")
