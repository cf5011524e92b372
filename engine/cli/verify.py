"""`python -m engine verify FILE…`: one JSON line for each game, telling what it proves and what nobody can check."""

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from typing import Final

from engine.cli.files import complain, each_game
from engine.illegal import Illegal, Refused, quote
from engine.messages import say
from engine.record.anchors import Anchors, read_heads
from engine.record.lines import no_utf8
from engine.record.shape import hexadecimal
from engine.record.verify import Verification, verify_line

NAME: Final = "verify"
HELP: Final = "verify the dice, the digests and the play of exported games, and whether they are those once noted down"
PROOFS: Final = ("rules", "dice", "digests", "seal")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the files, and what their games are held against."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="games as records or text, plain or gzip; - is standard input"
    )
    parser.add_argument("--head", type=digest, metavar="HEX", help="the head that you noted down of the one game")
    parser.add_argument("--commitment", type=digest, metavar="HEX", help="the commitment to the dice of the one game")
    parser.add_argument(
        "--heads", type=heads_file, metavar="FILE", help="the heads of all the games: a line of head and id for each"
    )
    parser.add_argument(
        "--require", type=proofs, default=(), metavar="LIST", help=f"what must be proved, of {', '.join(PROOFS)}"
    )


def digest(text: str) -> bytes:
    """The 32 bytes that 64 hexadecimal digits stand for."""
    try:
        return hexadecimal(text.lower(), "it")
    except Refused as refused:
        raise ArgumentTypeError(str(refused)) from None


def heads_file(name: str) -> dict[str, bytes]:
    """The heads that a file lists, by the ids of their records."""
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
    """The proofs that a text such as `rules,dice` names."""
    names = tuple(text.split(","))
    unknown = [name for name in names if name not in PROOFS]
    if unknown:
        raise ArgumentTypeError(f"there is no proof {unknown[0]!r}, but {', '.join(PROOFS)}")
    return names


def run(arguments: Namespace) -> int:
    """Print what each game proves, then the games that are missing: 0 if nothing is false or missing, else 1.

    OSError if a file can't be read.
    """
    anchors = Anchors(arguments.head, arguments.commitment, arguments.heads, arguments.require)
    ids_seen: set[str | None] = set()

    def answer(content: bytes | Illegal) -> Illegal | None:
        verified = Verification(None, error=content) if isinstance(content, Illegal) else verify_line(content, anchors)
        if verified.ok and verified.record_id in ids_seen:
            twice = Illegal("same_game_twice", say("a game with this id was there before"), path="id")
            verified = replace(verified, proved=(), error=twice)
        ids_seen.add(verified.record_id)
        print(json.dumps(verified.as_json()))
        return verified.error

    code = max([each_game(file, answer) for file in arguments.files])
    for record_id in arguments.heads or ():
        if record_id not in ids_seen:
            missing = Illegal(
                "game_missing", say("there is a head of the game {id}, but no record", id=quote(record_id))
            )
            print(json.dumps(Verification(record_id, error=missing).as_json()))
            complain("--heads", missing)
            code = 1
    return code
