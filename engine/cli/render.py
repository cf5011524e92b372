"""`python -m engine render FILE`: write games in the text notation."""

import sys
from argparse import Namespace
from itertools import chain, repeat
from typing import Final

from engine.cli.files import add_file as add_arguments
from engine.cli.files import each_game
from engine.illegal import Illegal
from engine.messages import Message
from engine.notation.text import render
from engine.record.record import read

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME: Final = "render"
HELP: Final = "write games in the text notation"


def run(arguments: Namespace) -> int:
    """Print the games in order; return 0 if every one could be read, else 1.

    OSError if the file can't be read.
    """
    gaps = chain([""], repeat("\n"))

    def answer(content: bytes | Illegal) -> Illegal | None:
        record = content if isinstance(content, Illegal) else read(content)
        if isinstance(record, Illegal):
            return record
        if record.fault is not None:
            return record.fault
        try:
            text = render(record)
        except ValueError as error:
            return Illegal("bad_record", Message.of("{reason}", {"reason": str(error)}))
        sys.stdout.buffer.write(f"{next(gaps)}{text}".encode())
        return None

    return each_game(arguments.file, answer)
