#!/usr/bin/env python
"""Django's command line for Cups Up."""

import os
import sys


def main() -> None:
    """Run the management command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    if sys.argv[1:2] == ["up"]:  # starts its servers and says so before it loads Django
        from league.management.commands.up import Command

        Command().run_from_argv(sys.argv)
        return
    from django.core.management import execute_from_command_line

    from league.environment.variable import BadSetting

    try:
        execute_from_command_line(sys.argv)
    except BadSetting as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
