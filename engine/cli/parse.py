"""`python -m engine parse FILE`: games in the text notation as game records, one JSON line for each."""

import sys
from argparse import ArgumentParser, Namespace
from typing import BinaryIO, Final

from engine.notation.text import read_games
from engine.record.write import write

NAME: Final = "parse"
HELP: Final = "read games in the text notation into game records"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare what the verb takes on the command line."""
    parser.add_argument("file", help="a file of games in the text notation, plain or gzip; - is standard input")


def run(arguments: Namespace) -> int:
    """Print the records in order: 0 if every game could be read, else 1. OSError if the file can't be read.

    A game with an error is told on standard error alone: half a game must not pass for a whole one.
    """
    if arguments.file == "-":
        return _parse(sys.stdin.buffer)
    with open(arguments.file, "rb") as stream:
        return _parse(stream)


def _parse(stream: BinaryIO) -> int:
    bad = 0
    for game in read_games(stream):
        if game.record is None or game.error is not None:
            print(game.error, file=sys.stderr)
            bad = 1
        else:
            sys.stdout.buffer.write(f"{write(game.record)}\n".encode())
    return bad
