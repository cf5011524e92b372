"""What is known about a game from elsewhere, compared with its record, and what stays unchecked.

A record can prove that it is sound. It can't prove by itself that it is the game that was played:
anybody who rewrites a whole game can give it new digests and a new seal. Only values noted down
before show the difference. Among these only the head covers everything: a commitment fixes the dice
but not the moves, and the first digest covers only the header.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from re import Pattern
from re import compile as pattern
from typing import Final

from engine.illegal import Illegal, quote
from engine.messages import Message, say
from engine.record.check import impossible_end
from engine.record.outcome import GAP
from engine.record.record import Record

HEADS_LINE: Final[Pattern[str]] = pattern("([0-9a-f]{64}) (.{1,64})")


def read_heads(lines: Iterable[str]) -> dict[str, bytes]:
    """Return the heads in a list by the ids of their records.

    A line holds 64 hexadecimal digits, a blank and the id. Blank lines and lines that begin with
    `#` are comments. Raise ValueError with the line number for any other line, or for an id given
    twice.
    """
    heads: dict[str, bytes] = {}
    for number, line in enumerate(lines, start=1):
        entry = line.rstrip("\r\n")
        if not entry.strip() or entry.startswith("#"):
            continue
        match = HEADS_LINE.fullmatch(entry)
        if match is None:
            raise ValueError(
                f"line {number} isn't a head and an id: 64 hexadecimal digits, a blank, and the id"
            )
        if match[2] in heads:
            raise ValueError(f"line {number} names the game {quote(match[2])} a second time")
        heads[match[2]] = bytes.fromhex(match[1])
    return heads


@dataclass(frozen=True, slots=True)
class Anchors:
    """The values that a game is compared with; None or empty for values that aren't known.

    `head` is its last digest, `commitment` that of the proof of its dice. `heads` are the heads of
    all games that should exist, by record id. `required` names what the record has to prove.
    """

    head: bytes | None = None
    commitment: bytes | None = None
    heads: Mapping[str, bytes] | None = None
    required: tuple[str, ...] = ()

    def fault(self, record: Record, head: bytes | None, proved: Collection[str]) -> Illegal | None:
        """Return the first difference between the anchors and a sound record; None without one.

        `head` is the record's own last digest, and `proved` what the record has proved. Codes:
        `not_proved`, `commitment_mismatch`, `head_mismatch`, `head_missing`.
        """
        missing = [name for name in self.required if name not in proved]
        if missing:
            return Illegal(
                "not_proved", say("the record doesn't prove: {missing}", missing=", ".join(missing))
            )
        return self._wrong_commitment(record) or self._wrong_head(record.record_id, head)

    def _wrong_commitment(self, record: Record) -> Illegal | None:
        if self.commitment is None:
            return None
        if record.proof is None:
            return Illegal(
                "commitment_mismatch",
                say("the record has no proof, so no commitment"),
                path="proof",
            )
        commitment = record.proof.commitment
        if commitment == self.commitment:
            return None
        return Illegal(
            "commitment_mismatch",
            say(
                "the commitment is {own}, not {noted}",
                own=commitment.hex(),
                noted=self.commitment.hex(),
            ),
            path="proof.commitment",
        )

    def _wrong_head(self, record_id: str, head: bytes | None) -> Illegal | None:
        expected_heads = [] if self.head is None else [self.head]
        if self.heads is not None:
            if record_id not in self.heads:
                return Illegal(
                    "head_missing",
                    say("the list of heads has no game {id}", id=quote(record_id)),
                    path="id",
                )
            expected_heads.append(self.heads[record_id])

        for expected in expected_heads:
            if expected == head:
                continue
            if head is None:
                return Illegal(
                    "head_mismatch",
                    say("the record has no names, so the game has no head"),
                    path="names",
                )
            return Illegal(
                "head_mismatch",
                say("the head is {head}, not {noted}", head=head.hex(), noted=expected.hex()),
            )
        return None

    def not_checked(self, record: Record, proved: Collection[str]) -> tuple[Message, ...]:
        """Return sentences on what couldn't be checked of a sound record, and why."""
        sentences = list(self._of_the_game(record))
        sentences.extend(_of_the_dice(record, self.commitment))
        sentences.extend(_of_the_line(record, proved))
        return tuple(sentences)

    def _of_the_game(self, record: Record) -> Iterator[Message]:
        if record.names is None:
            yield say(
                "The record has no names, so the game has no head that somebody could have "
                "noted down."
            )
        elif self.head is None and self.heads is None:
            yield say(
                "Nothing proves that this is the game that was played: somebody who changes a "
                "whole game can recompute its digests and its seal. Compare its head with one "
                "that was noted down (--head, --heads)."
            )
        names_unknown = sum(name.commitment is not None for name in record.names or ())
        if names_unknown:
            yield say(
                "For {number} of {all} seats nobody can check the name: its salt isn't given, "
                "as for erased players.",
                number=names_unknown,
                all=len(record.seats),
            )
        if record.reason is not None and record.reason.seal.salt is None:
            yield say("Nobody can check the reason for this correction: it was removed.")
        if record.voided is not None:
            yield say(
                "The record says that the game is void, so it doesn't count. No digest covers "
                "that; the log of the club where it was entered does."
            )


UNANCHORED: Final = Anchors()
"""No values to compare with."""


def _of_the_dice(record: Record, commitment: bytes | None) -> Iterator[Message]:
    if record.proof is None:
        yield say("The record has no proof of its dice, so nobody can say where they came from.")
    else:
        if record.proof.links is None:
            yield say("The proof reveals no links yet, so no die can be compared with it.")
        if commitment is None:
            yield say(
                "Nothing proves that the commitment was known before the first roll. Compare it "
                "with one that was noted down (--commitment)."
            )
    if record.outcome is not None:
        yield GAP
    else:
        yield from record.kind.gaps(record.rounds)
    impossible = impossible_end(record)
    if impossible is not None:
        yield say(
            "No game ends like this, and the outcome counts only as it was sealed: {fault}.",
            fault=impossible.message,
        )


def _of_the_line(record: Record, proved: Collection[str]) -> Iterator[Message]:
    if record.digests is None:
        yield say("The record has no digests, so there is nothing to compare its rounds with.")
    if "seal" not in proved:
        yield say(
            "The record has no seal, so nobody can say whether the line is as it was written."
        )
