"""Verify a record: its play, which the checker judges, its dice, its digests and its seal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.dice.proof import Mismatch, Proof, RecordedOpener, first_mismatch
from engine.illegal import Illegal
from engine.messages import say
from engine.record.anchors import UNANCHORED, Anchors
from engine.record.canonical import canonical_json, digests
from engine.record.check import replay
from engine.record.export import seal_of
from engine.record.record import Record, parse, read_id, read_value
from engine.record.shape import Json
from engine.record.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of verifying one record: what was proved, or the first thing that is false.

    `proved` lists, in the order of checking and as far as the record has them: `rules` (its play
    and its result), `dice` (every die follows from the proof), `digests` (the chain is that of its
    facts), `seal` (every byte of the line is as it was written). `error` has a code of the checker,
    of `wrong_dice`, `wrong_digest`, `wrong_seal`, or of `Anchors.fault`; `seat` and `draw` name a
    false roll. `head` is the last digest, which stands for the whole game; None for a record that
    has no names or breaks a rule. `not_checked` has sentences on what couldn't be checked.
    """

    record_id: str | None
    proved: tuple[str, ...] = ()
    error: Illegal | None = None
    seat: int | None = None
    draw: int | None = None
    head: bytes | None = None
    not_checked: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Return True if nothing false was found."""
        return self.error is None

    def judged(
        self, name: str, wrong: Illegal | None, roll: Mismatch | None = None
    ) -> "Verification":
        """Return a copy with `name` proved, or with the fault `wrong`, perhaps at a `roll`."""
        if wrong is None:
            return replace(self, proved=(*self.proved, name))
        if roll is None:
            return replace(self, proved=(), error=wrong)
        return replace(self, proved=(), error=wrong, seat=roll.seat, draw=roll.draw)

    def as_json(self) -> dict[str, Json]:
        """Return the answer of `python -m engine verify`."""
        answer: dict[str, Json] = {
            "id": self.record_id,
            "ok": self.ok,
            "head": None if self.head is None else self.head.hex(),
        }
        if self.error is None:
            answer["proved"] = list(self.proved)
            answer["not_checked"] = list(self.not_checked)
            return answer

        error: dict[str, Json] = dict(self.error.as_json())
        if self.seat is not None:
            error["seat"] = self.seat
        if self.draw is not None:
            error["draw"] = self.draw
        answer["error"] = error
        return answer


def verify_line(line: bytes, anchors: Anchors = UNANCHORED) -> Verification:
    """Return what a line proves, compared with the `anchors`; never raise an exception."""
    value = parse(line)
    if isinstance(value, Illegal):
        return Verification(None, error=value)
    record = read_value(value)
    if isinstance(record, Illegal):
        return Verification(read_id(value), error=record)
    verified = verify(record)
    if verified.ok and isinstance(value, dict) and "seal" in value:
        verified = verified.judged("seal", wrong_seal(line, value))
    if not verified.ok:
        return verified
    wrong = anchors.fault(record, verified.head, verified.proved)
    if wrong is not None:
        return replace(verified, proved=(), error=wrong)
    return replace(verified, not_checked=anchors.not_checked(record, verified.proved))


def verify(record: Record) -> Verification:
    """Return what a record proves, apart from its line and from anchors."""
    verdict = replay(record)
    if verdict.error is not None:
        return Verification(record.record_id, error=verdict.error)

    chain: list[bytes] = []
    head = None
    if record.names is not None:
        chain = digests(record)
        head = chain[-1]
    verified = Verification(record.record_id, ("rules",), head=head)
    if record.proof is not None and record.proof.links is not None:
        wrong_roll = wrong_dice(record, verdict, record.proof)
        wrong = None
        if wrong_roll is not None:
            mismatch = Illegal("proof_mismatch", wrong_roll.message, path="proof")
            wrong = record.kind.at(wrong_roll.round_number, mismatch)
        verified = verified.judged("dice", wrong, wrong_roll)
    if verified.ok and record.digests is not None:
        verified = verified.judged("digests", wrong_digest(record, chain, record.digests))
    return verified


def wrong_dice(record: Record, verdict: Verdict, proof: Proof) -> Mismatch | None:
    """Return the first roll of a valid record whose dice aren't those of its proof; None if there
    is none."""
    rolls = list(record.kind.rolls(record.start(), record.rounds, verdict.rounds))
    opener = RecordedOpener(record.opener, len(record.seats), record.kind.opening_dice)
    return first_mismatch(proof, record.record_id, rolls, opener)


def wrong_digest(
    record: Record, chain: Sequence[bytes], claimed: Sequence[bytes]
) -> Illegal | None:
    """Return the fault of the first claimed digest that differs from the one computed in `chain`.

    The first digest is of the header, each other one of a round or of the outcome.
    """
    if len(claimed) != len(chain):
        return Illegal(
            "digest_mismatch",
            say("there are {number} digests, not {given}", number=len(chain), given=len(claimed)),
            path="digests",
        )
    for i, (computed, claimed_digest) in enumerate(zip(chain, claimed, strict=True)):
        if computed == claimed_digest:
            continue
        message = say(
            "the digest is {digest}, not {claimed}",
            digest=computed.hex(),
            claimed=claimed_digest.hex(),
        )
        illegal = Illegal("digest_mismatch", message, path=f"digests[{i}]")
        if i == 0 or record.outcome is not None:
            return illegal
        return record.kind.at(i - 1, illegal)
    return None


def wrong_seal(line: bytes, value: dict[str, Json]) -> Illegal | None:
    """Return the fault of a sealed line that isn't in canonical form, or whose seal is wrong."""
    if canonical_json(value) != line:
        return Illegal(
            "seal_mismatch", say("the line isn't in canonical form, as every sealed one is")
        )
    seal = seal_of({key: part for key, part in value.items() if key != "seal"}).hex()
    if value["seal"] != seal:
        return Illegal(
            "seal_mismatch",
            say("the seal is {seal}: something was changed", seal=seal),
            path="seal",
        )
    return None
