"""`python -m engine parse FILE`: games in the text notation as records, one JSON line each."""

import sys
from argparse import Namespace
from typing import Final

from engine.cli.files import add_file as add_arguments
from engine.cli.files import each_game, sound_record_of
from engine.illegal import Illegal
from engine.record.write import write

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME: Final = "parse"
HELP: Final = "write games as records, one a line"


def run(arguments: Namespace) -> int:
    """Print the records in order; return 0 if every game could be read, else 1.

    A game with an error is only reported on standard error: half a game mustn't pass for a whole
    one. Raise OSError if the file can't be read.
    """
    return each_game(arguments.file, _answer)


def _answer(content: bytes | Illegal) -> Illegal | None:
    record = sound_record_of(content)
    if isinstance(record, Illegal):
        return record
    sys.stdout.buffer.write(f"{write(record)}\n".encode())
    return None
