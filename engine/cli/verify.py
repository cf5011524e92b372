"""`python -m engine verify FILE…`: what each game proves, and what can't be checked.

It prints one JSON line for each game. With `--receipt` the file is a club's exported log, and one
line says whether the receipt fits it.
"""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from typing import Final

from engine.cli.files import complain, each_game, opened
from engine.illegal import Illegal, Refused, quote
from engine.messages import say
from engine.record.anchors import Anchors, read_heads
from engine.record.lines import no_utf8
from engine.record.receipt import check_receipt, read_receipt
from engine.record.shape import hexadecimal
from engine.record.verify import Verification, verify_line

NAME: Final = "verify"
HELP: Final = (
    "verify the dice, the digests and the play of exported games, and whether they match what "
    "was noted down earlier"
)
PROOFS: Final = ("rules", "dice", "digests", "seal")
GAME_OPTIONS: Final = ("head", "commitment", "heads", "require")
"""The options about games."""
NO_CHECK: Final = 2
"""The exit code for a receipt with a typing error, which says nothing about the log."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the files, and what their games are compared with."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help=(
            "games as records or text, plain or gzip; with --receipt a club's log.jsonl; "
            "- is standard input"
        ),
    )
    parser.add_argument(
        "--head", type=digest, metavar="HEX", help="the head that you noted down, for a single game"
    )
    parser.add_argument(
        "--commitment",
        type=digest,
        metavar="HEX",
        help="the commitment to the dice, for a single game",
    )
    parser.add_argument(
        "--heads",
        type=heads_file,
        metavar="FILE",
        help="the heads of all the games, one line of head and id for each",
    )
    parser.add_argument(
        "--require",
        type=proofs,
        default=(),
        metavar="LIST",
        help=f"what must be proved, out of {', '.join(PROOFS)}",
    )
    parser.add_argument(
        "--receipt",
        metavar="TEXT",
        help="a receipt that you kept; FILE is then the club's exported log",
    )


def digest(text: str) -> bytes:
    """Return the 32 bytes written as 64 hexadecimal digits."""
    try:
        return hexadecimal(text.lower(), "digest")
    except Refused as refused:
        raise ArgumentTypeError(str(refused)) from None


def heads_file(name: str) -> dict[str, bytes]:
    """Return the heads in a file by the ids of their records."""
    try:
        with open(name, encoding="utf-8", newline="\n") as lines:
            return read_heads(lines)
    except OSError as error:
        raise ArgumentTypeError(f"{name}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ArgumentTypeError(f"{name}: {no_utf8(error)}") from None
    except ValueError as error:
        raise ArgumentTypeError(f"{name}: {error}") from None


def proofs(text: str) -> tuple[str, ...]:
    """Return the proofs in a text such as `rules,dice`."""
    names = tuple(text.split(","))
    unknown = [name for name in names if name not in PROOFS]
    if unknown:
        raise ArgumentTypeError(
            f"there is no proof {unknown[0]!r}; choose from {', '.join(PROOFS)}"
        )
    return names


def run(arguments: Namespace) -> int:
    """Print what each game proves, then the missing games; return 0 if all is well, else 1.

    With a receipt, print whether it fits the log; return 0 if it does, 1 if not, 2 if it has a
    typing error. Raise OSError if a file can't be read.
    """
    if arguments.receipt is not None:
        return _check_receipt(arguments)
    anchors = Anchors(arguments.head, arguments.commitment, arguments.heads, arguments.require)
    ids_seen: set[str | None] = set()

    def answer(content: bytes | Illegal) -> Illegal | None:
        verified = _verified(content, anchors)
        if verified.ok and verified.record_id in ids_seen:
            twice = Illegal("same_game_twice", say("a game with this id came earlier"), path="id")
            verified = replace(verified, proved=(), error=twice)
        ids_seen.add(verified.record_id)
        print(json.dumps(verified.as_json()))
        return verified.error

    code = max([each_game(file, answer) for file in arguments.files])
    for record_id in arguments.heads or ():
        if record_id not in ids_seen:
            missing = Illegal(
                "game_missing",
                say("there is a head for the game {id}, but no record", id=quote(record_id)),
            )
            print(json.dumps(Verification(record_id, error=missing).as_json()))
            complain("--heads", missing)
            code = 1
    return code


def _verified(content: bytes | Illegal, anchors: Anchors) -> Verification:
    if isinstance(content, Illegal):
        return Verification(None, error=content)
    return verify_line(content, anchors)


def _check_receipt(arguments: Namespace) -> int:
    if len(arguments.files) > 1 or any(getattr(arguments, name) for name in GAME_OPTIONS):
        print(
            "python -m engine verify: --receipt takes one log and no other option",
            file=sys.stderr,
        )
        return NO_CHECK
    try:
        receipt = read_receipt(arguments.receipt)
    except Refused as refused:
        answer = {"receipt": arguments.receipt, "ok": False, "error": refused.illegal.as_json()}
        print(json.dumps(answer))
        complain("--receipt", refused.illegal)
        return NO_CHECK

    (file,) = arguments.files
    with opened(file) as lines:
        verdict = check_receipt(lines, receipt)
    print(json.dumps(verdict.as_json()))
    if verdict.error is None:
        return 0
    complain(file, verdict.error)
    return 1
