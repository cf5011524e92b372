"""App configuration of league."""

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    """People, clubs, seasons, standings and ratings."""

    name = "league"
    verbose_name = "League"
    default_auto_field = "django.db.models.BigAutoField"
