"""`python -m engine check FILE`: one JSON line for each game of the file."""

import json
from argparse import Namespace
from typing import Final

from engine.cli.files import add_file as add_arguments
from engine.cli.files import each_game, verdict_on
from engine.illegal import Illegal

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME: Final = "check"
HELP: Final = "check games against the rules"


def run(arguments: Namespace) -> int:
    """Print the verdicts in order; return 0 if every game is ok, else 1.

    Raise OSError if the file can't be read.
    """
    return each_game(arguments.file, _answer)


def _answer(content: bytes | Illegal) -> Illegal | None:
    verdict = verdict_on(content)
    print(json.dumps(verdict.as_json()))
    return verdict.error
