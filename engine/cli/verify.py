"""`python -m engine verify FILE`: one JSON line for each game of the file, telling what it proves."""

import json
import sys
from argparse import Namespace
from typing import BinaryIO, Final

from engine.cli.check import add_arguments
from engine.illegal import Illegal
from engine.record.lines import read_lines
from engine.record.verify import Verification, verify_line

__all__ = ["HELP", "NAME", "add_arguments", "run"]

NAME: Final = "verify"
HELP: Final = "verify the dice, the digests and the play of exported games"


def run(arguments: Namespace) -> int:
    """Print what each game proves: 0 if nothing of it is false, else 1. OSError if the file can't be read."""
    if arguments.file == "-":
        return _verify(sys.stdin.buffer)
    with open(arguments.file, "rb") as stream:
        return _verify(stream)


def _verify(stream: BinaryIO) -> int:
    bad = 0
    for _, content in read_lines(stream):
        told = Verification(None, error=content) if isinstance(content, Illegal) else verify_line(content)
        print(json.dumps(told.as_json()))
        bad |= not told.ok
    return int(bad)
