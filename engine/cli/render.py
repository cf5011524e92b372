"""`python -m engine render FILE`: write games in the text notation."""

import sys
from argparse import Namespace
from itertools import chain, repeat
from typing import Final

from engine.cli.files import add_file as add_arguments
from engine.cli.files import each_game, sound_record_of
from engine.illegal import Illegal
from engine.messages import Message
from engine.notation.text import render

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME: Final = "render"
HELP: Final = "write games in the text notation"


def run(arguments: Namespace) -> int:
    """Print the games in order; return 0 if every one could be read, else 1.

    Raise OSError if the file can't be read.
    """
    gaps = chain([""], repeat("\n"))

    def answer(content: bytes | Illegal) -> Illegal | None:
        record = sound_record_of(content)
        if isinstance(record, Illegal):
            return record
        try:
            text = render(record)
        except ValueError as error:
            return Illegal("bad_record", Message.of("{reason}", {"reason": str(error)}))
        sys.stdout.buffer.write(f"{next(gaps)}{text}".encode())
        return None

    return each_game(arguments.file, answer)
