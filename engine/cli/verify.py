"""`python -m engine verify FILE`: one JSON line for each game of the file, telling what it proves."""

import json
from argparse import Namespace
from typing import Final

from engine.cli.files import add_file as add_arguments
from engine.cli.files import each_game
from engine.illegal import Illegal
from engine.record.verify import Verification, verify_line

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME: Final = "verify"
HELP: Final = "verify the dice, the digests and the play of exported games"


def run(arguments: Namespace) -> int:
    """Print what each game proves: 0 if nothing of it is false, else 1. OSError if the file can't be read."""
    return each_game(arguments.file, _answer)


def _answer(content: bytes | Illegal) -> Illegal | None:
    verified = Verification(None, error=content) if isinstance(content, Illegal) else verify_line(content)
    print(json.dumps(verified.as_json()))
    return verified.error
