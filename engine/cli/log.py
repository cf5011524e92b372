"""`python -m engine log FILE`: check the chain of a club's exported log, and look for a digest."""

import json
from argparse import ArgumentParser, Namespace
from typing import Final

from engine.cli.files import complain, opened
from engine.cli.verify import digest
from engine.record.club_log import verify_log

NAME: Final = "log"
HELP: Final = (
    "verify a club's exported log, and whether it continues from a digest noted down earlier"
)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the file, and the digest to look for."""
    parser.add_argument("file", metavar="FILE", help="a club's log.jsonl; - is standard input")
    parser.add_argument(
        "--head",
        type=digest,
        metavar="HEX",
        help="a digest that you noted down for one of its entries",
    )


def run(arguments: Namespace) -> int:
    """Print the number of entries that form a chain, and the last digest.

    Return 0 if no fault is found, else 1. Raise OSError if the file can't be read.
    """
    with opened(arguments.file) as lines:
        verdict = verify_log(lines, arguments.head)
    error = None if verdict.error is None else verdict.error.as_json()
    print(json.dumps({"entries": verdict.entries, "head": verdict.head, "error": error}))
    if verdict.error is None:
        return 0
    complain(arguments.file, verdict.error)
    return 1
