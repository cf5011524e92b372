"""App configuration of league."""

from importlib import import_module

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    """People, clubs, seasons, standings and ratings."""

    name = "league"
    verbose_name = "League"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the check of the service's role."""
        import_module("league.up.roles")
