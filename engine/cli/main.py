"""The command `python -m engine`: finds the verb and carries it out."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Final

from engine import __version__
from engine.cli import analyse, check, draw, log, parse, play, render, stage, table, verify

VERBS: Final = (check, verify, log, table, draw, stage, analyse, render, parse, play)
"""The modules that are verbs; each has NAME, HELP, add_arguments(parser) and run(arguments)."""
USAGE: Final = 2
"""Exit code for a command that can't be carried out, as argparse has it."""
PIPE_CLOSED: Final = 128 + 13
"""What a shell reports of a process that SIGPIPE ended."""
MISSING: Final = {
    "numpy": "NumPy: pip install 'cups-up-engine[ratings]'",
    "ortools": "OR-Tools: pip install 'cups-up-engine[pairing]'",
    "rustworkx": "rustworkx: pip install 'cups-up-engine[pairing]'",
}
"""How to get a package that isn't installed."""


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out one verb: its exit code, or 2 for a file that can't be read or a package that isn't
    installed."""
    parser = ArgumentParser(
        prog="python -m engine", description="The rules of the games, on files."
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
        # The reader has left; whatever is still buffered must not complain when Python exits.
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
