"""All that somebody noted down of a game, or wants proved of it: compared with the game, and what
is left unchecked.

A record can prove that it is sound. That it is the game that was played it can't prove by itself:
whoever rewrites a whole game can give it new digests and a new seal. Only what was noted down
before tells the two apart, and of that only the head binds all: a commitment fixes the dice, never
the moves, and the first digest only what the header says."""

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
    """The heads of a list by the ids of their records; a line holds one: 64 hexadecimal digits, a
    blank, and the id.

    Blank lines and those that begin with `#` are comments. ValueError with the number of a line
    that is neither, or that has an id of an earlier one."""
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
    """All that a game is held against; None or empty for what isn't known.

    `head`: its last digest. `commitment`: that of the proof of its dice. `heads`: of all games that
    there should be, by the ids of their records. `required`: what must be proved."""

    head: bytes | None = None
    commitment: bytes | None = None
    heads: Mapping[str, bytes] | None = None
    required: tuple[str, ...] = ()

    def fault(self, record: Record, head: bytes | None, proved: Collection[str]) -> Illegal | None:
        """The first thing in which a sound record isn't what was noted down or wanted; `head` is
        its own.

        Codes: `not_proved`, `commitment_mismatch`, `head_mismatch`, `head_missing`.
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
                say("the record brings no proof, so no commitment"),
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
        listed = None if self.heads is None else self.heads.get(record_id)
        if self.heads is not None and listed is None:
            return Illegal(
                "head_missing",
                say("the list of heads has no game {id}", id=quote(record_id)),
                path="id",
            )
        expected = next(
            (noted for noted in (self.head, listed) if noted is not None and noted != head), None
        )
        if expected is None:
            return None
        if head is None:
            return Illegal(
                "head_mismatch",
                say("the record brings no names, so the game has no head"),
                path="names",
            )
        return Illegal(
            "head_mismatch",
            say("the head is {head}, not {noted}", head=head.hex(), noted=expected.hex()),
        )

    def not_checked(self, record: Record, proved: Collection[str]) -> tuple[Message, ...]:
        """Sentences on what couldn't be checked of a sound record, and why."""
        return (
            *self._of_the_game(record),
            *_of_the_dice(record, self.commitment),
            *_of_the_line(record, proved),
        )

    def _of_the_game(self, record: Record) -> Iterator[Message]:
        if record.names is None:
            yield say(
                "The record brings no names, so the game has no head that somebody could have "
                "noted down."
            )
        elif self.head is None and self.heads is None:
            yield say(
                "Nothing says that this is the game that was played: who changes a whole game can "
                "make its digests and"
                " its seal anew. Compare its head with one that was noted down (--head, --heads)."
            )
        pseudonyms = sum(name.commitment is not None for name in record.names or ())
        if pseudonyms:
            yield say(
                (
                    "Of {number} of {all} seats nobody can check the name: its salt isn't told, "
                    "as for players erased."
                ),
                number=pseudonyms,
                all=len(record.seats),
            )
        if record.reason is not None and record.reason.seal.salt is None:
            yield say("Nobody can check the reason of this correction: it was removed.")
        if record.voided is not None:
            yield say(
                "The record says that the game is voided, so that it doesn't count. No digest "
                "covers that; the log of"
                " the club where it was entered does."
            )


UNANCHORED: Final = Anchors()
"""Nothing was noted down, and nothing is wanted."""


def _of_the_dice(record: Record, commitment: bytes | None) -> Iterator[Message]:
    if record.proof is None:
        yield say("The record brings no proof of its dice, so nobody can say where they came from.")
    elif record.proof.links is None:
        yield say("The proof reveals no links yet, so no die can be compared with it.")
    if record.proof is not None and commitment is None:
        yield say(
            "Nothing says that the commitment was known before the first roll. Compare it with "
            "one that was noted down"
            " (--commitment)."
        )
    yield from record.kind.gaps(record.rounds) if record.outcome is None else [GAP]
    impossible = impossible_end(record)
    if impossible is not None:
        yield say(
            "No game ends so, and the outcome counts only as it was sealed: {fault}.",
            fault=impossible.message,
        )


def _of_the_line(record: Record, proved: Collection[str]) -> Iterator[Message]:
    if record.digests is None:
        yield say("The record brings no digests, so there is nothing to compare its rounds with.")
    if "seal" not in proved:
        yield say(
            "The record brings no seal, so nobody can say whether the line is as it was written."
        )
