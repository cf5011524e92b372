"""A receipt: one line, short enough for a slip of paper, that fits only one log of the club.

A receipt names an entry of a club's log by three words: the public id of the club, the number of
the entry, and 28 characters. The first 26 of these are the first 130 bits of the entry's digest.
Each digest is computed from the one before it, so they stand for this entry and all before it. The
last 2 characters tell a typing error from a forged log.

130 bits are enough. To write another log that fits a given receipt takes 2 ** 130 attempts. The
operators of the service could prepare two entries with the same characters, show one of them, and
keep the other. That takes 2 ** 65 attempts: more than a month on a thousand graphics cards. With
100 bits it would take two days on one card. The 28 characters are about as many as an international
bank account number has.

The characters are those of Crockford's Base32: no I, L, O and U. I and L are read as 1, and O as 0.
Capitals, hyphens and blanks don't matter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from engine.record.club_log import verify_log

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The characters by their values, 5 bits each: Douglas Crockford, “Base 32”."""
READ_AS: Final = str.maketrans("ILO", "110")
DIGEST_LENGTH: Final = 26
CHECK_LENGTH: Final = 2
GROUP: Final = 4
MODULUS: Final = 1021
"""The largest prime number that fits in 2 characters: every single wrong character changes the
remainder, and so does every swap of two neighbours.
"""

_LETTERS: Final = DIGEST_LENGTH + CHECK_LENGTH
_THREE_WORDS: Final = re.compile(
    r"(?<![0-9A-Za-z])"
    r"(?=(?P<club>[0-9A-Za-z]{1,64})\s+(?P<position>[1-9][0-9]{0,9})\s+"
    rf"(?P<code>[0-9A-Za-z](?:[^0-9A-Za-z]{{0,3}}[0-9A-Za-z]){{{_LETTERS - 1}}})(?![0-9A-Za-z]))"
)
"""The lookahead matches without consuming text, so a word before the club's id can't hide it."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A receipt of one entry of a club's log.

    `club` is the public id of the club in lower case, `position` the number of the entry from 1.
    `code` is the beginning of the entry's digest, 26 characters of `ALPHABET`.
    """

    club: str
    position: int
    code: str

    @classmethod
    def of(cls, club: str, position: int, digest: bytes) -> Receipt:
        """Return the receipt of the entry with this digest of 32 bytes."""
        first_bits = int.from_bytes(digest) >> 256 - 5 * DIGEST_LENGTH
        return cls(club, position, _characters(first_bits, DIGEST_LENGTH))

    @property
    def check(self) -> str:
        """Return the 2 check characters."""
        number = int.from_bytes(f"{self.club} {self.position} {self.code}".encode())
        return _characters(number % MODULUS, CHECK_LENGTH)

    def __str__(self) -> str:
        """Return the receipt for people: `k3xq8m2wpd 1234 K7QF-9M2P-…`."""
        letters = self.code + self.check
        groups = [letters[start : start + GROUP] for start in range(0, _LETTERS, GROUP)]
        return f"{self.club} {self.position} {'-'.join(groups)}"


def read_receipt(text: str) -> Receipt:
    """Return the last receipt in a text. Raise `Refused` (`bad_receipt`)."""
    matches = list(_THREE_WORDS.finditer(text))
    for match in reversed(matches):
        letters = re.sub("[^0-9A-Z]", "", match["code"].upper()).translate(READ_AS)
        receipt = Receipt(match["club"].lower(), int(match["position"]), letters[:DIGEST_LENGTH])
        if letters[DIGEST_LENGTH:] == receipt.check:
            return receipt
    if matches:
        raise _bad(say("the receipt has a typo: its last two characters don't match the others"))
    raise _bad(
        say(
            "that isn't a receipt: a receipt has the id of a club, the number of an entry, and "
            "28 characters"
        )
    )


@dataclass(frozen=True, slots=True)
class ReceiptVerdict:
    """The verdict on a receipt and a log. `entry` is the entry that the receipt names, as exported.

    `error` is the first fault up to this entry; with an error, `entry` is None.
    """

    receipt: Receipt
    entry: Mapping[str, Any] | None = None
    error: Illegal | None = None

    def as_json(self) -> dict[str, object]:
        """Return the verdict as a JSON object, with the action, subject and time of the entry."""
        answer: dict[str, object] = {"receipt": str(self.receipt), "ok": self.error is None}
        if self.error is not None:
            return answer | {"error": self.error.as_json()}
        entry = self.entry or {}
        return answer | {name: entry.get(name) for name in ("position", "action", "subject", "at")}


def check_receipt(lines: Iterable[bytes], receipt: Receipt) -> ReceiptVerdict:
    """Return the verdict on a receipt and the export of a log; later entries aren't read.

    Codes: those of `verify_log`, and `other_log`, `entry_missing`, `receipt_mismatch`.
    """
    last_line_kept = _LastLineKept(islice(lines, receipt.position + 1))
    verdict = verify_log(last_line_kept)
    if verdict.club and verdict.club != receipt.club:
        message = say(
            "the receipt is from the club {club}, but this is the log of {other}",
            club=receipt.club,
            other=verdict.club,
        )
        return ReceiptVerdict(receipt, error=Illegal("other_log", message))
    if verdict.error is not None:
        return ReceiptVerdict(receipt, error=verdict.error)
    if verdict.entries < receipt.position:
        message = say(
            "the log ends with entry {last}, before entry {number}: "
            "it was exported earlier, or its end was cut off",
            last=verdict.entries,
            number=receipt.position,
        )
        return ReceiptVerdict(receipt, error=Illegal("entry_missing", message))
    if Receipt.of(receipt.club, receipt.position, bytes.fromhex(verdict.head)) != receipt:
        message = say(
            "entry {number} isn't the one on the receipt: it, or one before it, was rewritten",
            number=receipt.position,
        )
        return ReceiptVerdict(receipt, error=Illegal("receipt_mismatch", message))
    return ReceiptVerdict(receipt, entry=json.loads(last_line_kept.last))


class _LastLineKept(Iterator[bytes]):
    def __init__(self, lines: Iterator[bytes]) -> None:
        self.lines = lines
        self.last = b""

    def __next__(self) -> bytes:
        self.last = next(self.lines)
        return self.last


def _characters(number: int, length: int) -> str:
    """Return a number in Crockford's Base32, with this many characters."""
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(length)))


def _bad(message: Message) -> Refused:
    return Refused(Illegal("bad_receipt", message))
