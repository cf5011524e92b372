"""`manage.py first_start`: where the first account of an empty service is made."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from league.site.queries.setup import is_set_up, setup_token


class Command(BaseCommand):
    """Say at which address, with which token; nothing once there is an account."""

    help = "Print the address at which the first account of an empty service is made."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print it, if there is no account."""
        if not is_set_up():
            host = next((name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"), "localhost")
            scheme = "https" if settings.HTTPS else "http"
            self.stdout.write(f"Nobody has an account yet. Make the first one at {scheme}://{host}/setup/")
            self.stdout.write(f"with the token {setup_token()}")
