"""The command `python -m engine`: find the verb and run it."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Final

from engine import __version__
from engine.cli import analyse, check, draw, log, parse, play, render, stage, table, verify

VERBS: Final = (check, verify, log, table, draw, stage, analyse, render, parse, play)
"""The modules of the verbs; each has NAME, HELP, add_arguments(parser) and run(arguments)."""
USAGE: Final = 2
"""The exit code of a command that can't be run, as in argparse."""
PIPE_CLOSED: Final = 128 + 13
"""The exit code that shells report for a process ended by SIGPIPE."""
MISSING: Final = {
    "numpy": "NumPy: pip install 'cups-up-engine[ratings]'",
    "ortools": "OR-Tools: pip install 'cups-up-engine[pairing]'",
    "rustworkx": "rustworkx: pip install 'cups-up-engine[pairing]'",
}
"""How to get a missing package."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb and return its exit code, or 2 for an unreadable file or a missing package."""
    parser = ArgumentParser(
        prog="python -m engine", description="Check, rank and analyse files of games."
    )
    parser.add_argument("--version", action="version", version=f"cups-up-engine {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    for verb in VERBS:
        verb_parser = verbs.add_parser(verb.NAME, help=verb.HELP, description=verb.HELP)
        verb.add_arguments(verb_parser)
        verb_parser.set_defaults(run=verb.run)
    arguments = parser.parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has left. The rest of the buffer mustn't raise an error when Python exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "engine":
            raise
        missing = MISSING.get(error.name, f"the package {error.name}, which isn't installed")
        print(f"python -m engine: this needs {missing}", file=sys.stderr)
        return USAGE
    except OSError as error:
        print(f"python -m engine: {error.filename}: {error.strerror}", file=sys.stderr)
        return USAGE
    return code
