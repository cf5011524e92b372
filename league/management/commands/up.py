"""`manage.py up`: the whole service on this machine."""

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.up.supervisor import Supervisor, UpError


class Command(BaseCommand):
    """Start everything, watch it, stop it on Ctrl-C."""

    help = (
        "Start PostgreSQL, Redis, the worker, the scheduler and the web server, and keep them running. "
        "HOST and PORT set the address (127.0.0.1 and 8000); DATABASE_URL and REDIS_URL name other servers."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the option that loads the demo."""
        parser.add_argument("--demo", action="store_true", help="load a season of games and show its logins")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until stopped; CommandError with what to do if it cannot start."""
        try:
            port = int(os.environ.get("PORT", "8000"))
        except ValueError:
            raise CommandError(f"PORT is {os.environ['PORT']!r}; it has to be a number.") from None
        host = os.environ.get("HOST", "127.0.0.1")
        try:
            Supervisor(host=host, port=port, demo=options["demo"], tell=self._tell).run()
        except UpError as error:
            raise CommandError(str(error)) from error

    def _tell(self, message: str) -> None:
        self.stdout.write(message)
        self.stdout.flush()
