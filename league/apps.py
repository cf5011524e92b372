"""App configuration of league."""

from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy

from league.environment.variable import BadSetting
from league.wings import noun_modules


class LeagueConfig(AppConfig):
    """People, clubs, seasons, standings and ratings."""

    name = "league"
    verbose_name = gettext_lazy("League")
    default_auto_field = "django.db.models.AutoField"
    """Ids of four bytes: a game has some sixty of them in its rows and indexes, and 2 ** 31 games
    are enough."""

    def ready(self) -> None:
        """Register the checks, the Celery application, path converters, and every noun's actions
        and receivers; start reporting errors if an operator wants that."""
        import_module("league.environment.system_check")
        import_module("league.up.roles")
        import_module("league.celery_app")
        import_module("league.core.frame.converters")
        for module in (*noun_modules("actions"), *noun_modules("receivers")):
            import_module(module)
        if settings.SENTRY_DSN:
            _report_errors(settings.SENTRY_DSN)


def _report_errors(dsn: str) -> None:
    """Start reporting errors to Sentry. Only this imports its package, which is optional."""
    try:
        from league.core.frame.error_reports import error_reports_start
    except ModuleNotFoundError as error:
        raise BadSetting(
            "SENTRY_DSN is set, and the package sentry-sdk isn't installed: install it, or empty "
            "SENTRY_DSN."
        ) from error
    error_reports_start(dsn)
