"""`manage.py up`: the whole service on this machine."""

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.environment.check import environment_check, slips
from league.environment.declaration import HOST, PORT
from league.environment.variable import BadSetting
from league.up.processes import WebAddress
from league.up.supervisor import Supervisor, UpError


class Command(BaseCommand):
    """Start everything, watch it, stop it on Ctrl-C."""

    help = (
        "Start PostgreSQL, Valkey, the workers, the scheduler and the web server, and keep them "
        "running; or only one part, for a container or a unit of systemd. HOST and PORT set the "
        "address (127.0.0.1 and 8000; HOST=0.0.0.0 lets phones in), HTTPS=1 speaks HTTPS with a "
        "certificate of its own, WEB_PROCESSES how many processes answer (one, or one for each "
        "core where they run alone); DATABASE_URL and REDIS_URL name other servers."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the part to run, and the option that loads the demo."""
        parser.add_argument(
            "part", nargs="?", choices=Supervisor.PARTS, help="run this alone, beside other servers"
        )
        parser.add_argument(
            "--demo", action="store_true", help="load a season of games and show its logins"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until stopped. Raise `CommandError` with advice if it can't start."""
        if options["demo"]:
            os.environ["DEMO"] = "true"
        try:
            environment_check()
            for slip in slips():
                self._tell(slip)
            address = WebAddress(HOST.read(), PORT.read())
            Supervisor(
                address=address, part=options["part"], demo=options["demo"], tell=self._tell
            ).run()
        except (BadSetting, UpError) as error:
            raise CommandError(str(error)) from error

    def _tell(self, message: str) -> None:
        self.stdout.write(message)
        self.stdout.flush()
