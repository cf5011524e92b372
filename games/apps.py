"""App configuration of games."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class GamesConfig(AppConfig):
    """The app of games played at tables."""

    name = "games"
    verbose_name = gettext_lazy("Games")
    default_auto_field = "django.db.models.AutoField"
    """Ids of four bytes: a game has some sixty of them in its rows and indexes, and 2 ** 31
    games are enough."""
