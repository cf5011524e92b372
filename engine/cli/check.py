"""`python -m engine check FILE`: one JSON line for each game of the file."""

import json
import sys
from argparse import ArgumentParser, Namespace
from typing import BinaryIO, Final

from engine.illegal import Illegal
from engine.record.check import check_line
from engine.record.lines import read_lines
from engine.record.verdict import Verdict

NAME: Final = "check"
HELP: Final = "check game records against the rules"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare what the verb takes on the command line."""
    parser.add_argument("file", help="a file of game records, one a line, plain or gzip; - is standard input")


def run(arguments: Namespace) -> int:
    """Print the verdicts in order: 0 if every game is ok, else 1. OSError if the file can't be read."""
    if arguments.file == "-":
        return _check(sys.stdin.buffer)
    with open(arguments.file, "rb") as stream:
        return _check(stream)


def _check(stream: BinaryIO) -> int:
    bad = 0
    for _, content in read_lines(stream):
        verdict = Verdict(None, error=content) if isinstance(content, Illegal) else check_line(content)
        print(json.dumps(verdict.as_json()))
        bad |= not verdict.ok
    return int(bad)
