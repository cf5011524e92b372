"""App configuration of games."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """What happened at tables."""

    name = "games"
    verbose_name = "Games"
    default_auto_field = "django.db.models.BigAutoField"
