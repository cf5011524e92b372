"""`python -m engine render FILE`: game records in the text notation."""

import sys
from argparse import ArgumentParser, Namespace
from typing import BinaryIO, Final

from engine.illegal import Illegal
from engine.notation.text import render
from engine.record.lines import Line, read_lines
from engine.record.record import read

NAME: Final = "render"
HELP: Final = "write game records in the text notation"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare what the verb takes on the command line."""
    parser.add_argument("file", help="a file of game records, one a line, plain or gzip; - is standard input")


def run(arguments: Namespace) -> int:
    """Print the games in order: 0 if every record could be read, else 1. OSError if the file can't be read."""
    if arguments.file == "-":
        return _render(sys.stdin.buffer)
    with open(arguments.file, "rb") as stream:
        return _render(stream)


def _render(stream: BinaryIO) -> int:
    bad, gap = 0, ""
    for line in read_lines(stream):
        try:
            game = _notation(line)
        except ValueError as error:
            print(f"line {line.number}: {error}", file=sys.stderr)
            bad = 1
        else:
            sys.stdout.buffer.write(f"{gap}{game}".encode())
            gap = "\n"
    return bad


def _notation(line: Line) -> str:
    record = line.content if isinstance(line.content, Illegal) else read(line.content)
    if isinstance(record, Illegal):
        raise ValueError(f"{record.path or ''} {record.message}".strip())
    return render(record)
