"""Verifying a record: not only its play, which the checker judges, but also its dice, its digests and its seal."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.dice.proof import first_mismatch
from engine.illegal import Illegal
from engine.messages import say
from engine.record.canonical import canonical_json, digests
from engine.record.check import check
from engine.record.export import seal_of
from engine.record.kind import AnyKind
from engine.record.record import Record, parse, read_id, read_value
from engine.record.shape import Json


@dataclass(frozen=True, slots=True)
class Verification:
    """What could be proved of one record, in the order in which it is tried, or the first thing that is false.

    `proved`: `rules` (its play and its result), `dice` (every die comes out of the proof), `digests` (the chain is
    that of its facts), `seal` (every byte of the line is as it was written); as far as the record brings them. `error`
    has a code of the checker, or `proof_mismatch`, `digest_mismatch`, `seal_mismatch`; `seat` and `draw` name
    the roll where one is false.
    """

    id: str | None
    proved: tuple[str, ...] = ()
    error: Illegal | None = None
    seat: int | None = None
    draw: int | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing false was found."""
        return self.error is None

    def as_json(self) -> dict[str, Json]:
        """The answer of `python -m engine verify`."""
        if self.error is None:
            return {"id": self.id, "ok": True, "proved": list(self.proved)}
        place = {"seat": self.seat, "draw": self.draw}
        known = {key: number for key, number in place.items() if number is not None}
        return {"id": self.id, "ok": False, "error": {**self.error.as_json(), **known}}


def verify_line(line: bytes) -> Verification:
    """What a line that should hold a record proves; never an exception."""
    value = parse(line)
    if isinstance(value, Illegal):
        return Verification(None, error=value)
    record = read_value(value)
    if isinstance(record, Illegal):
        return Verification(read_id(value), error=record)
    verified = verify(record)
    if not verified.ok or not isinstance(value, dict) or "seal" not in value:
        return verified
    wrong = _wrong_seal(line, value)
    if wrong is not None:
        return Verification(record.id, error=wrong)
    return Verification(record.id, (*verified.proved, "seal"))


def verify(record: Record) -> Verification:
    """What a record proves, apart from its line."""
    kind, verdict = record.kind, check(record)
    if verdict.error is not None:
        return Verification(record.id, error=verdict.error)
    proved = ["rules"]
    if record.proof is not None and record.proof.links is not None:
        rolls = list(kind.rolls(record.start(), record.rounds, verdict.rounds))
        wrong = first_mismatch(record.proof, record.id, rolls)
        if wrong is not None:
            illegal = kind.at(wrong.round, Illegal("proof_mismatch", wrong.message, path="proof"))
            return Verification(record.id, error=illegal, seat=wrong.seat, draw=wrong.draw)
        proved.append("dice")
    if record.digests is not None:
        error = wrong_digest(kind, digests(record), record.digests)
        if error is not None:
            return Verification(record.id, error=error)
        proved.append("digests")
    return Verification(record.id, tuple(proved))


def wrong_digest(kind: AnyKind, chain: Sequence[bytes], claimed: Sequence[bytes]) -> Illegal | None:
    """The first digest claimed that isn't that of the chain: the first is of the header, each other of a round."""
    if len(claimed) != len(chain):
        message = say("there are {number} digests, not {given}", number=len(chain), given=len(claimed))
        return Illegal("digest_mismatch", message, path="digests")
    for i, (own, other) in enumerate(zip(chain, claimed, strict=True)):
        if own != other:
            message = say("the digest is {digest}, not {claimed}", digest=own.hex(), claimed=other.hex())
            illegal = Illegal("digest_mismatch", message, path=f"digests[{i}]")
            return kind.at(i - 1, illegal) if i else illegal
    return None


def _wrong_seal(line: bytes, value: dict[str, Json]) -> Illegal | None:
    """A sealed line is the canonical form of what it tells, and the seal is of all the rest."""
    if canonical_json(value) != line:
        return Illegal("seal_mismatch", say("the line isn't in canonical form, as every sealed one is"))
    seal = seal_of({key: part for key, part in value.items() if key != "seal"}).hex()
    if value["seal"] != seal:
        message = say("the seal is {seal}: something was changed", seal=seal)
        return Illegal("seal_mismatch", message, path="seal")
    return None
